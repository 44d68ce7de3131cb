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
    """A tool that calls can name.

    Shape:  `run` is a function or a coroutine function. If its schema is a pydantic model, it gets an instance of the
            model, else the parameters by keyword. `timeout` is in seconds.
    Errors: `TypeError` for a `run` that cannot be called.
    """

    run: Callable[..., Any]
    schema: AnySchema | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        if not callable(self.run):
            raise TypeError(f"a gadget runs a function, not {type(self.run).__name__}: give Gadget(function)")


@dataclass(frozen=True, slots=True)
class Started:
    """A call has started; `ignored` are the pointers of parameters that its JSON Schema forbids."""

    call: GadgetCall
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """A call has finished; `result` is its gadget's return value."""

    call: GadgetCall
    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """A call could not run, or its gadget or schema raised `exception`."""

    call: GadgetCall
    kind: Failure
    error: str
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A call was skipped because of a dependency; `error` is the dependency's, or the reason it can never run."""

    call: GadgetCall
    dependency: str
    error: str


Execution = Started | Finished | Failed | Skipped
"""An event of `execute`."""
