"""Registered tags in streamed text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar, overload

from llmblocks.core.chunks import ScannedChunks, not_text, size_of
from llmblocks.core.scan import Kind
from llmblocks.tags import deltas, kinds
from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEnd, CustomBlockStart, TagDelta, TextDelta
from llmblocks.tags.scanner import CONTENT, TAIL, TagScanner
from llmblocks.tags.syntax import is_name, parse_attributes

_IN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_Other = TypeVar("_Other")


@dataclass(frozen=True, slots=True)
class TagHandler:
    """The callbacks of a registered tag, all optional. `ValueError` for anything but a function.

    Attributes:
        on_start: Called with the attributes at the end of an opening tag, before any content.
        on_content: Called with the content and the attributes when the block is complete, or cut off by the end of the
            stream.
        on_self_closing: Called with the attributes instead of both for `<done/>`.
    """

    on_start: Callable[[dict[str, str]], object] | None = None
    on_content: Callable[[str, dict[str, str]], object] | None = None
    on_self_closing: Callable[[dict[str, str]], object] | None = None

    def __post_init__(self) -> None:
        deltas.need_callables(self, "on_start", "on_content", "on_self_closing")


NAME_RULE = "tag names are ASCII letters, digits, `_` and `-`, and begin with a letter or `_`"


class TagStream:
    """Takes registered XML-like tags out of a stream of text deltas.

    `process(delta)` and `flush()` return the deltas to pass on; anything that is not a `TextDelta` passes through
    unchanged. `flush` ends the stream: the text held back is emitted, and an open block is complete. Never raises for
    any text. Exceptions of a handler reach the caller; the next call returns the deltas made before, and those of the
    rest of the chunk.

    Raises:
        ValueError: `tags` is not a mapping to handlers.
        TypeError: A chunk is not text, or a delta is text.

    Source: the custom blocks document, "StreamTagParser".
    """

    def __init__(self, tags: Mapping[str, TagHandler]) -> None:
        deltas.need_mapping("TagStream", tags, 'TagStream({"think": TagHandler()})')
        for name, handler in tags.items():
            if not isinstance(handler, TagHandler):
                given = deltas.shown(handler)
                raise ValueError(f"the handler of {name!r} is {given}: give a TagHandler, such as TagHandler()")
            if not is_name(name):
                # the reference accepts such names, although they never match
                warnings.warn(f"the tag {name!r} is never met: {NAME_RULE}", UserWarning, stacklevel=2)
        self._handlers = dict(tags)
        self._scanner = TagScanner(self._handlers, whole_names=True)
        # Not empty only after a handler raised: deltas not yet returned, and what is not yet read.
        self._out: list[Any] = []
        self._tokens: Iterator[tuple[Kind | None, Any]] = iter(())
        self._begin()

    def _begin(self) -> None:
        """Begin a text."""
        self._chunks = ScannedChunks(self._scanner)
        self._tag = ""
        self._head = ""
        """The beginning of the tag whose attributes are read."""
        self._list: list[str] = []
        self._attrs: dict[str, str] = {}
        self._content: list[str] = []
        self._more: list[str] = []
        """The rest of the name that is held back."""

    @overload
    def process(self, delta: TextDelta) -> list[TagDelta]: ...

    @overload
    def process(self, delta: _Other) -> list[TagDelta | _Other]: ...

    def process(self, delta: object) -> list[Any]:
        """Read a delta, and return the deltas that it completes."""
        if isinstance(delta, TextDelta):
            text = delta.delta
            try:
                held = self._chunks.held
                if held:
                    if held[0] == "<" and _IN_NAME.match(held, len(held) - 1) and _IN_NAME.fullmatch(text):
                        # held back until it ends, however long it is
                        self._more.append(text)
                        return []
                    self._chunks.held = "".join((held, *self._more))
                    self._more.clear()
                elif "<" not in text and text.isascii() and not self._out:
                    # without a tag, there is nothing to scan
                    mode = self._chunks.state.mode
                    if mode <= TAIL:
                        return [delta] if text else []
                    if mode == CONTENT:
                        return [self._growth(text)] if text else []
            except (TypeError, AttributeError):
                raise not_text(text) from None
        elif isinstance(delta, str | bytes):
            raise TypeError(f"{deltas.shown(delta)} is not a delta: use feed(text), or process(TextDelta(text))")
        more = self._chunks.take(delta.delta) if isinstance(delta, TextDelta) else iter(((None, delta),))
        self._tokens = chain(self._tokens, more)
        return self._go_on()

    @property
    def held(self) -> str:
        """The text held back: a tag that is not complete. The white space after its name is one blank here."""
        return "".join((self._head, *self._list, self._chunks.held, *self._more))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy of it."""
        return len(self._head) + size_of(self._list) + len(self._chunks.held) + size_of(self._more)

    def feed(self, text: str) -> list[TagDelta]:
        """Read a chunk of text: `process(TextDelta(text))`."""
        return self.process(TextDelta(text))

    def flush(self) -> list[TagDelta]:
        """End the stream, and return the rest. The stream can be used again for a new text."""
        self._out = self._go_on()
        held = self.held if self._head else ""
        self._chunks.held += "".join(self._more)
        for kind, text in self._chunks.take("", True):
            if kind is kinds.CONTENT:
                self._content.append(text)
            elif kind is kinds.TEXT:
                self._out.append(TextDelta(text))
        try:
            if held:
                self._out.append(TextDelta(held))
            elif self._tag:
                self._complete()
        finally:
            self._begin()
        return self._go_on()

    def _go_on(self) -> list[Any]:
        """Read what waits: only after a handler's exception more than the last delta."""
        for kind, text in self._tokens:
            self._read(kind, text)
        self._tokens = iter(())
        out, self._out = self._out, []
        return out

    def _read(self, kind: Kind | None, text: Any) -> None:
        """Read a token, or another delta: the one place where deltas are made."""
        if kind is None:
            self._out.append(text)
        elif kind is kinds.TEXT:
            self._out.append(TextDelta(text))
        elif kind is kinds.CONTENT:
            self._out.append(self._growth(text))
        elif kind is kinds.GAP:
            # the head ends with the first character, unless that is a slash
            self._list.append(text if self._list or text[0] == "/" else text[1:])
        elif kind is kinds.NAME:
            self._head, self._tag = "" if self._tag else f"<{text} ", text
        elif kind is kinds.OPENED:
            has_list = bool(self._list)
            attrs = self._attrs = self._end_list()
            self._out.append(CustomBlockStart(self._tag, attrs.copy()))
            on_start = self._handlers[self._tag].on_start
            if on_start:
                # as in the reference, the block shows changes only if the tag has attributes
                on_start(attrs if has_list else {})
        elif kind is kinds.SELF_CLOSED:
            attrs = self._end_list()
            tag, self._tag = self._tag, ""
            self._out.append(CustomBlock(tag, "", attrs.copy(), True))
            on_self_closing = self._handlers[tag].on_self_closing
            if on_self_closing:
                on_self_closing(attrs)
        elif kind is kinds.CLOSED:
            self._out.append(CustomBlockEnd(self._tag))
            self._complete()

    def _growth(self, text: str) -> CustomBlockDelta:
        self._content.append(text)
        return CustomBlockDelta(self._tag, text)

    def _end_list(self) -> dict[str, str]:
        listed = "".join(self._list)
        self._head = ""
        self._list.clear()
        return parse_attributes(listed)

    def _complete(self) -> None:
        tag, self._tag = self._tag, ""
        content = "".join(self._content)
        self._content.clear()
        self._out.append(CustomBlock(tag, content, self._attrs.copy()))
        on_content = self._handlers[tag].on_content
        if on_content:
            on_content(content, self._attrs)
