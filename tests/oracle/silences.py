"""Comments that silence findings, by going through all findings for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from llmblocks.rules.names import NAMES
from oracle.found import WARNING, Found
from oracle.tokens import RESET, Token

UNUSED = "C010"
_SAYS = re.compile(r"llmblocks:[ \t]*(?:ignore(-file)?(?:[ \t]*\[([^\[\]\n]*)\])?(?![^ \t\r])|(\S*))")
_COMMENT = re.compile(r"<!--[ \t]*(llmblocks:(?:(?!-->)[^\n])*)-->")


def after(text: str, tokens: list[Token], found: list[Found], language_id: str) -> list[Found]:
    """What is left of some findings, and what is wrong with the comments."""
    left = list(found)
    told: list[Found] = []
    comments = [*_comments(text, tokens, language_id)]
    # the comment nearest to a finding counts, and one for the whole text least of all
    of_files = [each for each in comments if "ignore-file" in each[2]]
    for start, end, says, offset in [*[each for each in comments if each not in of_files][::-1], *of_files]:
        stated = _SAYS.match(says)
        assert stated, "a comment of ours"
        of_file, codes, unread = stated.groups()
        if unread is not None or (codes is not None and not codes.strip(" ,\t")):
            told.append(Found(start, end, "C011", ".* is not a way to silence findings — .*", (), WARNING))
            continue
        until = len(text) + 1 if of_file else _reach(text, tokens, end, language_id)
        first = -1 if of_file else end
        unused = []
        parts = [*re.finditer(r"[^\s,](?:[^,]*[^\s,])?", codes)] if codes is not None else [None]
        for part in sorted(parts, key=lambda part: -len(part[0] if part else "")):
            code = "" if part is None else part[0].upper()
            at = offset + stated.start(2)
            place = (start, end) if part is None else (at + part.start(), at + part.end())
            if not any(each.startswith(code) for each in NAMES):
                told.append(Found(*place, "C011", "No rule has the code or name .* — .*", (), WARNING))
                continue
            silenced = [each for each in left if first <= each.start < until and each.code.startswith(code)]
            left = [each for each in left if each not in silenced]
            if not silenced:
                unused.append(place)
        if len(unused) == len(parts):
            unused = [(start, end)]
        told += [Found(*place, UNUSED, ".* silences nothing.* — .*", (), WARNING) for place in unused]
    return sorted([*left, *told], key=lambda each: each[:3])


def _comments(text: str, tokens: list[Token], language_id: str) -> Iterator[tuple[int, int, str, int]]:
    for token in tokens:
        written = text[token.start : token.end]
        if language_id == "stf" and token.kind == "comment-line":
            says = written[2 if written[:2] == "//" else 1 :].lstrip(" \t")
            start = text.rfind("\n", 0, token.start) + 1
            start += text.startswith("\ufeff", start)
            if says.startswith("llmblocks:"):
                yield start, token.end, says, token.end - len(says)
        elif language_id == "custom-blocks" and token.kind == "text":
            for comment in _COMMENT.finditer(text, token.start, token.end):
                yield *comment.span(), comment[1].rstrip(" \t"), comment.start(1)


def _reach(text: str, tokens: list[Token], end: int, language_id: str) -> int:
    behind = [token for token in tokens if token.end > end or (token.kind == RESET and token.start >= end)]
    if language_id == "stf":
        begun = False
        for before, token in pairwise(behind):
            if token.kind == RESET and (begun or before.kind in ("message-name", "raw-name")):
                if begun:
                    return text.rfind("\n", 0, before.start) + 1
                begun = True
        return len(text) + 1
    kinds = {at: token.kind for token in behind for at in range(token.start, token.end)}
    line = word = False
    for at in range(end, len(text)):
        outside = kinds[at] == "text"
        if text[at] == "\n" and outside and word:
            return at + 1
        word = word or (line and (not outside or text[at] not in " \t\r\n"))
        line = line or (text[at] == "\n" and outside)
    return len(text) + 1
