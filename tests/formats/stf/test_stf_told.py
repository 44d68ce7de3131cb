"""What an editor is told of command lines is what decoding finds there, to the letter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.core.document import Document
from llmblocks.core.finding import Finding
from llmblocks.stf import decode
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.problems import FACTS
from llmblocks.stf.editor.scanner import StfScanner

DOCUMENTS = LAWS
CODES = frozenset(
    ("S001", "S003", "S004", "S005", "S006", "S101", "S102", "S103", "S104", "S105", "S106", "S109", "S110")
)
READ_ON_DIFFERENTLY = frozenset(("S004", "S007", "S010"))
"""An editor reads on behind these, so as not to lose the rest of a file."""

names = st.sampled_from(
    [
        "user",
        "ai",
        "msg",
        "User",
        "END",
        "end",
        "raw",
        "call",
        "embed",
        "meta",
        "flush",
        "foo",
        "x" * 20,
        "",
        " user",
        "5",
    ]
)
keys = st.sampled_from(["name", "id", "role", "Name", "a", "1", "", "na-me"])
values = st.sampled_from(["=x", "='x'", '="x y"', "='x", "=x'", "=", "", " = x", "='\\1'", "='a\\'b'"])
arguments = st.lists(st.tuples(keys, values, st.sampled_from([" ", "", "\t"])).map("".join), max_size=3).map("".join)
braces = st.sampled_from(["{}", "{name: 'x'}", "{name:", "{name: [}", "{a: 1} x"])
rests = st.one_of(st.just(""), arguments.map(" ".__add__), braces.map(" ".__add__), arguments)
lines = st.one_of(
    st.tuples(st.sampled_from("@;"), names, rests).map("".join),
    st.sampled_from(["x", "", "@# x", ";// x", "@/* x", "@*/", ";*/", "@@x", ";;x", "@", "; ", "{a: 1}", "\ufeff"]),
)
texts = st.tuples(st.lists(lines, max_size=8), st.sampled_from(("\n", "\r\n")), st.booleans()).map(
    lambda made: made[1].join(made[0]) + made[1] * made[2]
)


def told(text: str, dialect: str) -> list[Finding]:
    """What the facts of the editor say, in the order of its places."""
    found = []
    scanner = StfScanner(dialect)  # type: ignore[arg-type]
    for placed in Document(scanner, text).placed():
        at = placed.start
        for piece in placed.section.pieces:
            found += [problem.finding(problem.kind.severity).moved(at) for problem in FACTS.local(piece)]
            at += piece.length
    return sorted(found, key=_order)


def _order(finding: Finding) -> tuple[int, int, str, str]:
    return finding.start, finding.end, finding.code, finding.message


def _end(text: str, finding: Finding) -> int:
    """Where a finding ends. A return is part of a line in the `;` dialect, and an editor leaves it out."""
    stripped = text[finding.start : finding.end].rstrip("\r") if finding.code == "S001" else ""
    return finding.start + len(stripped) if stripped else finding.end


@settings(max_examples=DOCUMENTS, deadline=None)
@given(texts, st.sampled_from("@;"))
def test_an_editor_is_told_of_command_lines_what_decoding_finds(text: str, dialect: str) -> None:
    findings = decode(text, dialect=dialect).findings
    if READ_ON_DIFFERENTLY & {finding.code for finding in findings}:
        return
    in_blocks = [
        (placed.start + span.start, placed.start + span.end)
        for placed in Document(StfScanner(dialect), text).placed()  # type: ignore[arg-type]
        for span in placed.section.spans()
        if span.kind in (kinds.BODY, kinds.COMMENT)
    ]
    # the JSON5 of a block, and the `;` dialect's lines inside a comment, are the decoder's alone
    expected = [
        Finding(each.code, each.start, _end(text, each), each.message, each.severity, each.related)
        for each in findings
        if each.code in CODES
        and not each.message.endswith("command does nothing")
        and not any(start <= each.start < end for start, end in in_blocks)
    ]
    assert told(text, dialect) == sorted(expected, key=_order)


def test_arguments_too_long_for_a_keystroke_are_left_to_the_decoder() -> None:
    text = f"@user name={'x' * 20_000}'\n"
    assert [finding.code for finding in decode(text).findings] == ["S109"]
    assert told(text, "@") == []


def test_a_piece_is_judged_by_what_is_in_front_of_it() -> None:
    section = Document(StfScanner("@"), "@raw\n@foo\n@end\n@foo\n").sections
    codes = [problem.kind.code for each in section for piece in each.pieces for problem in FACTS.local(piece)]
    assert codes == ["S003"]
