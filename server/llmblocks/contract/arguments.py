"""The arguments of calls against the schemas of tools: what all formats with calls share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from llmblocks.contract.markup import listed

if TYPE_CHECKING:
    from llmblocks.contract.caret import Signature

MOST_PROBLEMS: Final = 200
"""The most problems of a call."""
LONGEST_BODY: Final = 1 << 18
"""A larger call is not judged: all of its arguments are validated at each keystroke in it."""
_LONGEST_NAME: Final = 100


class Issue(NamedTuple):
    """A validation error at a pointer ("" for all parameters)."""

    kind: str
    """"missing", "unknown", "type", "choice", "constraint"; of an unreadable argument, the kind of `PointerProblem`."""
    pointer: str
    message: str
    """The runtime's message, if it has one."""
    choices: tuple[Any, ...] = ()
    """The allowed values, if the value is not one of them."""


class Checked(NamedTuple):
    """The parameters for a gadget, with the forbidden pointers and the errors."""

    parameters: dict[str, Any]
    ignored: tuple[str, ...]
    issues: tuple[Issue, ...]
    of_server: tuple[Issue, ...] = ()
    """The errors of an MCP tool's schema that llmist does not check: it sends the call."""


class Parameters(Protocol):
    """The schema of the parameters of a tool. `json` is the JSON Schema; `at` finds the part at a pointer."""

    @property
    def json(self) -> Any: ...
    def check(self, parameters: Any) -> Checked: ...
    def at(self, pointer: str) -> Mapping[str, Any] | None: ...


class Parameter(NamedTuple):
    """A parameter, or a value inside one."""

    pointer: str
    kind: str
    """Its type, in words."""
    description: str
    required: bool
    choices: tuple[str, ...]
    """The allowed values as written; empty if others are allowed."""
    holds: str = ""

    @property
    def summary(self) -> str:
        """Describe it in one sentence."""
        first = f"{'Required' if self.required else 'Optional'}: {self.kind}"
        return f"{first}. {self.description}" if self.description else f"{first}."


class Schema(Protocol):
    """A tool. `prepared` is None where it takes any arguments; `documentation` is Markdown."""

    @property
    def name(self) -> str: ...
    @property
    def prepared(self) -> Parameters | None: ...
    def documentation(self) -> str: ...
    @property
    def members(self) -> Sequence[Parameter]: ...
    def signature(self, pointer: str) -> Signature: ...


class Schemas(Protocol):
    """The tools that calls may name, such as `llmblocks.gadget.Gadgets`. `complete`: there are no others."""

    @property
    def complete(self) -> bool: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    def find(self, name: str) -> Schema | None: ...
    def nearest(self, name: str) -> Schema | None: ...
    def __hash__(self) -> int: ...


def unknown_tool(name: str, schemas: Schemas) -> dict[str, object] | None:
    """Return the data of the problem that no tool has a name; None if one has, or may have."""
    if not schemas.complete or schemas.find(name) is not None:
        return None
    near = schemas.find(name.strip()) or schemas.nearest(name.strip())
    if near is not None:
        return {"name": name, "advice": f"did you mean `{near.name}`?", "near": near.name}
    return {"name": name, "advice": f"the schemas define {listed(schemas.names)}"}


def unknown_parameter(pointer: str, schema: Parameters) -> dict[str, object]:
    """Return the data of the problem that no parameter has the name at the end of a pointer."""
    above, _, name = pointer.rpartition("/")
    part = schema.at(above) or {}
    properties = part.get("properties")
    names = [*properties] if isinstance(properties, Mapping) else []
    near = nearest(name, names)
    advice = f"did you mean `{near[0]}`?" if near else f"known parameters: {listed(names)}"
    data: dict[str, object] = {"name": name, "advice": advice, "pointer": pointer}
    return data | {"near": near[0]} if near else data


def worth_reporting(issues: Sequence[Issue]) -> Iterator[Issue]:
    """Return the errors without those that a wrong type brings along, at most `MOST_PROBLEMS`."""
    mistyped = {issue.pointer for issue in issues if issue.kind == "type"}
    kept = [issue for issue in issues if issue.kind in ("type", "missing") or issue.pointer not in mistyped]
    return iter(kept[:MOST_PROBLEMS])


def path_of(pointer: str) -> str:
    """Return the place of an argument, as messages name it."""
    return pointer.replace("/", ".") or "root"


def nearest(name: str, names: Iterable[str], count: int = 1) -> list[str]:
    """Return the most similar names, the closest first."""
    return [*_nearest(name[:_LONGEST_NAME], (*names,), count)]


@lru_cache(maxsize=64)
def _nearest(name: str, names: tuple[str, ...], count: int) -> list[str]:
    # the names in a text stay while it is edited and fixed
    from difflib import get_close_matches

    return get_close_matches(name, [other for other in names if other != name], count)
