"""Texts made of marker pieces: what a scanner can trip over, joined at random."""

from __future__ import annotations

from hypothesis import strategies as st

PLAIN = (
    *("a", "word", " ", "\t", "\n", "\n", "\r", "\r\n", "\u2028", "\x85", "\x00", "\U0001f600", "e\u0301"),
    *("\ud800", ":", "/"),
)
GADGET = (
    *("!!!GADGET_START:", "!!!GADGET_END", "!!!ARG:", "\n!!!GADGET_START:Write:w1:a,b\n"),
    *("\n!!!ARG:path/0\n", "!!!ARG:a", "!!!GAD", "!!!", "!", "GET_END", "```"),
)
TODO = (
    *("# ", "\n# list\n", "\n- [ ] a\n", "\n- [x] b", "- [", "- [ ", "\n- [ ] ", "\n// c\n", "/", "//", "#"),
    *("-", "\n- ["),
)
STF = (
    *("\ufeff", "@", "\n@", "\n@@", "\n@user\n", "\n@ai name=x\n", "\n@msg {role: 'user'}\n", "\n@/*"),
    *("\n@ */", "\n@# note\n", "\n@ // note", "\n@raw\n", "\n@call name=f\n", "\n@embed\n", "\n@end\n"),
    *("\n;user\n", "\n;/*", "\n;*/", "\n;meta\n", "\n;end\n", "\n;flush\n", ";;", "user", "en", "@/", "@*"),
    *("{role:", '"', "\n@USER", "\n@2", "@ \t"),
)
REQUEST = (
    *("=== USER ===", "\n=== USER ===\n", "\n=== ASSISTANT ===\n", "\n=== SYSTEM ===\r\n", "=== "),
    *("=== ASSIST", " ===", "=", "\n=== USER ===\nResult (w1): ", "Result (", "w1", "): ", ")"),
    *("\n[Media: m (image)]\n", "[Med", "]"),
)
ROLES = (
    *("\n@msg\n", "\n@msg role=tool\n", "\n@message role='critic'\n", "\n@message", "\n@tool\n", "\n@sys\n"),
    *(" role=ai", "\n@raw\n{}\n@end\n"),
)
"""Settings that change the formats of messages by role, or none."""
TAGS = (
    *("<think>", "</think>", "<thi", "</thi", "</", "<", ">", "/>", "nk>", "<debug-info a=1 b='x'"),
    *("</debug-info>", "<<think>", "</think >", "<b>", '"', " x="),
)


def texts(*groups: tuple[str, ...], longest: int = 24) -> st.SearchStrategy[str]:
    """Texts of up to `longest` pieces of the given groups and of plain text."""
    pieces = [piece for group in groups for piece in group]
    return st.lists(st.sampled_from([*pieces, *PLAIN]), max_size=longest).map("".join)
