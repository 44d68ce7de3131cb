"""Engines that keep a model to a grammar: which texts they accept, and texts that they allow, drawn at random.

Lines of JSON in and out. In: {"lark", "ebnf", "texts", "draw", "liked"}. Out: {"error"} or {"accepted", "drawn"}, with
the answers of both engines for each text. Each has its own notation: where one of them allows a token in a draw that
the other refuses, that is an error. The vocabulary has one token for each byte, and then the `liked` texts, which a
draw prefers.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import sys
import types
from typing import Any

END = 256
LONGEST = 2000
LETTERS = frozenset((10, *range(32, 127)))
STOPS, LIKES = 0.03, 0.6
"""How often a draw ends where it may, and takes a liked text."""


def vocabulary(liked: list[str]) -> list[bytes]:
    return [bytes([byte]) for byte in range(256)] + [b"<|end|>"] + [each.encode() for each in liked]


class Llguidance:
    def __init__(self, grammar: str, liked: list[str]) -> None:
        library = importlib.import_module("llguidance")
        self._matcher: Any = library.LLMatcher

        class Bytes:
            eos_token_id, bos_token_id = END, None
            tokens = vocabulary(liked)
            special_token_ids = (END,)

            def __call__(self, text: str | bytes) -> list[int]:
                return [*(text if isinstance(text, bytes) else text.encode())]

        self._tokenizer = library.LLTokenizer(library.TokenizerWrapper(Bytes()), n_vocab=len(Bytes.tokens), slices=[])
        # without this, it allows one of the tokenizations of a text that is forced
        self._grammar = self._matcher.grammar_from_lark('%llguidance {"no_forcing": true}\n' + grammar)
        _, messages = self._matcher.validate_grammar_with_warnings(self._grammar, self._tokenizer)
        if messages:
            raise ValueError("; ".join(messages))

    def start(self) -> None:
        self.now: Any = self._matcher(self._tokenizer, self._grammar, log_level=0)

    def allowed(self) -> list[int]:
        bits = self.now.compute_bitmask()
        if self.now.is_error():
            raise ValueError(self.now.get_error())
        return [each for each in range(len(bits) * 8) if bits[each // 8] >> each % 8 & 1]

    def take(self, token: int) -> bool:
        return bool(self.now.consume_token(token))

    def takes(self, data: bytes) -> bool:
        return bool(self.now.try_consume_tokens([*data]) == len(data))

    def may_end(self) -> bool:
        return bool(self.now.is_accepting())


def import_xgrammar() -> None:
    """Import it without torch: its package imports what models need, its matcher and compiler do not."""
    found = importlib.util.find_spec("xgrammar")
    assert found is not None
    package = types.ModuleType("xgrammar")
    package.__path__ = [*(found.submodule_search_locations or ())]
    sys.modules["xgrammar"] = package
    importlib.import_module("xgrammar.load_binding")


class Xgrammar:
    def __init__(self, grammar: str, liked: list[str]) -> None:
        numpy = importlib.import_module("numpy")
        self._core: Any = importlib.import_module("xgrammar.base")._core
        tokens = vocabulary(liked)
        tokenizer = self._core.TokenizerInfo(tokens, 0, len(tokens), [END], False)
        compiler = self._core.GrammarCompiler(tokenizer, 1, False, -1)
        self._compiled = compiler.compile_grammar_ebnf(self._core.Grammar.from_ebnf(grammar, "root"))
        self._bits = numpy.zeros((1, (len(tokens) + 31) // 32), dtype=numpy.int32)
        self._size = len(tokens)

    def start(self) -> None:
        self.now: Any = self._core.GrammarMatcher(self._compiled, None, False, -1, None)

    def allowed(self) -> list[int]:
        self._bits[:] = -1
        self.now.fill_next_token_bitmask(self._bits, 0, False)
        return [each for each in range(self._size) if int(self._bits[0, each // 32]) >> each % 32 & 1]

    def take(self, token: int) -> bool:
        return bool(self.now.accept_token(token, False))

    def takes(self, data: bytes) -> bool:
        return bool(self.now.accept_string(data, False))

    def may_end(self) -> bool:
        return bool(self.now.is_completed())


def drawn(engines: list[Llguidance | Xgrammar], rng: random.Random, liked: list[str]) -> str | None:
    """Return a text that the engines allow, up to its end; None for one that has not ended."""
    found = bytearray()
    for engine in engines:
        engine.start()
    while len(found) < LONGEST:
        allowed, *others = [engine.allowed() for engine in engines]
        if any(other != allowed for other in others):
            unlike = sorted({*allowed} ^ {*others[0]})[:9]
            raise ValueError(f"the engines allow other tokens after {bytes(found)!r}: {unlike}")
        if END in allowed and (len(allowed) == 1 or rng.random() < STOPS or len(found) > LONGEST // 2):
            return found.decode()
        words = [each for each in allowed if each > END]
        letters = [each for each in allowed if each in LETTERS] or [each for each in allowed if each < END]
        if not words and not letters:
            raise ValueError(f"nothing is allowed after {bytes(found)!r}")
        token = rng.choice(words if words and (not letters or rng.random() < LIKES) else letters)
        found += liked[token - END - 1].encode() if token > END else bytes([token])
        if not all(engine.take(token) for engine in engines):
            raise ValueError(f"an allowed token is refused after {bytes(found)!r}")
    return None


def accepted(engine: Llguidance | Xgrammar, text: str) -> bool:
    engine.start()
    return bool(engine.takes(text.encode()) and engine.may_end())


def answer(given: dict[str, Any]) -> dict[str, Any]:
    liked = [each for each in given.get("liked", []) if len(each) > 1]
    engines: list[Llguidance | Xgrammar] = [Llguidance(given["lark"], liked), Xgrammar(given["ebnf"], liked)]
    rng = random.Random(given.get("seed", 1))
    return {
        "accepted": [[accepted(engine, each) for engine in engines] for each in given.get("texts", [])],
        "drawn": [drawn(engines, rng, liked) for _ in range(given.get("draw", 0))],
    }


import_xgrammar()
for line in sys.stdin:
    try:
        answered = answer(json.loads(line))
    except Exception as error:
        answered = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answered), flush=True)
