"""Answers for clients without Markdown."""

from __future__ import annotations

import re

from llmblocks.lsp.wire.rpc import Json

_FENCE = re.compile(r"^(`{3,}|~{3,}).*\n([\s\S]*?)^\1[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"(`+)(.+?)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
_STRONG = re.compile(r"(?<![\w*])(\*\*|\*)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def without_markup(answer: Json) -> Json:
    """Return the same answer with Markdown converted to plain text."""
    if isinstance(answer, list):
        return [without_markup(each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    if answer.get("kind") == "markdown" and isinstance(answer.get("value"), str):
        return {"kind": "plaintext", "value": plain(answer["value"])}
    return {name: without_markup(value) for name, value in answer.items()}


def plain(markdown: str) -> str:
    """Return the visible text of Markdown; code is unchanged, a link shows its target."""
    parts, place = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_inline(markdown[place : fence.start()]), fence[2].removesuffix("\n")]
        place = fence.end()
    return "".join([*parts, _inline(markdown[place:])])


def _inline(markdown: str) -> str:
    parts, place = [], 0
    for code in _CODE.finditer(markdown):
        inside = code[2]
        # a code span may be padded, so that it can begin or end with a backtick
        padded = len(inside) > 2 and inside[0] == inside[-1] == " " and inside.strip()
        parts += [_prose(markdown[place : code.start()]), inside[1:-1] if padded else inside]
        place = code.end()
    return "".join([*parts, _prose(markdown[place:])])


def _prose(markdown: str) -> str:
    text = _STRONG.sub(r"\2", _HEADING.sub("", _LINK.sub(r"\1 (\2)", markdown)))
    return _ESCAPE.sub(r"\1", text)
