"""Grammars in the notation of llama.cpp (GBNF), which xgrammar reads as its EBNF."""

from __future__ import annotations

from functools import partial

from llmblocks.grammars.automaton import expanded
from llmblocks.grammars.expression import (
    Chars,
    Choice,
    Except,
    Expression,
    Grammar,
    Literal,
    Repeat,
    RuleName,
    Sequence,
)
from llmblocks.grammars.notation import char_class, times

_ESCAPES = {ord("\n"): r"\n", ord("\t"): r"\t", ord("\r"): r"\r", ord('"'): r"\"", ord("\\"): r"\\"}
# llama.cpp knows no escape of ^ and -
_IN_CLASS = {**_ESCAPES, ord("]"): r"\]", ord("["): r"\[", ord("^"): r"\u005e", ord("-"): r"\u002d"}


def bnf(grammar: Grammar) -> str:
    """Return a grammar for llama.cpp or xgrammar. Raises `ValueError` for one that would be too large."""
    lines = [f"{name} ::= {_expression(part)}" for name, part in expanded(grammar).rules.items()]
    return "\n".join(lines) + "\n"


def _expression(part: Expression, *, inside: bool = False) -> str:
    match part:
        case Literal(text):
            return f'"{"".join([_char(ord(sign)) for sign in text])}"'
        case Chars():
            return char_class(part, partial(_char, in_class=True))
        case RuleName(name):
            return name
        case Sequence(parts):
            if not parts:
                return '""'
            text = " ".join([_expression(each, inside=True) for each in parts])
            return f"({text})" if inside else text
        case Choice(parts):
            text = " | ".join([_expression(each) for each in parts])
            return f"({text})" if inside else text
        case Repeat(inner):
            return _expression(inner, inside=True) + times(part)
        case Except():
            raise ValueError("expand the grammar first")


def _char(code: int, *, in_class: bool = False) -> str:
    escapes = _IN_CLASS if in_class else _ESCAPES
    if code in escapes:
        return escapes[code]
    if 0x20 <= code < 0x7F:
        return chr(code)
    # never two digits: xgrammar takes a third one that follows
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
