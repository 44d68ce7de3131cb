"""Text made of the pieces that matter, and ways to cut it."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("think", "done", "t1", "debug-info")
_PIECES = (
    *(f"<{name}" for name in NAMES),
    *(f"<{name}>" for name in NAMES),
    *(f"</{name}>" for name in NAMES),
    *("<", "<<", "</", "</<", ">", "/", "/>", "//>", " ", "\n", "\r\n", "\t", " / >", "<1", "<-"),
    *("<thi", "nk>", "</thi", "<thinking>", "<Think>", "</THINK>", "</think >", "</think\n>", "<thé>", "<b>", "</b>"),
    *(' a="1"', " b='x y'", " c=3", " d", " e=", ' q="a>b"', ' a="x', " a='", " u=x/y", " =", " é=1", " __proto__=1"),
    *("text", "é😀", "\u00a0", "\u2028", "\ufeff", "\x1c", '"', "'", "=", "\ude00", "\x00"),
)
texts = st.lists(st.sampled_from(_PIECES), max_size=24).map("".join)


@st.composite
def chunks(draw: st.DrawFn) -> list[str]:
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]
