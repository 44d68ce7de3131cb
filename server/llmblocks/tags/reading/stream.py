"""Registered tags in streamed text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from llmblocks.core.chunks import is_ascii, join_halves, not_text, size_of
from llmblocks.tags.reading.deltas import (
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockStart,
    TagDelta,
    TextDelta,
)
from llmblocks.tags.reading.handler import TagHandler, handlers_by_name
from llmblocks.tags.reading.misuse import shown
from llmblocks.tags.syntax.attributes import parse_attributes
from llmblocks.tags.syntax.names import content_pattern, is_name, text_pattern

_NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_-]*+")

# The modes of a stream. HELD: the text ends in a possible tag, so it is kept for the next chunk.
_TEXT, _CONTENT, _TEXT_HELD, _CONTENT_HELD, _ATTRIBUTES, _INTERRUPTED = range(6)

_new = object.__new__
_Match = Callable[[str, int], re.Match[str]]
_Other = TypeVar("_Other")


def _always(pattern: re.Pattern[str]) -> _Match:
    """The match method of a pattern that always matches, perhaps the empty string."""
    return pattern.match  # type: ignore[return-value]


class TagStream:
    """Take registered XML-like tags out of a stream of text deltas.

    Shape:  `process(delta)` and `flush()` return the deltas to pass on; anything that is not a `TextDelta` passes
            through unchanged. `flush` ends the stream: the text held back comes out, an open block is complete.
    Errors: none for any text. `ValueError` for `tags` other than a mapping to handlers; `TypeError` for a chunk that is
            not text, and for text in place of a delta. Exceptions of a handler reach the caller; the next call returns
            the deltas made before, and those of the rest of the chunk.
    Source: the custom blocks document, "StreamTagParser".
    """

    def __init__(self, tags: Mapping[str, TagHandler]) -> None:
        self._handlers = handlers_by_name(tags)
        names = [name for name in self._handlers if is_name(name)]
        self._match_text = _always(text_pattern(names))
        self._content_matches = {name: _always(content_pattern(name)) for name in names}
        self._ends = {name: CustomBlockEnd(name) for name in names}
        # More characters than this after a `<` cannot be a registered tag.
        self._longest = max(map(len, names), default=0) + 2
        self._mode = _TEXT
        self._half = ""  # the first half of a character; the other half is in the next chunk
        self._held = ""
        self._parts: list[str] = []
        self._tag = ""
        self._attrs: dict[str, str] = {}
        self._content: list[str] = []
        # Only after a handler raised: deltas not yet returned, input not yet read, and the mode to continue in.
        self._out: list[Any] = []
        self._waiting: list[Any] = []
        self._resume = _TEXT

    @overload
    def process(self, delta: TextDelta) -> list[TagDelta]: ...

    @overload
    def process(self, delta: _Other) -> list[TagDelta | _Other]: ...

    def process(self, delta: object) -> list[Any]:
        """Read a delta, and return the deltas that it completes."""
        if type(delta) is TextDelta:
            text = delta.delta
            try:
                if "<" not in text and text.isascii():
                    mode = self._mode
                    if not mode:  # in plain text
                        return [delta] if text else []
                    if mode == _CONTENT:
                        if not text:
                            return []
                        self._content.append(text)
                        # The most frequent event: created this way, it costs a third less.
                        event = _new(CustomBlockDelta)
                        event.tag = self._tag
                        event.delta = text
                        return [event]
                if self._mode != _INTERRUPTED:
                    return self._read_halves(text) if self._half or not is_ascii(text) else self._read(text)
            except (TypeError, AttributeError):
                if isinstance(text, str):
                    raise  # a handler's
                raise not_text(text) from None
        elif self._mode != _INTERRUPTED:
            if isinstance(delta, TextDelta):
                return self.process(TextDelta(delta.delta))
            if isinstance(delta, str | bytes):
                raise TypeError(f"{shown(delta)} is not a delta: use feed(text), or process(TextDelta(text))")
            return [delta]
        self._waiting.append(delta)
        return self._go_on()

    @property
    def held(self) -> str:
        """The text held back: a tag that is not complete. The white space after its name is one blank here."""
        begun = f"<{self._tag} " if self._mode == _ATTRIBUTES else ""
        return "".join((begun, self._held, *self._parts, self._half))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy of it."""
        begun = len(self._tag) + 2 if self._mode == _ATTRIBUTES else 0
        return begun + len(self._held) + size_of(self._parts) + len(self._half)

    def feed(self, text: str) -> list[TagDelta]:
        """Read a chunk of text: `process(TextDelta(text))`."""
        delta = _new(TextDelta)
        delta.delta = text
        return self.process(delta)

    def flush(self) -> list[TagDelta]:
        """End the stream, and return the rest. The stream can be used again for a new text."""
        out = self._go_on() if self._mode == _INTERRUPTED else []
        if self._half:
            half, self._half = self._half, ""
            out += self._read(half)
        mode, self._mode = self._mode, _TEXT
        held = self._held + "".join(self._parts)
        self._held = ""
        self._parts = []
        tag, attrs, content = self._tag, self._attrs, self._content
        self._tag, self._attrs, self._content = "", {}, []
        if mode == _TEXT_HELD:
            out.append(TextDelta(held))
        elif mode == _ATTRIBUTES:
            # The whitespace after the name was not kept, and a `/` was read as the first attribute.
            out.append(TextDelta(f"<{tag} {held}"))
        elif mode in (_CONTENT, _CONTENT_HELD):
            whole = "".join(content) + held
            out.append(CustomBlock(tag, whole, dict(attrs)))
            on_content = self._handlers[tag].on_content
            if on_content:
                try:
                    on_content(whole, attrs)
                except BaseException:
                    self._interrupt(out, [])
                    raise
        return out

    def _interrupt(self, out: list[TagDelta], waiting: list[TagDelta]) -> None:
        self._out = out
        self._waiting = waiting
        self._resume = self._mode
        self._mode = _INTERRUPTED

    def _go_on(self) -> list[Any]:
        """Continue after a handler's exception."""
        out, waiting = self._out, self._waiting
        self._out, self._waiting = [], []
        self._mode = self._resume
        for index, delta in enumerate(waiting):
            try:
                out += self.process(delta)
            except BaseException:
                self._out = out + self._out
                self._waiting += waiting[index + 1 :]
                raise
        return out

    def _read_halves(self, text: str) -> list[TagDelta]:
        """Read a text that may end with the first half of a character, or begin with the second."""
        text, self._half = join_halves(self._half + text)
        out = self._read(text)
        if self._half and self._mode < _TEXT_HELD:
            self._mode += 2  # `process` would pass the next chunk on as it is
        return out

    def _read(self, text: str) -> list[TagDelta]:
        mode = self._mode
        if _TEXT_HELD <= mode <= _CONTENT_HELD:
            if self._parts:
                # A name longer than any registered one is text, but it is held until it ends.
                if _NAME_CHARACTERS.fullmatch(text):
                    self._parts.append(text)
                    return []
                text = "".join((self._held, *self._parts, text))
                self._parts.clear()
            else:
                text = self._held + text
            self._held = ""
            mode = self._mode = mode - 2
        out: list[TagDelta] = []
        size = len(text)
        pos = 0
        try:
            while pos < size:
                if mode == _TEXT:
                    match = self._match_text(text, pos)
                    if match.lastindex is None:
                        end = match.end()
                        if end > pos:
                            out.append(TextDelta(text[pos:end]))
                        if end < size:
                            self._hold(text[end:])
                        return out
                    tag, last = match.groups()
                    # Before the tag, its bracket, and the character that ends it.
                    end = match.end() - len(tag) - 2
                    if end > pos:
                        out.append(TextDelta(text[pos:end]))
                    pos = match.end()
                    self._tag = tag
                    if last == ">":
                        mode = self._mode = _CONTENT
                        self._attrs = {}
                        out.append(CustomBlockStart(tag, {}))
                        on_start = self._handlers[tag].on_start
                        if on_start:
                            # As in the reference, the block shows changes only if the tag has attributes.
                            on_start({})
                    else:
                        mode = self._mode = _ATTRIBUTES
                        self._held = "/" if last == "/" else ""
                elif mode == _CONTENT:
                    tag = self._tag
                    match = self._content_matches[tag](text, pos)
                    last = match.lastindex
                    end = match.end()
                    if last is not None:
                        end -= len(tag) + 3
                    if end > pos:
                        run = text[pos:end]
                        self._content.append(run)
                        out.append(CustomBlockDelta(tag, run))
                    if last is None:
                        if end < size:
                            self._hold(text[end:])
                        return out
                    pos = match.end()
                    mode = self._mode = _TEXT
                    content = "".join(self._content)
                    self._content.clear()
                    out.append(self._ends[tag])
                    attrs = self._attrs
                    out.append(CustomBlock(tag, content, attrs.copy()))
                    on_content = self._handlers[tag].on_content
                    if on_content:
                        on_content(content, attrs)
                else:
                    end = text.find(">", pos)
                    if end < 0:
                        self._parts.append(text[pos:])
                        return out
                    listed = self._held + text[pos:end]
                    if self._parts:
                        listed = "".join((self._held, *self._parts, text[pos:end]))
                        self._parts.clear()
                    self._held = ""
                    pos = end + 1
                    tag = self._tag
                    if listed.endswith("/"):
                        mode = self._mode = _TEXT
                        attrs = parse_attributes(listed[:-1])
                        out.append(CustomBlock(tag, "", attrs.copy(), True))
                        on_self_closing = self._handlers[tag].on_self_closing
                        if on_self_closing:
                            on_self_closing(attrs)
                    else:
                        mode = self._mode = _CONTENT
                        self._attrs = attrs = parse_attributes(listed)
                        out.append(CustomBlockStart(tag, attrs.copy()))
                        on_start = self._handlers[tag].on_start
                        if on_start:
                            on_start(attrs)
        except BaseException:
            self._interrupt(out, [TextDelta(text[pos:] + self._half)])
            self._half = ""
            raise
        return out

    def _hold(self, held: str) -> None:
        self._held = held
        self._mode += 2
        if len(held) > self._longest:
            self._parts.append("")
