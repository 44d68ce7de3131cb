"""Tokens of custom blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.scan import LONGEST_PLAIN, Kind, Plain, Scanned, Token
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.attributes import BETWEEN, scan_attributes
from llmblocks.tags.syntax.names import content_pattern, is_name, text_pattern

# What the runtime would be doing at a place. In a `DULL` one it reads a name of which no tag can come: the character
# that ends that name is swallowed, even a `<`.
FRESH: Final = 0  # outside blocks, nothing read since the text began or a section ended
OUTSIDE: Final = 1
FAR: Final = 2  # outside blocks, on a line that is long already
TAIL: Final = 3  # on the line of a block, behind it
OUTSIDE_DULL: Final = 4
TAIL_DULL: Final = 5
CONTENT: Final = 6
CONTENT_DULL: Final = 7
LIST: Final = 8

LONG: Final = LONGEST_PLAIN
"""So far behind the start of its line, a block no longer begins a section: a piece can then end in front of it."""

_DULL = {FRESH: OUTSIDE_DULL, OUTSIDE: OUTSIDE_DULL, FAR: OUTSIDE_DULL, TAIL: TAIL_DULL, CONTENT: CONTENT_DULL}
_BEHIND_DULL = {OUTSIDE_DULL: OUTSIDE, TAIL_DULL: TAIL, CONTENT_DULL: CONTENT}
_PAUSES = frozenset((FAR, TAIL, CONTENT))
_NAMED = re.compile(r"[ \t]*(?:\Z|llm)", re.IGNORECASE)
_LONGEST_NAMED: Final = 100
"""More than the beginning of a line that looks as if it silenced findings."""
_OPEN_BRACKET = re.compile(r"<(?:[ \t]*+(?:/|\Z)|[\w-])")
_NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_-]*+")


class State(NamedTuple):
    """Shape: `tag` is the open block's, or that whose attribute list is read; `place` is where in that list."""

    mode: int
    tag: str = ""
    place: int = BETWEEN


def open_in(state: object) -> State | None:
    """The scanner's part of a state, be it layered or not; None where no tag and no block is open."""
    found = state_in(state, State)
    return found if found is not None and found.tag else None


_STATES = {mode: State(mode) for mode in (FRESH, OUTSIDE, FAR, TAIL, OUTSIDE_DULL, TAIL_DULL)}


class TagScanner:
    """Finds registered tags as the runtime does.

    A section is the lines of a block, or of several that share lines, or the lines between; a block that begins far
    behind the start of its line belongs to the lines in front of it. A block that nothing closes goes on to the end of
    the text.
    Shape: `names` are the registered tags; a name that no tag can have is never met. Those that are `typed` hold
           values, which mean something only as a whole.
    Source: `TagStream`, with which this agrees on every text.
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = _STATES[FRESH]
    signs: Final = ("<",)

    __slots__ = ("_openings", "_text", "_typed", "names")

    def __init__(self, names: Iterable[str], typed: Iterable[tuple[str, str]] = ()) -> None:
        self._typed = frozenset([name for name, _ in typed])
        self.names = tuple(dict.fromkeys(names))
        known = [name for name in self.names if is_name(name)]
        self._text = text_pattern(known)
        self._openings = frozenset(f"<{name[:end]}" for name in known for end in range(len(name) + 1)) | {"<"}

    def plain(self, state: State) -> Plain | None:
        """See `ReadsPlain.plain`."""
        if state.mode == FRESH or state.mode == OUTSIDE:
            return Plain(kinds.TEXT, _STATES[OUTSIDE], state.mode == FRESH)
        return Plain(kinds.CONTENT, state, False) if state.mode == CONTENT else None

    def pauses(self, text: str, start: int, at: int, state: State) -> bool:
        """See `Pauses`. A bracket without its partner may be nearly a tag, or begin a comment that silences.

        So may the start of a line.
        """
        if state.mode not in _PAUSES or text[at - 1] not in " >" or state.tag in self._typed:
            return False
        comment = text.rfind("<!--", start, at)
        if comment >= 0 and text.find("-->", comment, at) < 0:
            return False
        newline = text.rfind("\n", start, at)
        line = text[newline + 1 if newline >= 0 else start : at]
        if len(line) <= _LONGEST_NAMED and _NAMED.match(line):
            return False
        behind = max(start, newline, text.rfind(">", start, at))
        return _OPEN_BRACKET.search(text, behind, at) is None

    def scan(self, text: str, start: int, stop: int, state: State, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        tokens: list[Token] = []
        mode, tag, place = state
        at = line_end = start
        head = mode == FRESH
        while at < stop:
            if mode <= TAIL:
                # The line of a block belongs to it, so behind a block the end of that line ends the section.
                if mode == TAIL and line_end <= at:
                    line_end = text.find("\n", at, stop) + 1 or stop
                limit = line_end if mode == TAIL else stop
                found = self._text.match(text, at, limit)
                assert found is not None
                name = found[1]
                end = found.end() if name is None else found.start(1) - 1
                if name is not None and mode != TAIL and not _is_far(text, start, end, state.mode):
                    line = text.rfind("\n", at, end) + 1
                    if line > at:
                        tokens.append(kinds.TEXT.of[line - at])
                        return Scanned(tokens, line, _STATES[OUTSIDE], head)
                    head = head or at == start
                if end > at:
                    tokens.append(kinds.TEXT.of[end - at])
                    at = end
                    mode = mode or OUTSIDE
                if name is not None:
                    tokens += (kinds.OPENING.of[1], kinds.NAME.of[len(name)])
                    at += 1 + len(name)
                    mode, tag, place = LIST, name, BETWEEN
                elif at < limit:
                    # A `<` that the text ends behind, or behind the name that follows it.
                    tail = text[at:limit]
                    hopeful = tail in self._openings
                    if hopeful and not final:
                        break
                    tokens.append(kinds.TEXT.of[limit - at])
                    at, mode = limit, (mode or OUTSIDE) if hopeful else _DULL[mode]
                elif mode == TAIL and text[at - 1] == "\n":
                    return Scanned(tokens, at, _STATES[FRESH], head)
            elif mode == CONTENT:
                found = content_pattern(tag).match(text, at, stop)
                assert found is not None
                end = found.end() if found[1] is None else found.start(1)
                if end > at:
                    tokens.append(kinds.CONTENT.of[end - at])
                    at = end
                if found[1] is not None:
                    tokens += (kinds.CLOSING.of[2], kinds.NAME.of[len(tag)], kinds.CLOSED.of[1])
                    at, mode = found.end(), TAIL
                elif at < stop:
                    hopeful = f"</{tag}".startswith(text[at:stop])
                    if hopeful and not final:
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
                tokens.append(kinds.SELF_CLOSED.of[2] if slash else kinds.OPENED.of[1])
                at, mode = bracket + 1, TAIL if slash else CONTENT
            else:
                found = _NAME_CHARACTERS.match(text, at, stop)
                assert found is not None
                end = min(found.end() + 1, stop)
                tokens.append((kinds.CONTENT if mode == CONTENT_DULL else kinds.TEXT).of[end - at])
                if found.end() < stop:
                    mode = _BEHIND_DULL[mode]
                at = end
                if mode == TAIL and text[at - 1] == "\n":
                    return Scanned(tokens, at, _STATES[FRESH], head)
        if mode in (OUTSIDE, FAR):
            mode = FAR if _is_far(text, start, at, state.mode) else OUTSIDE
        return Scanned(tokens, at, _STATES.get(mode) or State(mode, tag, place if mode == LIST else BETWEEN), head)


def _is_far(text: str, start: int, at: int, mode: int) -> bool:
    """Whether a place outside blocks is far behind the start of its line; `mode` is that at `start`."""
    if at - start <= LONG and mode != FAR:
        return False
    line = text.rfind("\n", start, at) + 1
    return at - line > LONG if line > start else mode == FAR or at - start > LONG
