"""The library, the editor and llmist report the same about calls."""

from __future__ import annotations

import random

from examples import LAWS
from formats.gadget.gadget_pieces import document, soup
from llmblocks import check
from llmblocks.facts.finding import Finding
from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream, plan
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.syntax.pointer import ROWS
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from worded import has_words

DOCUMENTS = max(LAWS, 50)
OF_PROBLEMS = frozenset(row.code for row in ROWS.values())
"""The codes of `GadgetCall.problems`."""
OF_PLAN = frozenset(("G110", "G111", "G112", "G113"))
"""The codes of what `plan` tells."""
POINTERS = ("a", "a/b", "a/b/c", "a/0", "a/1", "a/2", "a/01", "a/x", "b", "b/0", "b/0/x", "b/1/x", "b/3/x", "b/length",
            "c/0", "c/-1", "c//d", " a ", "a/__proto__", "", "toString/zz", "constructor/zz",
            "__proto__/zz", "toString")  # fmt: skip
VALUES = ("", "text", "5", "1.50", "true", "two\nlines", "😀", " ", "x  ", "\r", "`" * 3)


def made(chance: random.Random) -> str:
    """Return a call with a mistake in most."""
    arguments = [(chance.choice(POINTERS), chance.choice(VALUES)) for _ in range(chance.randint(0, 6))]
    body = "".join(f"!!!ARG:{pointer}\n{value}\n" for pointer, value in arguments)
    return f"!!!GADGET_START:G:i\n{body}!!!GADGET_END\n"


def documents(count: int) -> list[str]:
    found = []
    for number in range(count):
        chance = random.Random(number)
        make = (document, soup, made, lambda chance: "".join(made(chance) for _ in range(3)))[number % 4]
        found.append(make(chance))
    return found


def read(text: str) -> tuple[list[GadgetCall], list[tuple[int, Call]]]:
    """Return the calls of the library, and those of an editor with the start of their sections."""
    stream = GadgetStream()
    events = stream.feed(text) + stream.close()
    placed = find_language("gadget").open(text, DEFAULTS).placed()
    seen = [(each.start, call) for each in placed if (call := call_in(each.section)) is not None]
    return [event.call for event in events if isinstance(event, CallEnded)], seen


def test_an_editor_shows_the_problems_of_calls() -> None:
    for text in documents(DOCUMENTS):
        streamed, seen = read(text)
        wanted = []
        for call, (at, view) in zip(streamed, seen, strict=True):
            for problem in call.problems:
                name = at + view.arguments[problem.argument].name
                wanted.append((problem.code, name + problem.start, name + problem.end, problem.message))
        found = [each for each in check(text, "gadget") if each.code in OF_PROBLEMS]
        assert [(each.code, each.start, each.end) for each in found] == [each[:3] for each in wanted], text
        for each, (*_, message) in zip(found, wanted, strict=True):
            assert has_words(each.message, message) or str(each.message) == message, text


def test_an_editor_shows_what_a_plan_tells() -> None:
    headers = (
        *("A:a", "B:b:a", "C:c:a,b", "D:d:d", "E:e:f", "F:f:e", "G:g:x", "H:h:h,x", "A:a:b", "N"),
        *("M:gadget_1", "I:i:gadget_1"),
    )
    for number in range(DOCUMENTS):
        chance = random.Random(number)
        text = "".join(
            f"!!!GADGET_START:{each}\n!!!GADGET_END\n" for each in chance.sample(headers, chance.randint(1, 6))
        )
        streamed, _ = read(text)
        told = plan(streamed)
        found: dict[str, list[Finding]] = {}
        for each in check(text, "gadget"):
            found.setdefault(each.code, []).append(each)
        assert {each.data["id"] for each in found.get("G110", ())} == {*told.duplicates}, text
        if told.duplicates:
            continue  # of two calls with one id, a plan sees the first alone
        assert {each.data["id"] for each in found.get("G113", ())} == {*told.self_dependent}, text
        assert {each.data["dependency"] for each in found.get("G111", ())} == {*told.unknown}, text
        on_cycles = {name for cycle in told.cycles for name in cycle}
        assert {each.data["id"] for each in found.get("G112", ())} == on_cycles, text
        messages = [each.message for code in OF_PLAN for each in found.get(code, ())]
        for unresolved in told.unresolved.values():
            # a call that waits for one on a cycle is reported there
            if unresolved.reason != "cycle":
                assert any(has_words(each, unresolved.message) for each in messages), (text, unresolved)
