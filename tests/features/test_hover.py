"""All hovers of all kinds of tokens, in all states, as a person reads them.

`LLMBLOCKS_GOLDEN=1 pytest tests/features/test_hover.py` writes the golden file again: read it aloud.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest

from laws.completions import GOOD
from llmblocks.core.scan import Kind
from llmblocks.features.hover import Hover, hover, received
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import LANGUAGES, find_language
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.tags.syntax import Attribute, Tag
from marked import asked

GOLDEN = Path(__file__).parent / "golden" / "hovers.txt"
START, END = "!!!GADGET_START:", "!!!GADGET_END\n"
READ = GadgetSchema(
    "Read",
    "Reads a file.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The path of the file."},
            "lines": {"type": "integer", "minimum": 1, "description": "How many lines to read."},
            "mode": {"enum": ["text", "bytes"]},
            "all": {"type": "boolean"},
            "tail": {"type": "integer", "default": 3},
        },
        "required": ["path"],
        "additionalProperties": False,
    },
)
THINK = Tag("think", "What the model thinks.", (Attribute("depth", True, "How deep.", ("1", "2")), Attribute("by")))
SCHEMAS = Settings(gadgets=Gadgets((READ,)), declared_tags=(THINK,))


class State(NamedTuple):
    """A text in a state."""

    title: str
    language_id: str
    text: str
    settings: Settings = SCHEMAS


def call(header: str, *arguments: str, end: str = END) -> str:
    return f"{START}{header}\n" + "".join(f"!!!ARG:{each}\n" for each in arguments) + end


_MOST_READ = 60
LONG = call("Read:r1", *[f"path\n{'x' * 70}\n" for _ in range(1000)])
STATES = (
    State("a call that runs", "gadget", call("Read:r1", "path\n12", "lines\n4", "all\ntrue", "mode\ntext")),
    State("no schema", "gadget", "hm " + call("Write:w1", "path\na\nb", "lines\n4", "x/y\n"), DEFAULTS),
    State("a call without an id, an end or arguments", "gadget", call("Write", end=""), DEFAULTS),
    State("rejected for its pointers", "gadget", call("Read:r1", "path\na", "path\nb"), DEFAULTS),
    State("rejected by its schema", "gadget", call("Read:r1", "lines\nmany")),
    State("an unknown gadget", "gadget", call("Reed:r1", "path\na")),
    State("an unknown parameter, and one without a name", "gadget", call("Read:r1", "path\na", "size\n3", "\nlost")),
    State("a dropped parameter of a rejected call", "gadget", call("Read", "pth\nx", "lines\n1")),
    State("no name", "gadget", call("")),
    State("a number for an id", "gadget", call("H") + call("A:a:gadget_1") + call("B:b:gadget_2"), DEFAULTS),
    State("skipped, and the reason", "gadget", call("A:a", "x\n1", "x\n1") + call("B:b:a", "y\n2"), DEFAULTS),
    State("never run", "gadget", call("A:a:gone") + call("B:b:b") + call("C:c:d") + call("D:d:c"), DEFAULTS),
    State("several waves", "gadget", call("A:a") + call("B:b:a") + call("C:c:a,b"), DEFAULTS),
    State(
        "what is lost of values",
        "gadget",
        call("A", "a\nx\r y", "b\n12345678901234567890", "c\n```py\nx\n```") + call("A", "a\nx  "),
        DEFAULTS,
    ),
    State("too long", "gadget", LONG),
    State(
        "outside of calls, and not finished", "gadget", f"!!!ARG:x {START}A:a\nwhat is this?\n{END}{START}G", DEFAULTS
    ),
    State("a call in a chat", "stf", "@ai\n" + call("Read:r1", "path\n12") + "@ai\n" + call("Read:r2:r1", "path\n1")),
    State(
        "commands",
        "stf",
        "@system\nx\n@ai name=Ada size=3 who='a\\tb'\n@@hi\n@flush\n@# so\n@/*\n@*/\n@*/\n@end\n@usr\n@meta\n",
    ),
    State(
        "data",
        "stf",
        "@raw\n{role: 'user', content: 1e2}\n@end\n@ai\n@call name=f\n{a: [1, 0x10,]}\n@call name=g\n{a\n",
    ),
    State("data of another dialect", "stf", ";meta\n{a: 1}\n;end\n;user\nhi\n;extra\n{}\n;what\n;end\n;flush\n"),
    State("blocks", "custom-blocks", "a <think depth=2 for=me>b</think> <think depth=''/> </think> <think by=x>c"),
    State(
        "a request",
        "request",
        "=== SYSTEM ===\nWrite\n"
        + call("Read:r1", "path\na")
        + "\n=== ASSISTANT ===\n"
        + call("Read:r1", "path\na")
        + "\n=== USER ===\nResult (r1): done\n[Media: m1 (image) → saved to: /tmp/m1.png]\n"
        + "\n=== USER ===\nResult (r9): lost\n",
    ),
    State("a completion", "completion", "<think>x</think><tool_call>{}</tool_call><tool_call>{</tool_call><think>y"),
    State(
        "delimiters over several lines",
        "completion",
        GOOD["deepseek-v3.2"][0],
        SCHEMAS._replace(template="deepseek-v3.2"),
    ),
    State(
        "arguments with the types of their schema",
        "completion",
        '<tool_call>{"name": "Read", "arguments": {"path": "a", "lines": "4"}}</tool_call>',
    ),
    State("a tag that is not finished", "custom-blocks", "a <think depth=2"),
)


def read(state: State) -> Iterator[tuple[Kind, str, str]]:
    """Yield the kind, the text and the hover of each token that has one."""
    language = find_language(state.language_id)
    document = language.open(state.text, state.settings)
    tokens = document.tokens()
    placed = [*zip(tokens, accumulate(token.width for token in tokens), strict=True)]
    # those in the middle of a long call are alike
    del placed[_MOST_READ:-_MOST_READ]
    for (kind, width), end in placed:
        at = end - (width + 1) // 2
        found = hover(Ask(document, language, state.settings, at, at)) if width else None
        if found is not None:
            yield kind, state.text[found.start : found.end], found.text


def test_all_hovers_are_as_they_were_read_aloud() -> None:
    seen: set[Kind] = set()
    parts = []
    for state in STATES:
        parts.append(f"===== {state.title}\n")
        last = ""
        for kind, about, text in read(state):
            seen.add(kind)
            if text != last:
                about = about if len(about) < 60 else f"{about[:57]}…"
                parts.append(f"----- {kind.name}: {about!r}\n{text}\n")
            last = text
    found = "".join(parts)
    if os.environ.get("LLMBLOCKS_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(found, "utf-8", newline="\n")
    assert found == GOLDEN.read_text("utf-8")
    assert {kind for language in LANGUAGES for kind in language.hover} - seen == set()


@pytest.mark.parametrize("state", [each for each in STATES if each.text != LONG], ids=lambda state: state.title)
def test_a_text_in_another_is_explained_as_one_alone(state: State) -> None:
    around = {"gadget": (("stf", "@ai\n"), ("gadget", "Hi\n")), "custom-blocks": (("stf", "@ai\n"), ("gadget", "Hi "))}
    alone = [*read(state)]
    for language_id, front in around.get(state.language_id, ()):
        inside = read(state._replace(language_id=language_id, text=f"{front}{state.text}"))
        assert [*inside][-len(alone) :] == alone


def explained(marked: str, language_id: str, settings: Settings = SCHEMAS) -> Hover | None:
    return hover(asked(marked, language_id, settings))


def words(marked: str, language_id: str) -> str:
    found = explained(marked, language_id)
    return found.text if found else ""


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        (call("Read:a") + call("Read:b:$0a"), "`a`: call of `Read` in this response, rejected: "),
        (call("Read:a") + call("Read:b:x,a$0"), "`a`: call of `Read` in this response, rejected: "),
        (call("Read:b:g$0one"), "`gone`: no call of this response or an earlier one has this id"),
        (call("H") + call("Read:b:gad$0get_1"), "`gadget_1`: call of `H`"),
        ("@ai\n" + call("Read:a") + "@ai\n" + call("Read:b:a$0"), "`a`: call of `Read` in an earlier response, "),
        # at the id of the call itself, dependencies are not shown
        (call("Read:a") + call("Read:b$0:a"), "`Read b`: gadget call, "),
        ("@user na$0me='Ada'\nhi\n", "`name` of `@user`: text, 3 characters"),
        ("@user name='A$0da'\nhi\n", "`name` of `@user`: text, 3 characters"),
        ("@ai\n@call {name: 'f', i$0d: '1'}\n{}\n", "`id` of `@call`: text, 1 character"),
        ("@user x$0yz=1\n", "`xyz` of `@user`: text, 1 character\n\nIt has no effect: `@user` does not read it."),
        ("@raw\n{role: $0}\n@end\n", "JSON5 that cannot be read: invalid character"),
        ("@user\nplain te$0xt\n", ""),
    ],
)
def test_a_part_of_a_line_is_explained_by_itself(marked: str, says: str) -> None:
    found = words(marked if marked.startswith("@") else f"@ai\n{marked}", "stf")
    assert found.startswith(says) if says else not found


def test_a_value_that_is_nested_too_deeply_is_not_shown() -> None:
    ask = asked(call("$0G", f"{'a/' * 997}b\n1"), "gadget")
    assert "A value is nested too deeply to be written as JSON." in str(hover(ask))
    assert "A value is nested too deeply to be written as JSON." in str(received(ask))


def test_a_large_value_is_cut_with_a_note() -> None:
    assert re.search("x{1000,2500}[^x]*more characters.", words(call("Read:$0r1", f"path\n{'x' * 5000}"), "gadget"))


@pytest.mark.parametrize("around", ["{}", "@user\n{}", "!!!GADGET_START:A\n!!!GADGET_END\n{}"])
def test_a_tag_that_is_not_registered_is_explained_on_its_line(around: str) -> None:
    language_id = "stf" if around.startswith("@") else "gadget"
    text = around.format("one\nsee <cita$0tion n=1>x</citation>, <b> and 1 < 2\nthree\n")
    found = explained(text, language_id)
    assert found is not None
    assert found.text == "`citation` is not a registered tag: it is text.\n\nA quick fix registers it in the settings."
    assert text.replace("$0", "")[found.start : found.end] == "see <citation n=1>x</citation>, <b> and 1 < 2"
    for other in ("<$0b>", "1 <$0 2", "$0see"):
        plain = text.replace("$0", "")
        assert explained(plain.replace(other.replace("$0", ""), other), language_id) is None


def test_a_long_block_is_closed_where_it_ends() -> None:
    for before in ("", "some words " * 5_000):
        block = before + "<think by=me>\n" + "x\n" * 30_000 + "</think>\n"
        said = words(block.replace("<think", "<th$0ink"), "custom-blocks")
        assert "`by` = `me`" in said
        assert "Nothing closes it" not in said
        assert "End of the custom block `think`." in words(block.replace("</think", "</th$0ink"), "custom-blocks")


def test_the_mark_of_a_long_value_is_cut_around_the_position() -> None:
    text = call("G", "a\n" + "some text\n" * 6000)
    found = [explained(text[:at] + "$0" + text[at:], "gadget") for at in range(20_000, 40_000, 1111)]
    assert {each and each.end - each.start for each in found} == {8192}
