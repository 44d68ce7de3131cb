"""The result of a conversion, and what did not fit into it."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

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
        """Record that something does not fit."""
        self.found.append(Loss(path, message))

    def converted(self, value: T) -> Converted[T]:
        """The result, with everything that was collected."""
        return Converted(value, tuple(self.found))


def below(path: str, key: object) -> str:
    """The path of a key of the object at a path; the path of the whole value is empty."""
    return f"{path}.{key}" if path else str(key)
