"""The result of a conversion and its losses."""

from __future__ import annotations

import json
import re
from typing import Any, Generic, NamedTuple, TypeVar

from llmblocks.stf.values.shape import path_name

T = TypeVar("T")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Loss(NamedTuple):
    """Content that the target cannot represent."""

    path: str
    """Its path in the source (`messages[2].extra`)."""
    message: str
    """The effect of the loss."""


class Converted(NamedTuple, Generic[T]):
    """The result of a conversion."""

    value: T
    lost: tuple[Loss, ...]
    """Everything that it does not contain."""


class Losses:
    """Collects the losses of a conversion, at a path of its source. All paths have one list."""

    def __init__(self, keys: tuple[str | int, ...] = (), found: list[Loss] | None = None) -> None:
        self.keys = keys
        self.found: list[Loss] = [] if found is None else found

    def at(self, *keys: str | int) -> Losses:
        """Return the losses at a longer path: keys of objects and indices of lists."""
        return Losses(self.keys + keys, self.found)

    @property
    def path(self) -> str:
        """The path here."""
        return path_name(self.keys)

    def add(self, message: str, *keys: str | int) -> None:
        """Record a loss here, or at a longer path."""
        self.found.append(Loss(self.at(*keys).path, message))

    def converted(self, value: T) -> Converted[T]:
        """Return the result with the collected losses."""
        return Converted(value, tuple(self.found))

    def in_characters(self, value: Any) -> Any:
        """Return plain JSON with surrogate pairs joined and lone surrogates replaced by U+FFFD, which is a loss.

        Python text can contain lone surrogates, but UTF-8, and so a request or a file, cannot.
        """
        if "\\ud" not in repr(value):
            # repr() escapes surrogates, which most values do not have
            return value
        text = json.dumps(value, ensure_ascii=False)
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if joined.count("\ufffd") > text.count("\ufffd"):
            self.add("half a character cannot be sent: it becomes U+FFFD in the request")
        return json.loads(joined)


def escaped(text: str) -> str:
    """Return a JSON text in valid UTF-8: lone surrogates become escapes."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
