"""The engines llguidance and xgrammar, from PyPI, and llama.cpp, from npm, where there is a build for this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from environments import GROUPS, PEERS, Peer, environment
from llmblocks.grammars.expression import Choice, Except, Expression, Grammar, Literal, Repeat, Sequence
from llmblocks.grammars.notation import bnf, lark

FEW = 400
"""The length of the draws that llama.cpp reads, too: it holds all ways to read a text at once."""


class Answer(NamedTuple):
    """`accepted` are the answers of both engines, which agree."""

    accepted: list[bool]
    drawn: list[str]


@cache
def peers() -> list[Peer]:
    """Return the processes of `tests/peers` that run the engines: that of two of them, and that of llama.cpp."""
    found = [Peer(environment("grammars", ["--no-deps", *GROUPS["grammars"]]), "grammar_engines.py")]
    has_llama = (PEERS / "node_modules" / "@node-llama-cpp" / "linux-x64").is_dir() and shutil.which("node")
    return [*found, Peer("node", "llama_cpp.mjs")] if has_llama else found


def ask(grammar: Grammar, texts: Iterable[str] = (), draw: int = 0, liked: Iterable[str] = ()) -> Answer:
    """Read texts by a grammar, and draw others that it allows, of its literals and of the `liked` texts if it can."""
    both, *llama = peers()
    liked = [*dict.fromkeys([*liked, *chain(*map(literals_in, grammar.rules.values()))])]
    texts, written = [*texts], bnf(grammar)
    found = both.ask(lark=lark(grammar), ebnf=written, texts=texts, draw=draw, liked=liked)
    assert "error" not in found, found["error"]
    assert all(one == other for one, other in found["accepted"]), found["accepted"]
    accepted = [one for one, _ in found["accepted"]]
    drawn = [each for each in found["drawn"] if each is not None]
    assert len(drawn) * 2 >= draw, "the draws do not end"
    for peer in llama:
        given = [*texts, *[text for text in drawn if text and len(text) < FEW]]
        assert peer.ask(grammar=written, texts=given) == {"accepted": accepted + [True] * (len(given) - len(texts))}
    return Answer(accepted, drawn)


def literals_in(part: Expression) -> Iterator[str]:
    """Yield the literals that an expression has."""
    match part:
        case Literal(text):
            yield text
        case Sequence(parts) | Choice(parts):
            yield from chain(*map(literals_in, parts))
        case Repeat(inner) | Except(inner):
            yield from literals_in(inner)
