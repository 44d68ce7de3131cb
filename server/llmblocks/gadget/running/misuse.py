"""Checks of the arguments of `plan`, `execute` and `render`."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def check_calls(calls: object, *kinds: type) -> None:
    """Raise `TypeError` for anything but these kinds of iterables of calls."""
    if isinstance(calls, str | bytes | Mapping) or not isinstance(calls, kinds):
        sync = "" if len(kinds) == 1 else ", async or not"
        raise TypeError(f"calls is an iterable of GadgetCall{sync}, not {type(calls).__name__}")


def check_ids(name: str, given: object) -> None:
    """Raise `TypeError` for anything but a collection of ids. A text would be read as one id per character."""
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise TypeError(f"{name} is a collection of ids, such as a set, not {type(given).__name__}")


def check_header(taker: str, call: object) -> None:
    """Raise `TypeError` for values without an id and dependencies.

    `taker` is the function that takes calls, with its verb.
    """
    kind = type(call).__name__
    if isinstance(call, type) or not hasattr(call, "invocation_id") or not hasattr(call, "dependencies"):
        raise TypeError(f"{taker} GadgetCall, not {kind}: give it the `call` of each CallEnded event")
    if not isinstance(call.invocation_id, str):
        raise TypeError(f"`invocation_id` of {kind} is a str, not {type(call.invocation_id).__name__}")
    check_ids(f"`dependencies` of {call.invocation_id!r}", call.dependencies)
    for one in call.dependencies:
        if not isinstance(one, str):
            raise TypeError(f"a dependency of {call.invocation_id!r} is the id of a call, not {type(one).__name__}")
