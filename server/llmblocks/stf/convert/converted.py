"""The result of a conversion and its losses."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


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
    """Collects the losses of a conversion."""

    def __init__(self) -> None:
        self.found: list[Loss] = []

    def add(self, path: str, message: str) -> None:
        """Record a loss."""
        self.found.append(Loss(path, message))

    def converted(self, value: T) -> Converted[T]:
        """Return the result with the collected losses."""
        return Converted(value, tuple(self.found))


def below(path: str, key: object) -> str:
    """Return the path of a key of the object at a path; the path of the whole value is empty."""
    return f"{path}.{key}" if path else str(key)
