"""The gadgets and the events of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.running.parameters import AnySchema

Failure = Literal["unknown_gadget", "unreadable", "invalid", "raised", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Gadget:
    """A tool that calls can name. A `run` that cannot be called raises `TypeError`."""

    run: Callable[..., Any]
    """A function or a coroutine function. With a pydantic model as its schema, it gets an instance of the model,
    otherwise the parameters by keyword.
    """
    schema: AnySchema | None = None
    timeout: float | None = None
    """In seconds."""

    def __post_init__(self) -> None:
        if not callable(self.run):
            raise TypeError(f"a gadget runs a function, not {type(self.run).__name__}: give Gadget(function)")


@dataclass(frozen=True, slots=True)
class Started:
    """A call has started."""

    call: GadgetCall
    ignored: tuple[str, ...] = ()
    """The pointers of parameters that its JSON Schema forbids."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A call has finished."""

    call: GadgetCall
    result: Any
    """The gadget's return value."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A call could not run, or its gadget or schema raised `exception`."""

    call: GadgetCall
    kind: Failure
    error: str
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A call was skipped because of a dependency."""

    call: GadgetCall
    dependency: str
    error: str
    """The error of the dependency, or the reason why it can never run."""


Execution = Started | Finished | Failed | Skipped
"""An event of `execute`."""
