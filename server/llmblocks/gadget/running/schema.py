"""The schema of a gadget's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.gadget.rules import CONSTRAINT_VIOLATED
from llmblocks.gadget.running.assertions import Invalid
from llmblocks.gadget.running.mcp import understood
from llmblocks.gadget.running.metaschema import require_schema
from llmblocks.gadget.running.parts import JsonSchema, as_float64, elements, is_tuple, member, plain, scalar
from llmblocks.gadget.running.validation import Path, TooComplexError, Validation
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.pointer_errors import ErrorKind
from llmblocks.gadget.syntax.values import Expected

if TYPE_CHECKING:
    from pydantic import BaseModel

_REMEMBERED: Final = 1024


class Issue(NamedTuple):
    """A validation error at a pointer ("" for all parameters)."""

    kind: Invalid | ErrorKind
    pointer: str
    message: str
    """The runtime's message, if it has one."""
    choices: tuple[Any, ...] = ()
    """The allowed values, if the value is not one of them."""


TOO_DEEP: Final = Issue("constraint", "", CONSTRAINT_VIOLATED.says({"case": "too-deep"}))


class Checked(NamedTuple):
    """The parameters for a gadget, with the forbidden pointers and the errors."""

    parameters: Parameters
    ignored: tuple[str, ...]
    issues: tuple[Issue, ...]
    of_server: tuple[Issue, ...] = ()
    """The errors of an MCP tool's schema that llmist does not check: it sends the call."""


class ParameterSchema:
    """A gadget's parameter schema, prepared once and used for many calls.

    It is made from a JSON Schema (draft 4 to 2020-12, chosen by `$schema`) or a pydantic model class; anything else
    raises `TypeError`, and `check` raises `ValueError` for an invalid JSON Schema. If `timed`, patterns run in another
    process, and one that takes too long matches: for editors, which show what they find. With `mcp`, it is the schema
    of an MCP tool, of which llmist reads a part.
    """

    def __init__(self, schema: JsonSchema | type[BaseModel], *, timed: bool = False, mcp: bool = False) -> None:
        self._timed = timed
        self.model: type[BaseModel] | None = None
        if isinstance(schema, Mapping):
            self.json: JsonSchema = as_float64(schema)
        elif isinstance(schema, type) and hasattr(schema, "model_json_schema"):
            self.model = schema
            self.json = schema.model_json_schema()
        else:
            how = ": read it with json.loads first" if isinstance(schema, str | bytes) else ""
            raise TypeError(
                f"a schema is a JSON Schema as a dict, or a pydantic model class, not {type(schema).__name__}{how}"
            )
        read = understood(self.json) if mcp and self.model is None else None
        self._runtime = None if read is None else ParameterSchema(read, timed=timed)
        self._parts: dict[str, JsonSchema | None] = {}
        self._is_valid = False

    def expected(self, pointer: str) -> Expected:
        """Return the type that decides the coercion at a pointer; "unknown" if the schema leaves it open.

        Source: llmist's executor, with zod's types recovered from the JSON Schema that zod writes for them.
        """
        if self._runtime is not None:
            return self._runtime.expected(pointer)
        *above, found = self._on_the_way(pointer)
        for around, segment in zip(above, pointer.split("/"), strict=False):
            # llmist does not type the elements after the listed ones of a tuple
            is_listed = segment.isdecimal() and int(segment[:9]) < len(elements(around or {})[0])
            if around is not None and is_tuple(around) and not is_listed:
                return "unknown"
        return scalar(self.json, found, set())

    def at(self, pointer: str) -> JsonSchema | None:
        """Return the part of the schema at a pointer, with references followed, or None."""
        return self._on_the_way(pointer)[-1]

    def _on_the_way(self, pointer: str) -> list[JsonSchema | None]:
        """Return the parts of the schema from the root to a pointer."""
        if len(self._parts) >= _REMEMBERED:
            self._parts.clear()  # pointers come from a model: their number is unbounded
        found, path = [plain(self.json, self.json)], ""
        for segment in pointer.split("/") if pointer else ():
            path += f"/{segment}"
            if path not in self._parts:
                self._parts[path] = plain(self.json, member(self.json, found[-1], segment))
            found.append(self._parts[path])
        return found

    def check(self, parameters: Parameters) -> Checked:
        """Add defaults, drop parameters that the JSON Schema forbids, and validate.

        Source: llmist, whose zod drops unknown keys at any depth and runs.
        """
        if self._runtime is not None:
            sent = self._runtime.check(parameters)
            if sent.issues:
                return sent
            return sent._replace(of_server=self._check(sent.parameters).issues)
        return self._check(parameters)

    def prepare(self) -> None:
        """Do the work of the first `check` in advance.

        Raises:
            ValueError: The schema is invalid.
        """
        if not self._is_valid:
            require_schema(self.json)
            self._is_valid = True

    def _check(self, parameters: Parameters) -> Checked:
        self.prepare()
        validation = Validation(self.json, parameters, lenient=self._timed)
        try:
            filled, dropped, flaws = validation.parsed(self.json, parameters)
        except RecursionError:
            return Checked(parameters, (), (TOO_DEEP,))
        except TooComplexError as error:
            return Checked(parameters, (), (Issue("constraint", "", str(error)),))
        issues: dict[tuple[str, str], Issue] = {}
        for flaw in flaws:
            pointer = _pointer(flaw.path)
            issues.setdefault((pointer, flaw.message), Issue(flaw.kind, pointer, flaw.message, flaw.choices))
        return Checked(filled, (*dict.fromkeys(map(_pointer, dropped)),), (*issues.values(),))


def _pointer(path: Path) -> str:
    return "/".join(map(str, path))
