"""The call at a cursor, for the refactorings of gadget calls."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.gadget import kinds
from llmblocks.gadget.call import ArgumentView, Call, read_body
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.writing import RenderError, render
from llmblocks.json5.finite import once
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST
from llmblocks.stf.kinds import ESCAPE

_READ = kinds.CALL - {kinds.END} | {ESCAPE}


class ChosenCall(NamedTuple):
    """A call with an end marker, without text of other formats inside."""

    base: int
    """The places in `call` count from here."""
    call: Call
    here: int
    """The place of the cursor."""
    body: str
    """The text between header and end marker, as the runtime reads it."""
    arg: str
    schema: ParameterSchema | None

    @property
    def parameters(self) -> Parameters | None:
        """Return the parameters as the runtime reads them, without defaults; None if it rejects the call."""
        return self.call.decoded(self.schema.expected if self.schema else None)[0]

    def read(self, body: str) -> Parameters | None:
        """Return the parameters for another body."""
        return read_body(body, self.arg).decoded(self.schema.expected if self.schema else None)[0]

    @property
    def argument(self) -> ArgumentView | None:
        """Return the argument that contains the cursor."""
        return next((each for each in self.call.arguments if each.start <= self.here < each.end), None)

    def value(self, argument: ArgumentView) -> str:
        """Return the value of an argument as written."""
        text = self.call.said(argument.value, argument.end)
        return text.replace("\r\n", "\n") if self.call.crlf else text

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return an edit, given places in the section."""
        return Edit(self.base + start, self.base + end, text)


def call_at(ask: Ask) -> ChosenCall | None:
    """Return the call at a cursor; None if it has no end, is too long, or contains comments."""
    placed = ask.document.section_at(ask.position)
    near = call_in(placed.section)
    if near is None:
        return None
    markers = ask.settings.markers
    base, here = placed.start, ask.position - placed.start
    if not near.closed or not near.start <= here <= ask.end - base <= near.end + len(markers.end):
        return None
    if any(near.start <= start < near.end and kind not in _READ for kind, start, _ in placed.section.spans()):
        return None
    body = near.body
    if len(body) > LONGEST:
        return None
    return ChosenCall(base, near, here, body, markers.arg, ask.settings.gadgets.schema(near.parts.name))


def as_json(value: object) -> str:
    """Return readable JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def from_json(text: str) -> Any:
    """Return the value of a JSON text that is a non-empty object or array; None for any other text."""
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return value or None


class _Body(NamedTuple):
    parameters: dict[str, Any]
    name: str = "a"
    invocation_id: str = "a"
    dependencies: tuple[str, ...] = ()


def arguments_of(parameters: dict[str, Any], ask: Ask, schema: ParameterSchema | None) -> str:
    """Write parameters as arguments.

    Raises:
        RenderError: The format cannot represent a value.
    """
    markers = ask.settings.markers
    try:
        written = render(_Body(parameters), markers=markers, schema=schema)
    except (RecursionError, OverflowError) as error:
        raise RenderError("", str(error)) from None
    return written.partition("\n")[2].removesuffix(f"{markers.end}\n")
