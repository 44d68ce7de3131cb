"""A `@` text says the same with `\\r\\n` as with `\\n`: whole, in every two chunks, for every command and argument."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from formats.stf.random_chats import DOCUMENTS, document
from formats.stf.stf_pieces import Streamed, plain
from llmblocks import check as find_all
from llmblocks.core.places import Related
from llmblocks.facts.finding import Finding
from llmblocks.stf import Message, StfFinding, Transcript, decode
from llmblocks.stf.syntax.dialect import AT

ARGUMENTS = (
    "", " ", " id=1", " name=Jo", " call_id=c", " role=x", " type=image", " id=1 name=Jo", " id = 1 ", "\tname=Jo\t",
    " name='J D'", ' name="J"', " name=''", "{name:'Jo'}", " {id: '1', name: 'Jo', role: 'x'} // c", " foo=1",
    " name=日本", " id", " id=", " id= ", " =", " id=1 id=2", " name=x'", " name='x", " name='x'id='1'",
    " {", " {id:3}", " words only",
)  # fmt: skip
AFTER = (
    *("", "@ai\nhi\n", "hi\n", "\n", "{a:1}\n@# c\nhi\n", "@@x\n@/*\n@*/\n"),
    *("{role:'u',\ncontent:1}\n@end\n", "@\n@*/\n"),
)


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def told(findings: tuple[StfFinding, ...], text: str = "") -> list[Any]:
    """Findings, plainly; where a text is given, as they stand in the same text with `\\r\\n`."""

    def place(of: Finding | Related) -> tuple[int, int]:
        return of.start + text.count("\n", 0, of.start), of.end + text.count("\n", 0, of.end)

    return [(f.code, f.kind, f.message, f.line, place(f), [place(r) for r in f.related]) for f in findings]


def messages(transcript: Transcript | Streamed) -> list[Any]:
    return [plain(message.as_dict()) for message in transcript.messages]


def check(text: str, chunkings: list[list[str]], **options: Any) -> None:
    expected = decode(text, dialect="@", **options)
    values, findings = messages(expected), told(expected.findings, text)
    whole = decode(crlf(text), dialect="@", **options)
    assert (messages(whole), told(whole.findings)) == (values, findings)
    for chunks in chunkings:
        streamed = Streamed(chunks, dialect="@", **options)
        assert (messages(streamed), told(streamed.findings)) == (values, findings)


@pytest.mark.parametrize("name", [*AT.commands, "User", "unknown"])
def test_a_command_says_the_same_with_either_line_end(name: str) -> None:
    for arguments, after in product(ARGUMENTS, AFTER):
        for text in (f"@{name}{arguments}\n{after}", f"@ai\n@{name}{arguments}\n{after}@user\n"):
            check(text, [list(crlf(text))])


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_a_command_says_the_same_however_it_is_cut(arguments: str) -> None:
    for name in ("user", "msg", "call", "raw"):
        text = f"x\n@ai\n@{name}{arguments}\n{{a:1}}\n@@b\n\n@*/\nc\n@end\n@user name=Jo\n@ai\n"
        whole = crlf(text)
        check(text, [[whole[:cut], whole[cut:]] for cut in range(len(whole) + 1)])


def test_any_text_says_the_same_with_either_line_end() -> None:
    for number in range(DOCUMENTS * 10):
        text = re.sub(r"\r+\n", "\n", document(number))
        whole = crlf(text)
        cut = number % (len(whole) + 1)
        check(text, [list(whole), [whole[:cut], whole[cut:]]], default_role=(None, "user")[number % 2])


@pytest.mark.parametrize(("text", "name"), [("@user name=J\ro", "J\ro"), ("@user\r\n@ai name=\rJ\ro\r\n", "\rJ\ro")])
def test_a_return_inside_a_value_is_part_of_it(text: str, name: str) -> None:
    for read in (decode(text, dialect="@"), Streamed(list(text), dialect="@")):
        assert read.findings == ()
        assert read.messages[-1] == Message(read.messages[-1].role, name=name)


def test_what_is_wrong_at_a_line_end_of_a_block_is_marked_before_it() -> None:
    for text in ("@raw\n'\n@end\n", "@raw\r\n'\r\n@end\r\n"):
        # the text of the block ends with the line: what is missing is missing there
        (finding,) = decode(text + "@ai\n", dialect="@").findings
        assert finding.code == "S106"
    for newline in ("\n", "\r\n"):
        text = newline.join(("@raw", "'", "x", "@end", ""))
        (finding,) = decode(text, dialect="@").findings
        assert (finding.code, finding.start, finding.end) == ("S106", text.index("'") + 1, text.index("'") + 1)


@pytest.mark.parametrize("before", ["", "stray\r\n", "\r\n\r\n"])
def test_the_first_crlf_is_marked_also_before_what_tells_the_dialect(before: str) -> None:
    text = f"{before}@user\r\n@embed type=image\r\n https://a.b/c.png \r\n"
    (found,) = [each for each in find_all(text, "stf") if each.code == "S301"]
    assert (text[found.start : found.end], found.start) == ("\r\n", text.index("\r\n"))
