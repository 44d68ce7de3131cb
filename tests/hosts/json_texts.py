"""Texts as strings of JSON, with escapes as any program may write them."""

from __future__ import annotations

import json

from hypothesis import strategies as st

_MUST = frozenset(map(chr, range(32))) | {'"', "\\"}


@st.composite
def strings(draw: st.DrawFn, text: str) -> str:
    """Return a string of JSON for a text."""
    return f'"{"".join([draw(_character(each)) for each in text])}"'


def _character(char: str) -> st.SearchStrategy[str]:
    forms = [json.dumps(char)[1:-1], json.dumps(char, ensure_ascii=True)[1:-1]]
    if char not in _MUST:
        forms += [char] * 8
    if ord(char) < 0x10000:
        forms.append(f"\\u{ord(char):04X}")
    if char == "/":
        forms.append("\\/")
    return st.sampled_from(forms)
