"""What is wrong with the pointers of a call, all of it, each at its place."""

from __future__ import annotations

from typing import Literal, NamedTuple

from llmblocks.core.section import Section
from llmblocks.gadget.editor.view import Call, calls
from llmblocks.gadget.syntax.javascript import leading_integer
from llmblocks.gadget.syntax.pointer import Parameters, PointerError, Value, assign

_LONGEST_LIST = 1 << 16


class PointerProblem(NamedTuple):
    """One pointer that the runtime rejects.

    Shape: `start` and `end` are the pointer, or the segment that is wrong; `message` is the runtime's wording;
           `first` is the place of the earlier, equal pointer.
    """

    kind: Literal["duplicate", "gap", "index"]
    start: int
    end: int
    message: str
    first: tuple[int, int] | None = None


def pointer_problems(section: Section) -> tuple[PointerProblem, ...]:
    """Every duplicate pointer, array index gap and invalid array index in the calls of a section.

    The runtime stops at the first one. Here a wrong index counts as if it were right, so that what follows it is
    judged by itself.
    """
    return section.remember(_problems)


def _problems(section: Section) -> tuple[PointerProblem, ...]:
    return tuple(problem for call in calls(section) for problem in _of_call(call))


def _of_call(call: Call) -> list[PointerProblem]:
    pointers = [argument.pointer for argument in call.arguments]
    if "/" not in "".join(pointers) and len(set(pointers)) == len(pointers):
        return []
    found = []
    seen: dict[str, tuple[int, int]] = {}
    root: Parameters = {}
    for argument in call.arguments:
        pointer, place = argument.pointer, (argument.name, argument.name_end)
        if not pointer:
            continue  # the runtime drops its value before it looks at the pointer
        if pointer in seen:
            found.append(PointerProblem("duplicate", *place, f"Duplicate pointer: {pointer}", seen[pointer]))
            continue
        seen[pointer] = place
        try:
            assign(root, pointer, "")
        except PointerError as error:
            if error.kind not in ("array_gap", "bad_index") or error.place is None:
                continue
            segments = pointer.split("/")
            start = argument.name + sum(len(segment) + 1 for segment in segments[: error.place])
            end = start + len(segments[error.place])
            kind: Literal["gap", "index"] = "gap" if error.kind == "array_gap" else "index"
            found.append(PointerProblem(kind, start, end, error.message))
            if kind == "gap":
                _extend(root, segments[: error.place], segments[error.place])
    return found


def _extend(root: Parameters, path: list[str], index: str) -> None:
    """Let the list at `path` reach up to `index`, so that the next index is not one more gap."""
    current: Value = root
    for segment in path:
        if isinstance(current, list):
            current = current[int(leading_integer(segment) or 0)]
        elif isinstance(current, dict):
            current = current[segment]
    number = leading_integer(index) or 0
    if isinstance(current, list) and number < _LONGEST_LIST:
        current.extend([""] * (int(number) + 1 - len(current)))
