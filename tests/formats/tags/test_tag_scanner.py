from __future__ import annotations

from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta, kinds
from llmblocks.tags.scanner import LIST, TagScanner
from llmblocks.tags.syntax import parse_attributes

LISTED = frozenset((kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE))


def shown(text: str, *names: str) -> list[tuple[str, str]]:
    document = Document(TagScanner(names or NAMES), text)
    at = 0
    found = []
    for kind, width in document.tokens():
        found.append((kind.name, text[at : at + width]))
        at += width
    return found


def test_a_block_and_its_attributes() -> None:
    assert shown("a<think k=\"v\" b='w'c = 1 d>x</think>y") == [
        ("text", "a"), ("opening-bracket", "<"), ("tag-name", "think"), ("gap", " "),
        ("attribute", "k"), ("equals", "="), ("quote", '"'), ("attribute-value", "v"), ("quote", '"'), ("gap", " "),
        ("attribute", "b"), ("equals", "="), ("quote", "'"), ("attribute-value", "w"), ("quote", "'"),
        ("attribute", "c"), ("gap", " "), ("equals", "="), ("gap", " "), ("attribute-value", "1"), ("gap", " "),
        ("attribute", "d"), ("opened", ">"), ("content", "x"), ("closing-bracket", "</"), ("tag-name", "think"),
        ("closed", ">"), ("text", "y"),
    ]  # fmt: skip


def test_a_slash_before_the_bracket_closes_also_inside_a_quoted_value() -> None:
    assert shown('<done a="x/>')[-3:] == [("quote", '"'), ("attribute-value", "x"), ("self-closed", "/>")]
    assert shown("<done/>")[-2:] == [("tag-name", "done"), ("self-closed", "/>")]
    assert shown("<done/ >")[-2:] == [("gap", "/ "), ("opened", ">")]


def test_no_registered_tags_is_all_text() -> None:
    assert [name for name, _ in shown("<think>x</think><", "1t")] == ["text"]


def seen(section: Section) -> list[object]:
    """Return the stream's output for a section."""
    out: list[object] = []
    tag = listed = content = ""
    opened = False
    for kind, start, end in section.spans():
        text = section.text[start:end]
        if kind is kinds.TEXT:
            out.append(TextDelta(text))
        elif kind is kinds.OPENING:
            tag = listed = content = ""
        elif kind is kinds.NAME:
            tag = text
        elif kind in LISTED:
            listed += text
        elif kind is kinds.CONTENT:
            content = text
        elif kind is kinds.SELF_CLOSED:
            out.append(CustomBlock(tag, "", parse_attributes(listed), True))
        elif kind is kinds.OPENED:
            opened = True
        elif kind is kinds.CLOSED:
            out.append(CustomBlock(tag, content, parse_attributes(listed)))
            opened = False
    if opened:
        out.append(CustomBlock(tag, content, parse_attributes(listed)))
    elif section.after.mode == LIST:
        # The stream gives the white space after the name back as one blank.
        space = listed[:1] in tuple(" \t\n\r")
        out.append(TextDelta(f"<{tag} {listed[1:] if space else listed}"))
    return out


@given(texts)
def test_the_scanner_agrees_with_the_stream(text: str) -> None:
    stream = TagStream({name: TagHandler() for name in NAMES})
    deltas = stream.feed(text) + stream.flush()
    said = [delta for delta in deltas if isinstance(delta, TextDelta | CustomBlock)]
    document = Document(TagScanner(NAMES), text)
    scanned = [each for section in document.sections for each in seen(section)]
    assert "".join(d.delta for d in said if isinstance(d, TextDelta)) == "".join(
        d.delta for d in scanned if isinstance(d, TextDelta)
    )
    assert [d for d in said if isinstance(d, CustomBlock)] == [d for d in scanned if isinstance(d, CustomBlock)]
