"""Tokens of custom blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.tags import kinds
from llmblocks.tags.attribute_scan import BETWEEN, scan_attributes
from llmblocks.tags.names import content_pattern, is_name, text_pattern

# What the runtime would be doing at a place. In a `DULL` one it reads a name of which no tag can come: the character
# that ends that name is swallowed, even a `<`.
FRESH: Final = 0  # outside blocks, nothing read since the text began or a block ended
OUTSIDE: Final = 1
OUTSIDE_DULL: Final = 2
CONTENT: Final = 3
CONTENT_DULL: Final = 4
LIST: Final = 5

_NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_-]*+")


class State(NamedTuple):
    """Shape: `tag` is the open block's, or that whose attribute list is read; `place` is where in that list."""

    mode: int
    tag: str = ""
    place: int = BETWEEN


_FRESH = State(FRESH)
_OUTSIDE = State(OUTSIDE)
_OUTSIDE_DULL = State(OUTSIDE_DULL)


class TagScanner:
    """Finds registered tags as the runtime does.

    A section is a block, or the text between two blocks. A block that nothing closes goes on to the end of the text.
    Shape: `names` are the registered tags; a name that no tag can have is never met.
    Source: `TagStream`, with which this agrees on every text.
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = _FRESH

    __slots__ = ("_content", "_openings", "_text", "names")

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        known = [name for name in self.names if is_name(name)]
        self._text = text_pattern(known)
        self._content = {name: content_pattern(name) for name in known}
        self._openings = frozenset(f"<{name[:end]}" for name in known for end in range(len(name) + 1)) | {"<"}

    def scan(self, text: str, start: int, stop: int, state: State, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        tokens: list[Token] = []
        mode, tag, place = state
        at = start
        head = mode == FRESH
        while at < stop:
            if mode <= OUTSIDE:
                found = self._text.match(text, at, stop)
                assert found is not None
                name = found[1]
                end = found.end() if name is None else found.start(1) - 1
                if name is not None and end == start:
                    head = True
                if end > at:
                    tokens.append(kinds.TEXT.of[end - at])
                    at, mode = end, OUTSIDE
                if name is not None:
                    if at > start:
                        return Scanned(tokens, at, _OUTSIDE, head)
                    tokens += (kinds.OPENING.of[1], kinds.NAME.of[len(name)])
                    at += 1 + len(name)
                    mode, tag, place = LIST, name, BETWEEN
                elif at < stop:
                    # A `<` that the text ends behind, or behind the name that follows it.
                    tail = text[at:stop]
                    if not final and tail in self._openings:
                        break
                    tokens.append(kinds.TEXT.of[stop - at])
                    at, mode = stop, OUTSIDE if tail in self._openings else OUTSIDE_DULL
            elif mode == CONTENT:
                found = self._content[tag].match(text, at, stop)
                assert found is not None
                end = found.end() if found[1] is None else found.start(1)
                if end > at:
                    tokens.append(kinds.CONTENT.of[end - at])
                    at = end
                if found[1] is not None:
                    tokens += (kinds.CLOSING.of[2], kinds.NAME.of[len(tag)], kinds.CLOSED.of[1])
                    return Scanned(tokens, found.end(), _FRESH, head)
                if at < stop:
                    hopeful = f"</{tag}".startswith(text[at:stop])
                    if not final and hopeful:
                        break
                    tokens.append(kinds.CONTENT.of[stop - at])
                    at, mode = stop, CONTENT if hopeful else CONTENT_DULL
            elif mode == LIST:
                bracket = text.find(">", at, stop)
                end = stop if bracket < 0 else bracket
                slash = end > at and text[end - 1] == "/" and (bracket >= 0 or not final)
                if slash:
                    end -= 1
                place = scan_attributes(text, at, end, place, tokens)
                at = end
                if bracket < 0:
                    break
                if slash:
                    tokens.append(kinds.SELF_CLOSED.of[2])
                    return Scanned(tokens, bracket + 1, _FRESH, head)
                tokens.append(kinds.OPENED.of[1])
                at, mode, place = bracket + 1, CONTENT, BETWEEN
            else:
                found = _NAME_CHARACTERS.match(text, at, stop)
                assert found is not None
                end = min(found.end() + 1, stop)
                outside = mode == OUTSIDE_DULL
                tokens.append((kinds.TEXT if outside else kinds.CONTENT).of[end - at])
                if found.end() < stop:
                    mode = OUTSIDE if outside else CONTENT
                at = end
        return Scanned(tokens, at, _state(mode, tag, place), head)


def _state(mode: int, tag: str, place: int) -> State:
    if mode <= OUTSIDE_DULL:
        return (_FRESH, _OUTSIDE, _OUTSIDE_DULL)[mode]
    return State(mode, tag, place if mode == LIST else BETWEEN)
