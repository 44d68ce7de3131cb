"""What a run of gadget calls is given and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from llmblocks.gadget.reading.call import GadgetCall
from llmblocks.gadget.running.parameters import AnySchema

Failure = Literal["unknown_gadget", "unreadable", "invalid", "raised", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Gadget:
    """Something that calls can name.

    Shape:  `run` is a function or a coroutine function. With a pydantic model for its schema it gets an instance of the
            model, else the parameters by keyword. `timeout` is in seconds.
    """

    run: Callable[..., Any]
    schema: AnySchema | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A call begins to run; `ignored` are the pointers of parameters that its JSON Schema does not admit."""

    call: GadgetCall
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """A call has run; `result` is what its gadget returned."""

    call: GadgetCall
    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """A call could not be run, or its gadget or schema raised: `exception` is what it raised, if it did."""

    call: GadgetCall
    kind: Failure
    error: str
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A call was not run because of what it depends on; `error` is that call's, or why it can never run."""

    call: GadgetCall
    dependency: str
    error: str


Execution = Started | Finished | Failed | Skipped
