"""Comments that silence findings, by going through all findings for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from llmblocks.facts.silence import lookalikes
from llmblocks.settings.rule_names import NAMES
from oracle.tokens import RESET, WARNING, Found, Token

UNUSED = "C010"
_SAYS = re.compile(r"llmblocks:[ \t]*(?:ignore(-file)?(?:[ \t]*\[([^\[\]\n]*)\])?(?![^ \t\r])|(\S*))")
_HTML = re.compile(r"<!--((?:(?!-->)[^\n])*)(-->)?")


def after(text: str, tokens: list[Token], found: list[Found], language_id: str) -> list[Found]:
    """The unsilenced findings, and the problems of the comments."""
    left = list(found)
    told: list[Found] = []
    comments = []
    for start, end, says, offset, counts in _comments(text, tokens, language_id):
        stated = _SAYS.match(says) if counts else None
        if stated is not None and not _is_wrong(stated, says):
            comments.append((start, end, stated, offset))
        elif not counts or stated is not None or _is_like(says):
            told.append(Found(start, end, "C011", ".* is not a way to ignore findings — .*", (), WARNING))
    # the comment nearest to a finding counts, and one for the whole text least of all
    of_files = [each for each in comments if each[2][1]]
    for start, end, stated, offset in [*[each for each in comments if each not in of_files][::-1], *of_files]:
        of_file, codes, _ = stated.groups()
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
        told += [Found(*place, UNUSED, ".* ignores nothing.* — .*", (), WARNING) for place in unused]
    return sorted([*left, *told], key=lambda each: each[:3])


def _is_wrong(stated: re.Match[str], says: str) -> bool:
    """Return whether it is not understood, or names rules without brackets."""
    _, codes, unread = stated.groups()
    if unread is not None or codes is not None:
        return unread is not None or not codes.strip(" ,\t")
    words = re.findall(r"\w[\w-]*", says[stated.end() :])
    return any(re.fullmatch("[A-Za-z][0-9]{1,4}|[CGST]", word) or word.lower() in NAMES.values() for word in words)


def _is_like(says: str) -> bool:
    # which words look alike is a matter of taste: the product decides
    return any(lookalikes(says, 0, len(says), ""))


def _comments(text: str, tokens: list[Token], language_id: str) -> Iterator[tuple[int, int, str, int, bool]]:
    """Yield each comment: its place, what it says and where, and whether it may silence something there."""
    for token in tokens:
        written = text[token.start : token.end]
        if language_id == "stf" and token.kind == "comment-line":
            says = written[2 if written[:2] == "//" else 1 :].lstrip(" \t")
            start = text.rfind("\n", 0, token.start) + 1
            start += text.startswith("\ufeff", start)
            yield start, token.end, says, token.end - len(says), True
        elif language_id == "stf" and token.kind == "comment":
            for like in lookalikes(written, 0, len(written), ""):
                yield token.start + like.start, token.start + like.end, "", 0, False
        elif language_id != "gadget" and token.kind in ("text", "content", "untagged"):
            counts = language_id == "custom-blocks" and token.kind == "text"
            yield from _html(written, token.start, counts=counts)


def _html(written: str, at: int, *, counts: bool) -> Iterator[tuple[int, int, str, int, bool]]:
    for comment in _HTML.finditer(written):
        says = comment[1].strip(" \t")
        start = at + comment.start(1) + len(comment[1]) - len(comment[1].lstrip(" \t"))
        if comment[2] and counts:
            yield at + comment.start(), at + comment.end(), says, start, True
        elif comment[2]:
            if says.startswith("llmblocks:") or _is_like(says):
                yield at + comment.start(), at + comment.end(), "", 0, False
        else:
            for like in lookalikes(says, 0, len(says), ""):
                yield start + like.start, start + like.end, "", 0, False
            if says.rstrip(" \t\r") == "llmblocks:" and written[comment.end() : comment.end() + 1] == "\n":
                yield at + comment.start(), at + comment.start() + len(comment[0].rstrip()), "", 0, False


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
