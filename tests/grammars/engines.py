"""The engines llguidance and xgrammar, from PyPI, and llama.cpp, from npm, where there is a build for this machine."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from environments import environment
from llmblocks.grammars.expression import Choice, Except, Expression, Grammar, Literal, Repeat, Sequence
from llmblocks.grammars.notation import bnf, lark


def literals_in(part: Expression) -> Iterator[str]:
    """Yield the literals that an expression has."""
    match part:
        case Literal(text):
            yield text
        case Sequence(parts) | Choice(parts):
            yield from chain(*map(literals_in, parts))
        case Repeat(inner) | Except(inner):
            yield from literals_in(inner)


ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
FEW = 400
"""The length of the draws that llama.cpp reads, too: it holds all ways to read a text at once."""


class Answer(NamedTuple):
    """`accepted` are the answers of both engines, which agree."""

    accepted: list[bool]
    drawn: list[str]


class Engines:
    """The processes that run them. See `grammar_engines.py` and `llama_cpp.mjs` in `tests/peers`."""

    def __init__(self) -> None:
        groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
        python = environment("grammars", ["--no-deps", *groups["grammars"]])
        self._both = Peer([python, "grammar_engines.py"])
        has_llama = (PEERS / "node_modules" / "@node-llama-cpp" / "linux-x64").is_dir() and shutil.which("node")
        self._llama = Peer(["node", "llama_cpp.mjs"]) if has_llama else None

    def ask(self, grammar: Grammar, texts: Iterable[str] = (), draw: int = 0, liked: Iterable[str] = ()) -> Answer:
        """Read texts by a grammar, and draw others that it allows.

        Returns:
            The draws prefer the literals of the grammar, and the `liked` texts.
        """
        liked = [*dict.fromkeys([*liked, *chain(*map(literals_in, grammar.rules.values()))])]
        texts, written = [*texts], bnf(grammar)
        found = self._both.ask({"lark": lark(grammar), "ebnf": written, "texts": texts, "draw": draw, "liked": liked})
        assert all(one == other for one, other in found["accepted"]), found["accepted"]
        accepted = [one for one, _ in found["accepted"]]
        drawn = [each for each in found["drawn"] if each is not None]
        assert len(drawn) * 2 >= draw, "the draws do not end"
        if self._llama is not None:
            given = [*texts, *[text for text in drawn if text and len(text) < FEW]]
            llama = self._llama.ask({"grammar": written, "texts": given})["accepted"]
            assert llama == accepted + [True] * (len(given) - len(texts)), llama
        return Answer(accepted, drawn)

    def close(self) -> None:
        """End the processes."""
        self._both.close()
        if self._llama is not None:
            self._llama.close()


class Peer:
    """A process that answers lines of JSON."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=PEERS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def ask(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in found, found["error"]
        return found

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
