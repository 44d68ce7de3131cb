"""What a conversion gives: the result, and what did not fit into it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Loss(NamedTuple):
    """Something that the target cannot hold: where it is in the source (`messages[2].extra`), and what became of it."""

    path: str
    message: str


class Converted(NamedTuple, Generic[T]):
    """The result of a conversion, and everything that it does not hold; `lost` is empty where nothing was lost."""

    value: T
    lost: tuple[Loss, ...]


class Losses:
    """Collects what is lost while a conversion runs."""

    def __init__(self) -> None:
        self.found: list[Loss] = []

    def add(self, path: str, message: str) -> None:
        """Say that something does not fit."""
        self.found.append(Loss(path, message))

    def converted(self, value: T) -> Converted[T]:
        """The result, with everything that was collected."""
        return Converted(value, tuple(self.found))


def rest(value: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """The keys of an object that are none of those."""
    return {key: item for key, item in value.items() if key not in known}


def data_url(mime: str, data: str) -> str:
    """A resource in base64 as a URL."""
    return f"data:{mime};base64,{data}"


def split_data_url(url: str) -> tuple[str, str] | None:
    """The type and the base64 of a `data:` URL; None for any other URL."""
    if not url.startswith("data:"):
        return None
    head, comma, data = url[5:].partition(",")
    mime, semicolon, encoding = head.rpartition(";")
    return (mime, data) if comma and semicolon and encoding == "base64" else None


def is_fetchable(url: str) -> bool:
    """Whether a service elsewhere could read a URL: a path on this machine it cannot."""
    return url.startswith(("http://", "https://", "data:"))
