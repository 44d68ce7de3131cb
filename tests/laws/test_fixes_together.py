"""Mistakes of different rules near each other: no order of their fixes keeps more than the one in which they are made.

`make test` asks about each pair, in one call and in neighbouring ones; of calls in chats and in fences, about some.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import NamedTuple

import pytest

from examples import LAWS
from llmblocks import check, fix
from llmblocks.cli.explain import settings_of
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.settings.rule_names import RULES
from llmblocks.tags.rules import T102_MISSING_ATTRIBUTE

CHOSEN = settings_of(T102_MISSING_ATTRIBUTE)._replace(
    gadgets=Gadgets(read_gadgets(SEARCH.replace('"order"', '"tags": {"type": "array"}, "order"')).gadgets)
)
OTHERS = """\
!!!GADGET_START:Search:r1
!!!ARG:query
one
!!!GADGET_END
!!!GADGET_START:Search:r2
!!!ARG:query
two
!!!GADGET_END
"""
CALL = """\
!!!GADGET_START:Search:s1:r1,r2
!!!ARG:query
notes
!!!ARG:limit
3
!!!ARG:tags/0
red
!!!ARG:tags/1
blue
!!!GADGET_END
"""
BLOCK = '<artifact type="code" title=plan>x</artifact>\n'
CHAT = "@user name=ada id=u1\nhello\n@assistant\n"
DOCUMENT = OTHERS + CALL + BLOCK + "the end\n"


class Mistake(NamedTuple):
    """A mistake. In a text without it, `right` becomes `wrong`."""

    code: str
    right: str
    wrong: str


MISTAKES = [
    Mistake(*each)
    for each in (
        ("G003", "!!!ARG:limit", "!!!arg:limit"),
        ("G012", "!!!GADGET_START:Search:s", "!!!GADGET_STRT:Search:s"),
        ("G012", "!!!ARG:tags/0", "!!!AGR:tags/0"),
        ("G012", "blue\n!!!GADGET_END", "blue\n!!!GADGET_EDN"),
        ("G005", "blue\n!!!GADGET_END\n", "blue\n!!!GADGET_END\n!!!GADGET_END\n"),
        ("G006", "blue\n!!!GADGET_END\n", "blue\n!!!GADGET_ENDDone.\n"),
        ("G007", "notes\n", "notes "),
        ("G008", "blue\n!!!GADGET_END\n", "blue\n"),
        ("G009", ":r1,r2", ":r1:r2"),
        ("G101", "!!!ARG:tags/0\n", "!!!ARG:limit\n4\n!!!ARG:tags/0\n"),
        ("G101", "!!!ARG:tags/0\n", "!!!ARG:limit\n3\n!!!ARG:tags/0\n"),
        ("G101", "tags/1", "tags/0"),
        ("G102", "tags/1", "tags/2"),
        ("G108", "tags/", "tags//"),
        ("G109", "tags/1", "tags/01"),
        ("G110", "Search:s1", "Search:r1"),
        ("G111", ",r2", ",r9"),
        ("G113", ",r2", ",s1"),
        ("G114", ",r2", ",r1"),
        ("G115", "blue\n", "```\nblue\n```\n"),
        ("G117", "red\n", "red\r\n"),
        ("G201", "Search:s", "Serach:s"),
        ("G202", ":limit", ":limt"),
        ("G203", "!!!ARG:query\nnotes\n", ""),
        ("G205", "!!!ARG:tags/0\n", "!!!ARG:order\nnewst\n!!!ARG:tags/0\n"),
        ("T001", "x</artifact>", "x"),
        ("T002", "the end", "the</artifact> end"),
        ("T003", "</artifact>", "</artifact >"),
        ("T004", "<artifact", "<artefact"),
        ("T004", "</artifact", "</artefact"),
        ("T007", " title=plan", " title=plan title=plan"),
        ("T008", "title=plan", "title=a/plan"),
        ("T010", "x</artifact>", '</artifact><artifact type="code" / >'),
        ("T101", "title=", "titel="),
        ("T102", ' type="code"', ""),
    )
]
OF_CHATS = [
    Mistake(*each)
    for each in (
        ("S001", "hello\n", "hello\n@*/\n"),
        ("S002", "@assistant\n", "@/* note\n@assistant\n"),
        ("S003", "@assistant", "@assistent"),
        ("S004", "@user", "@User"),
        ("S005", "hello\n", "hello\n@42\n"),
        ("S006", "hello\n", "hello\n@end\n"),
        ("S007", "the end\n", "the end\n@raw\n{role: 'user', content: 'x'}\n"),
        ("S009", "@user", "early\n@user"),
        ("S104", "id=u1\n", "id='u1\n"),
        ("S105", " id=u1", " id=u1 id=u1"),
        ("S108", "name=", "nmae="),
        ("S109", "id=u1", "id=u1'"),
        ("S110", "name=ada id", "name='ada'id"),
        ("S206", "@assistant\n", "@assistant {id: '1', id: '2'}\n"),
        ("C010", "hello\n", "@# llmblocks: ignore[S203]\nhello\n"),
        ("S301", "hello\n", "hello\r\n"),
        ("S303", "@user", "\ufeff@user"),
    )
]
EVERY = [*OF_CHATS, *MISTAKES]
COMPLETION = """\
<think>
I look.
</think>
<tool_call>
{"name": "get", "arguments": {"city": "Paris"}}
</tool_call>
<tool_call>
{"name": "get", "arguments": {"city": "Rome"}}
</tool_call>
"""
OF_COMPLETIONS = [
    Mistake(*each)
    for each in (
        ("M001", '"Rome"}}\n</tool_call>\n', '"Rome"}}\n'),
        ("M002", '"Paris"}}\n</tool_call>\n', '"Paris"}}\n</tool_call>\n</tool_call>\n'),
        ("M003", "<think>\n", ""),
        ("M005", '"Paris"}}', '"Paris"}'),
        ("M005", '"Rome"}}', '"Rome"'),
        ("M009", "<think>", "<Think>"),
        ("M009", "<tool_call>", "<tool_cal>"),
    )
]


def made(text: str, mistakes: Iterable[Mistake]) -> str | None:
    """Return a text with some mistakes; None where one leaves no place for another."""
    for _, right, wrong in mistakes:
        if right not in text:
            return None
        text = text.replace(right, wrong, 1)
    return text


def documents(mistakes: tuple[Mistake, ...], language_id: str) -> Iterator[tuple[str, str]]:
    """Yield the mistakes in one call, and in neighbouring ones, each with the document without them."""
    if language_id == "completion":
        text = made(COMPLETION, mistakes)
        if text is not None:
            yield text, COMPLETION
        return
    chat = CHAT if language_id == "stf" else ""
    before, behind = chat + OTHERS, BLOCK + "the end\n"
    second = chat + CALL.replace(":s1", ":s2") + behind
    together = before + CALL + behind
    near = made(before + CALL + BLOCK, mistakes[:1]), made(second, mistakes[1:])
    for text, right in (
        (made(together, mistakes), together),
        (near[0] + near[1] if near[0] and near[1] else None, before + CALL + BLOCK + second),
    ):
        if text is not None:
            yield (f"# Notes\n```gadget\n{text}```\n", right) if language_id == "markdown" else (text, right)


def kept(text: str) -> Counter[str]:
    """Return the markers, commands, tags and words of a text."""
    return Counter(re.findall(r"!!!\w+:?|</?\w+|@\w+|\w+", text))


def assert_no_order_keeps_more(text: str, right: str, language_id: str, mistakes: Iterable[Mistake]) -> None:
    def run(text: str, codes: tuple[str, ...] = (), *, unsafe: bool = True) -> str:
        return fix(text, language_id, unsafe=unsafe, select=codes, settings=CHOSEN).text

    safe = run(text, unsafe=False)
    results = {run(each) for each in {text, safe}}
    if all(not ((kept(text) & kept(right)) - kept(each)) for each in results):
        return  # all that was right is there
    lefts = {each: len(check(each, language_id, CHOSEN)) for each in results}
    for codes in permutations(sorted({each.code for each in mistakes})):
        other = text
        for code in codes:
            other = run(other, (code,))
        known = kept(other)
        for each, left in lefts.items():
            if known > kept(each) and len(check(other, language_id, CHOSEN)) <= left:
                pytest.fail(f"{codes} keeps {known - kept(each)} of\n{text}\n-> {other}\nnot\n{each}")


def drawn(groups: Iterable[tuple[Mistake, ...]], most: int) -> list[tuple[Mistake, ...]]:
    """At most this many groups of mistakes of different rules; fewer while developing."""
    different = [each for each in groups if len({one.code for one in each}) == len(each)]
    return random.Random(1).sample(different, min(max(most * LAWS // 1000, 15), len(different)))


PAIRS = {
    "gadget": drawn(combinations(MISTAKES, 2), 2000),
    "stf": drawn([each for each in combinations(EVERY, 2) if each[0] in OF_CHATS], 2000),
    "markdown": drawn(combinations(MISTAKES, 2), 60),
    "completion": drawn(combinations(OF_COMPLETIONS, 2), 2000),
}
"""In `make test`, all pairs: the pairs of mistakes in calls as calls. In chats, their threes are drawn."""


def threes(language_id: str) -> list[tuple[Mistake, ...]]:
    some = {"stf": EVERY, "completion": OF_COMPLETIONS}.get(language_id, MISTAKES)
    return drawn(combinations(some, 3), 200)


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("language_id", PAIRS)
def test_mistakes_keep_all_that_any_order_keeps(language_id: str, number: int) -> None:
    for mistakes in PAIRS[language_id] if number == 2 else threes(language_id):
        for text, right in documents(mistakes, language_id):
            assert_no_order_keeps_more(text, right, language_id, mistakes)


def test_each_rule_with_a_fix_has_a_mistake_that_it_finds() -> None:
    found = {code for code, *_ in EVERY + OF_COMPLETIONS}
    assert found == {rule.code for rule in RULES if rule.fix}
    for mistake in EVERY + OF_COMPLETIONS:
        language_id, right = ("stf", CHAT + DOCUMENT) if mistake in OF_CHATS else ("gadget", DOCUMENT)
        if mistake in OF_COMPLETIONS:
            language_id, right = "completion", COMPLETION
        text = made(right, [mistake])
        assert text is not None
        assert mistake.code in {each.code for each in check(text, language_id, CHOSEN)}, mistake
