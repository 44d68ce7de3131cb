"""The documentation of a gadget, and its parameters as a signature."""

from __future__ import annotations

from llmblocks.contract.caret import Signature
from llmblocks.contract.markup import shortened
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.parameters import Parameter, parameters_of

_MOST = 50


def _parameters(gadget: GadgetSchema) -> list[Parameter]:
    schema = gadget.prepared
    return [] if schema is None else parameters_of(schema)[:_MOST]


def documentation(gadget: GadgetSchema) -> str:
    """A gadget and its parameters in Markdown."""
    lines = [shortened(gadget.description)] if gadget.description else []
    listed = [f"- `{each.pointer}`: {each.summary}" for each in _parameters(gadget)]
    return "\n\n".join([*lines, "\n".join(listed)] if listed else lines)


def signature(gadget: GadgetSchema, pointer: str) -> Signature:
    """The parameters of a gadget, the one at a pointer active."""
    parameters = _parameters(gadget)
    labels = [f"{each.pointer}{'' if each.required else '?'}" for each in parameters]
    name = pointer.partition("/")[0]
    active = next((number for number, each in enumerate(parameters) if each.pointer == name), -1)
    pairs = tuple([(label, each.summary) for label, each in zip(labels, parameters, strict=True)])
    return Signature(f"{gadget.name}({', '.join(labels)})", shortened(gadget.description), pairs, active)
