"""Grammars in the dialect of Lark that llguidance reads: each regular part is one terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

from llmblocks.grammars.expression import (
    EVERY,
    Chars,
    Choice,
    Except,
    Expression,
    Grammar,
    Literal,
    Repeat,
    RuleName,
    Sequence,
    is_regular,
)
from llmblocks.grammars.notation import char_class, times

_ESCAPES = {9: r"\t", 10: r"\n", 13: r"\r"}
_SIGNS = frozenset(r"\.+*?()|[]{}^$/-&~#")


def lark(grammar: Grammar) -> str:
    """Return a grammar for llguidance."""
    terminals: dict[str, str] = {}

    def terminal(part: Expression) -> str:
        if isinstance(part, Literal):
            return json.dumps(part.text, ensure_ascii=False)
        return name_of(_terminal(part, name_of)) + "?" * _may_be_empty(part)

    def name_of(source: str) -> str:
        return terminals.setdefault(source, f"T{len(terminals) + 1}")

    names = {name: "start" if number == 0 else name for number, name in enumerate(grammar.rules)}
    rules = [f"{names[name]}: {_rule(part, terminal, names)}" for name, part in grammar.rules.items()]
    return "\n".join([*rules, "", *[f"{name}: {source}" for source, name in terminals.items()]]) + "\n"


def _rule(
    part: Expression, terminal: Callable[[Expression], str], names: dict[str, str], *, inside: bool = False
) -> str:
    if part == Sequence(()):
        return '""'
    if is_regular(part):
        return terminal(part)
    match part:
        case RuleName(name):
            return names[name]
        case Sequence(parts):
            text = " ".join([_rule(each, terminal, names, inside=True) for each in _merged(parts)])
        case Choice(parts):
            text = " | ".join([_rule(each, terminal, names) for each in parts])
        case Repeat(inner):
            return _rule(inner, terminal, names, inside=True) + times(part)
        case _:
            raise ValueError(f"{part} is not regular")
    return f"({text})" if inside else text


def _merged(parts: tuple[Expression, ...]) -> list[Expression]:
    """Parts, of which regular neighbours are one: a lexer that takes the longest match cannot cut them elsewhere."""
    found: list[Expression] = []
    for part in parts:
        if found and is_regular(part) and is_regular(found[-1]):
            found[-1] = Sequence((found[-1], part))
        else:
            found.append(part)
    return found


def _terminal(part: Expression, name_of: Callable[[str], str]) -> str:
    """Return a regular part as a terminal. What it excepts has a name, as many parts except the same."""
    match part:
        case Except(inner, excluded):
            return f"({_terminal(inner, name_of)} & ~{name_of(_terminal(excluded, name_of))})"
        case _ if not _has_exception(part):
            return f"/{_regex(part)}/"
        case Sequence(parts):
            return f"({' '.join([_terminal(each, name_of) for each in parts])})"
        case Choice(parts):
            return f"({' | '.join([_terminal(each, name_of) for each in parts])})"
        case Repeat(inner):
            return _terminal(inner, name_of) + times(part)
        case _:
            raise ValueError(f"{part} is not regular")


def _has_exception(part: Expression) -> bool:
    match part:
        case Except():
            return True
        case Sequence(parts) | Choice(parts):
            return any(map(_has_exception, parts))
        case Repeat(inner):
            return _has_exception(inner)
        case _:
            return False


def _may_be_empty(part: Expression) -> bool:
    match part:
        case Literal(text):
            return not text
        case Sequence(parts):
            return all(map(_may_be_empty, parts))
        case Choice(parts):
            return any(map(_may_be_empty, parts))
        case Repeat(inner, least):
            return not least or _may_be_empty(inner)
        case Except(inner, excluded):
            return _may_be_empty(inner) and not _may_be_empty(excluded)
        case _:
            return False


def _regex(part: Expression, *, inside: bool = False) -> str:
    match part:
        case Literal(text):
            found = "".join([_char(ord(sign)) for sign in text])
            return f"(?:{found})" if inside and len(text) > 1 else found
        case Chars():
            return "(?s:.)" if part == EVERY else char_class(part, _char)
        case Sequence(parts):
            text = "".join([_regex(each, inside=not isinstance(each, Literal)) for each in parts])
            return f"(?:{text})" if inside else text
        case Choice(parts):
            return f"(?:{'|'.join(map(_regex, parts))})"
        case Repeat(inner):
            text = _regex(inner, inside=True) + times(part)
            return f"(?:{text})" if inside else text
        case _:
            raise ValueError(f"{part} is not regular")


def _char(code: int) -> str:
    if code in _ESCAPES:
        return _ESCAPES[code]
    if 0x20 <= code < 0x7F:
        return f"\\{chr(code)}" if chr(code) in _SIGNS else chr(code)
    return f"\\x{{{code:x}}}"
