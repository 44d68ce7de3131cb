"""Gadget texts made of marker pieces, and chunkings of them."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = (
    *("path", "a", "b", "items/0", "items/1", "items/2", "cfg/x", "cfg/y", "0", " spaced ", "a/", "/a", "list/0"),
    " a / b ",
)
VALUES = (
    *("", "text", "42", "-7", "3.14", "007", "1e5", "true", " false ", "True", "null", "two\nlines", " 3.50 "),
    *("blank\n\n\nlines", "def f():\n    return 1\n", "  indented", "trailing  ", "```py\nx\n```"),
    *(
        "not !!! a marker",
        "!!!GADGET_STAR",
        "!!!ARGS",
        "9007199254740993",
        "\ufeff1",
        "\x1c1",
        "é😀漢",
        "line\r\nline\r",
    ),
)
HEADERS = ("G", "H:i", "Sum:s1:a,b", "X : y : c , d,c", "N::", ":i", "G:i:a:b,a", "É\r")
PIECES = [
    *("!!!GADGET_START:", "!!!GADGET_END", "!!!GADGET_END\n", "!!!ARG:", "!!!", "!", "!!!GAD", "GET_", "START:", "END"),
    *("!!!AR", "G:", "\n", "\n\n", "\r\n", "\r", ":", ",", "/", "0", "12345678901234567890", " ", "\t", "```"),
    *("```json\n", "\n```\n", "word", "two words", "\u2028", "\x85", "\0"),
    *[f"!!!GADGET_START:{header}\n" for header in HEADERS],
    *[f"!!!ARG:{name}\n" for name in NAMES],
    *VALUES,
]
arguments = st.builds("!!!ARG:{}\n{}\n".format, st.sampled_from(NAMES), st.sampled_from(VALUES))
calls = st.builds(
    "!!!GADGET_START:{}\n{}{}{}!!!GADGET_END\n".format,
    st.sampled_from(HEADERS),
    st.sampled_from(["", "", "```\n", "```YAML \n", "```python\n", "ignored\n"]),
    st.lists(arguments, max_size=4).map("".join),
    st.sampled_from(["", "", "```\n", "\n``` \n"]),
)
texts = st.lists(st.sampled_from([*PIECES, "\ud800", "\udc00"]), max_size=24).map("".join)
documents = st.lists(st.one_of(calls, calls, arguments, st.sampled_from(PIECES)), max_size=8).map("".join)
any_text = st.one_of(texts, documents, st.text(st.characters(), max_size=40))


@st.composite
def chunkings(draw: st.DrawFn, text: str) -> list[str]:
    size = draw(st.sampled_from([0, 0, 0, 1, 2, 3, 7, 64]))
    cuts = [*range(size, len(text), size)] if size else sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]
