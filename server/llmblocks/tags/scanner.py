"""Tokens of custom blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.tags import kinds
from llmblocks.tags.syntax import content_pattern, is_name, text_pattern

_SPACE = re.compile(r"[ \t\n\r]*+")
_LISTS: Final[dict[str, tuple[Kind, re.Pattern[str], dict[str, tuple[Kind | None, str]], str]]] = {
    "between": (kinds.GAP, re.compile(r"[^A-Za-z_]*+"), {}, "name"),
    "name": (kinds.ATTRIBUTE, re.compile(r"[A-Za-z0-9_-]*+"), {}, "after name"),
    "after name": (kinds.GAP, _SPACE, {"=": (kinds.EQUALS, "after equals")}, "between"),
    "after equals": (kinds.GAP, _SPACE, {'"': (kinds.QUOTE, '"'), "'": (kinds.QUOTE, "'")}, "bare"),
    '"': (kinds.VALUE, re.compile('[^"]*+'), {'"': (kinds.QUOTE, "between")}, ""),
    "'": (kinds.VALUE, re.compile("[^']*+"), {"'": (kinds.QUOTE, "between")}, ""),
    "bare": (kinds.VALUE, re.compile(r"[^ \t\n\r/]*+"), {}, "between"),
}
"""The places in an attribute list: the kind and the pattern of the text there, the signs that may end it, each with its
kind and the next place, and the next place without such a sign.
"""

# The state of the runtime at a place. In `DULL` it reads a name that cannot become a tag: the character
# that ends that name is swallowed, even a `<`.
FRESH: Final = 0  # outside blocks, nothing read since the text began or a section ended
OUTSIDE: Final = 1
TAIL: Final = 2  # on the line of a block, after it
OUTSIDE_DULL: Final = 3
TAIL_DULL: Final = 4
CONTENT: Final = 5
CONTENT_DULL: Final = 6
LIST: Final = 7

_DULL = {FRESH: OUTSIDE_DULL, OUTSIDE: OUTSIDE_DULL, TAIL: TAIL_DULL, CONTENT: CONTENT_DULL}
_BEHIND_DULL = {OUTSIDE_DULL: OUTSIDE, TAIL_DULL: TAIL, CONTENT_DULL: CONTENT}
_NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_-]*+")


class TagState(NamedTuple):
    """The state of the scanner: `tag` is the open block, or the tag whose attribute list is read, at `place` in it."""

    mode: int
    tag: str = ""
    place: str = "between"


def open_in(state: object) -> TagState | None:
    """Return the scanner's part of a state, be it layered or not; None where no tag and no block is open."""
    found = state_in(state, TagState)
    return found if found is not None and found.tag else None


_STATES = {mode: TagState(mode) for mode in (FRESH, OUTSIDE, TAIL, OUTSIDE_DULL, TAIL_DULL)}


class TagScanner:
    """Finds registered tags as the runtime does.

    A section is the lines of a block, or of several that share lines, or the lines between. A block that nothing closes
    continues to the end of the text.

    `names` are the registered tags; a name that no tag can have is never met. With `whole_names`, any name is held back
    until it ends, as the reference does, and a list of attributes is not taken apart.

    Source: the custom blocks document, "StreamTagParser".
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = _STATES[FRESH]

    def __init__(self, names: Iterable[str], *, whole_names: bool = False) -> None:
        self.names = tuple(dict.fromkeys(names))
        known = [name for name in self.names if is_name(name)]
        self._text = text_pattern(known)
        self._whole = whole_names
        self._openings = frozenset(f"<{name[:end]}" for name in known for end in range(len(name) + 1)) | {"<"}

    def scan(self, text: str, start: int, stop: int, state: TagState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        tokens: list[Token] = []
        mode, tag, place = state
        at = line_end = start
        head = mode == FRESH
        while at < stop:
            if mode == LIST:
                bracket = text.find(">", at, stop)
                end = stop if bracket < 0 else bracket
                slash = end > at and text[end - 1] == "/" and (bracket >= 0 or not final)
                if slash:
                    end -= 1
                if not self._whole:
                    place = _scan_list(text, at, end, place, tokens)
                elif end > at:
                    tokens.append(kinds.GAP.of[end - at])
                at = end
                if bracket < 0:
                    break
                tokens.append(kinds.SELF_CLOSED.of[2] if slash else kinds.OPENED.of[1])
                at, mode = bracket + 1, TAIL if slash else CONTENT
                continue
            kind = kinds.CONTENT if mode in (CONTENT, CONTENT_DULL) else kinds.TEXT
            # The line of a block belongs to it, so after a block the end of that line ends the section.
            if mode == TAIL and line_end <= at:
                line_end = text.find("\n", at, stop) + 1 or stop
            limit = line_end if mode == TAIL else stop
            if mode in _BEHIND_DULL:
                found = _NAME_CHARACTERS.match(text, at, stop)
                assert found is not None
                end = min(found.end() + 1, stop)
                if found.end() < stop:
                    mode = _BEHIND_DULL[mode]
                tokens.append(kind.of[end - at])
                at = end
            else:
                found = (content_pattern(tag) if mode == CONTENT else self._text).match(text, at, limit)
                assert found is not None
                met = found[1]
                end = found.end() if met is None else found.start(1)
                if met is not None and mode < TAIL:
                    line = text.rfind("\n", at, end) + 1
                    if line > at:
                        tokens.append(kinds.TEXT.of[line - at])
                        return Scanned(tokens, line, _STATES[OUTSIDE], head)
                    head = head or at == start
                if end > at:
                    tokens.append(kind.of[end - at])
                    at = end
                    mode = mode or OUTSIDE
                if met is not None:
                    at += len(met)
                    if mode == CONTENT:
                        tokens += (kinds.CLOSING.of[2], kinds.NAME.of[len(tag)], kinds.CLOSED.of[1])
                        mode = TAIL
                    else:
                        tokens += (kinds.OPENING.of[1], kinds.NAME.of[len(met) - 1])
                        mode, tag, place = LIST, met[1:], "between"
                elif at < limit:
                    # A `<` at the end of the text, or before a name at the end.
                    tail = text[at:limit]
                    hopeful = f"</{tag}".startswith(tail) if mode == CONTENT else tail in self._openings
                    if (hopeful or self._whole) and not final:
                        break
                    tokens.append(kind.of[limit - at])
                    at, mode = limit, (mode or OUTSIDE) if hopeful else _DULL[mode]
            if mode == TAIL and text[at - 1] == "\n":
                return Scanned(tokens, at, _STATES[FRESH], head)
        return Scanned(tokens, at, _STATES.get(mode) or TagState(mode, tag, place if mode == LIST else "between"), head)


def _scan_list(text: str, at: int, end: int, place: str, tokens: list[Token]) -> str:
    """Tokenize a part of a list into `tokens`, and return the place at its end. The part is without `>` and `/>`."""
    while at < end:
        kind, pattern, signs, following = _LISTS[place]
        found = pattern.match(text, at, end)
        assert found is not None
        if found.end() > at:
            tokens.append(kind.of[found.end() - at])
            at = found.end()
        if at < end:
            sign, place = signs.get(text[at], (None, following))
            if sign is not None:
                tokens.append(sign.of[1])
                at += 1
    return place
