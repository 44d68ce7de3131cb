"""Grammars in two notations: that of llama.cpp (GBNF), which xgrammar reads as its EBNF, and Lark's for llguidance."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Final

from llmblocks.grammars import expression as ex
from llmblocks.grammars.automaton import expanded

_COUNTS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}
_ESCAPES: Final = {ord("\n"): r"\n", ord("\t"): r"\t", ord("\r"): r"\r"}
_OF_TEXTS: Final = {**_ESCAPES, ord('"'): r"\"", ord("\\"): r"\\"}
# llama.cpp knows no escape of ^ and -
_OF_CLASSES: Final = {**_OF_TEXTS, ord("]"): r"\]", ord("["): r"\[", ord("^"): r"\u005e", ord("-"): r"\u002d"}
_OF_PATTERNS: Final = {**_ESCAPES, **{ord(sign): f"\\{sign}" for sign in r"\.+*?()|[]{}^$/-&~#"}}


def bnf(grammar: ex.Grammar) -> str:
    """Return a grammar for llama.cpp or xgrammar. Raises `ValueError` for one that would be too large."""
    lines = [f"{name} ::= {_bnf(part)}" for name, part in expanded(grammar).rules.items()]
    return "\n".join(lines) + "\n"


def _bnf(part: ex.Expression, *, inside: bool = False) -> str:
    match part:
        case ex.Literal(text):
            return f'"{"".join([_bnf_char(ord(sign), _OF_TEXTS) for sign in text])}"'
        case ex.Chars():
            return _class(part, partial(_bnf_char, escapes=_OF_CLASSES))
        case ex.RuleName(name):
            return name
        case ex.Sequence(()):
            return '""'
        case _:
            return _composed(part, _bnf, inside=inside)


def _bnf_char(code: int, escapes: dict[int, str]) -> str:
    # never two digits: xgrammar takes a third one that follows
    plain = chr(code) if 0x20 <= code < 0x7F else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return escapes.get(code, plain)


def lark(grammar: ex.Grammar) -> str:
    """Return a grammar for llguidance, in which each regular part is one terminal."""
    terminals: dict[str, str] = {}
    names = {name: "start" if number == 0 else name for number, name in enumerate(grammar.rules)}

    def written(part: ex.Expression, *, inside: bool = False, in_terminal: bool = False) -> str:
        match part:
            case ex.Sequence(()):
                return '""'
            case ex.Literal(text):
                return json.dumps(text, ensure_ascii=False)
            case ex.RuleName(name):
                return names[name]
            case _ if not in_terminal and ex.is_regular(part):
                return named(written(part, in_terminal=True)) + "?" * ex.may_be_empty(part)
            case ex.Chars():
                return "/(?s:.)/" if part == ex.EVERY else f"/{_class(part, _regex_char)}/"
            case ex.Except(inner, excluded):
                # many parts except the same
                without = named(written(excluded, in_terminal=True))
                return f"({written(inner, inside=True, in_terminal=True)} & ~{without})"
            case ex.Sequence(parts) if not in_terminal:
                part = _merged(parts)
        return _composed(part, partial(written, in_terminal=in_terminal), inside=inside)

    def named(source: str) -> str:
        return terminals.setdefault(source, f"T{len(terminals) + 1}")

    rules = [f"{names[name]}: {written(part)}" for name, part in grammar.rules.items()]
    return "\n".join([*rules, "", *[f"{name}: {source}" for source, name in terminals.items()]]) + "\n"


def _composed(part: ex.Expression, write: Callable[..., str], *, inside: bool) -> str:
    """Return a sequence, a choice or a repeat; one of several parts is in brackets `inside` another."""
    match part:
        case ex.Sequence(parts):
            text = " ".join([write(each, inside=True) for each in parts])
        case ex.Choice(parts):
            text = " | ".join(map(write, parts))
        case ex.Repeat(inner):
            return f"{write(inner, inside=True)}{_times(part)}"
        case _:
            raise ValueError(f"{part} cannot be written here")
    return f"({text})" if inside else text


def _merged(parts: tuple[ex.Expression, ...]) -> ex.Sequence:
    """Join regular neighbours: a lexer that takes the longest match cannot cut them elsewhere."""
    found: list[ex.Expression] = []
    for part in parts:
        if found and ex.is_regular(part) and ex.is_regular(found[-1]):
            found[-1] = ex.Sequence((found[-1], part))
        else:
            found.append(part)
    return ex.Sequence((*found,))


def _regex_char(code: int) -> str:
    return _OF_PATTERNS.get(code, chr(code) if 0x20 <= code < 0x7F else f"\\x{{{code:x}}}")


def _times(repeat: ex.Repeat) -> str:
    """Return the sign after a repeated part, such as `*` or `{2,5}`."""
    _, least, most, _ = repeat
    counted = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
    return _COUNTS.get((least, most), counted)


def _class(signs: ex.Chars, escaped: Callable[[int], str]) -> str:
    """Return a class in brackets: of the other characters after `^`, if it goes to the last one."""
    negated = signs.ranges[-1][1] == ex.LARGEST
    shown = ex.others(ex.EVERY, signs).ranges if negated else signs.ranges
    ranges = [escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}" for low, high in shown]
    return f"[{'^' if negated else ''}{''.join(ranges)}]"
