"""Fixes of the problems of calls against their schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from llmblocks.core.edits import Edit
from llmblocks.core.sequence import Placed
from llmblocks.facts.finding import Finding
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.rules import G202_UNKNOWN_PARAMETER, G203_MISSING_PARAMETER
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.judging import judge
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.values import coerce
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import Parts, other_head, other_parts, renamed
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.gadget.arguments import argument_around, subject_of

_MOST_CHOICES = 20
_DEEPEST = 4
_SPACE = " \t\r\n"


def renamed_gadget(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give the call the name of the most similar gadget."""
    near = finding.data.get("near")
    placed = ask.document.section_at(finding.start)
    call = call_in(placed.section)
    if not isinstance(near, str) or call is None:
        return ()
    # no schema could check the arguments of an unknown gadget
    judged = (placed.start + call.start, placed.start + call.end)
    edits = (Edit(finding.start, finding.end, near),)
    expected = other_head(lambda _, own, others: (near, own, others))
    return (Fix(f"Change the gadget to `{near}`", edits, expected, uncovers=judged),)


def renamed_parameter(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give the argument the name of the most similar parameter."""
    near, subject = finding.data.get("near"), subject_of(finding, ask)
    if not isinstance(near, str) or subject is None:
        return ()
    edits = (Edit(finding.start, finding.end, near),)
    # no schema could check the value of an unknown parameter
    judged = (subject.offset + subject.argument.start, subject.offset + subject.argument.end)
    return (Fix(f"Change this parameter to `{near}`", edits, subject.respelt(finding, near), uncovers=judged),)


def replaced_value(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give the argument an allowed value."""
    choices = finding.data.get("choices")
    written = ask.document.slice(finding.start, finding.end)
    subject = argument_around(finding, ask)
    if not isinstance(choices, tuple) or "\n" in written or subject is None:
        return ()
    texts = [text for choice in choices if (text := _text(choice)) is not None]
    texts.sort(key=lambda text: -SequenceMatcher(None, text.lower(), written.lower()[:100]).ratio())
    return tuple(
        [
            Fix(
                f"Change this value to `{text}`",
                (Edit(finding.start, finding.end, text),),
                subject.other_value(written, text),
            )
            for text in texts[:_MOST_CHOICES]
        ]
    )


def given_arguments(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Add the missing argument: rename a misspelt one, or else add all missing ones.

    Their findings share one place, where the others would look new.
    """
    placed = ask.document.section_at(finding.start)
    call = call_in(placed.section)
    pointer = finding.data.get("pointer")
    if call is None or not isinstance(pointer, str):
        return ()
    gadget = gadget_of(call, ask)
    if gadget is None or gadget.prepared is None:
        return ()
    missing = [str(each.data["pointer"]) for each in _judged(gadget, call) if each.rule is G203_MISSING_PARAMETER]
    values = [value for each in missing for value in _values(gadget.prepared, each, 0)]
    misspelt = [*_misspelt(placed, call, gadget, pointer)]
    if misspelt:
        return (*misspelt,)
    # before all others: the last value loses the white space at its end
    at = placed.start + (call.arguments[0].start if call.arguments else call.header_end + 1)
    text, stops = "", []
    for where, value in values:
        text += f"{ask.settings.markers.arg}{where}\n"
        stops.append((len(text), len(text) + len(value)))
        text += f"{value}\n"
    title = f"Add the argument{'s' if len(values) > 1 else ''} {', '.join(f'`{where}`' for where, _ in values[:4])}"

    def given(parts: Parts) -> Parts:
        return [*((where, coerce(value)) for where, value in values), *parts]

    return (Fix(title, (Edit(at, at, text),), other_parts(given), stops=(*stops,)),) if values else ()


def gadget_of(call: Call, ask: Ask) -> GadgetSchema | None:
    """Return the gadget of a call from the settings."""
    return ask.settings.gadgets.find(call.parts.name)


def _misspelt(placed: Placed, call: Call, gadget: GadgetSchema, pointer: str) -> Iterator[Fix]:
    """Give the name of a missing argument to unknown ones with a similar name."""
    above, _, name = pointer.rpartition("/")
    for each in _judged(gadget, call):
        is_near = each.rule is G202_UNKNOWN_PARAMETER and each.data.get("near") == name
        if is_near and each.argument < len(call.arguments):
            argument = call.arguments[each.argument]
            if argument.pointer.rpartition("/")[0] == above:
                base = placed.start + argument.name
                edits = (Edit(base + each.start, base + each.end, name),)
                judged = (placed.start + argument.start, placed.start + argument.end)
                expected = renamed({each.argument: (argument.pointer, f"{above}/{name}".lstrip("/"))})
                yield Fix(f"Change the parameter `{each.data['name']}` to `{name}`", edits, expected, uncovers=judged)


# kept for the other missing arguments of the call
_judged = lru_cache(maxsize=4)(judge)


def suggested_values(schema: ParameterSchema, pointer: str) -> list[str]:
    """Return the values that a schema names or allows for a parameter."""
    return [text for given in admitted(schema, pointer) if (text := _text(given)) is not None]


def admitted(schema: ParameterSchema, pointer: str) -> Iterator[object]:
    """Yield the values that a schema names or allows for a parameter."""
    part = schema.at(pointer) or {}
    yield from (*_stated(part), *_plain(part))
    if part.get("type") == "boolean":
        yield True


def _values(schema: ParameterSchema, pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the arguments for an allowed value, as far as the schema describes it."""
    part = schema.at(pointer)
    if part is None or depth > _DEEPEST:
        yield pointer, ""
        return
    for given in (*_stated(part), *_plain(part)):
        text = _text(given)
        if text is not None:
            yield pointer, text
            return
    properties, required = part.get("properties"), part.get("required")
    if isinstance(properties, Mapping) and isinstance(required, list):
        for name in required:
            if isinstance(name, str) and "/" not in name:
                yield from _values(schema, f"{pointer}/{name}", depth + 1)
    elif part.get("type") == "array":
        yield from _values(schema, f"{pointer}/0", depth + 1)
    elif part.get("type") != "object":
        yield pointer, ""


def _stated(part: Mapping[str, Any]) -> Iterator[object]:
    """Yield the values that a schema names."""
    for word in ("const", "default"):
        if word in part:
            yield part[word]
    for word in ("enum", "examples"):
        if isinstance(part.get(word), list):
            yield from part[word][:1]


def _plain(part: Mapping[str, Any]) -> Iterator[object]:
    kind = part.get("type")
    if kind == "boolean":
        yield False
    elif kind in ("number", "integer"):
        least = part.get("minimum", 0)
        yield least if isinstance(least, int | float) and least > 0 else 0


def _text(value: object) -> str | None:
    """Return a value as an argument; None if no argument can represent it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return shown(value)
    return value if isinstance(value, str) and "\n" not in value and "\r" not in value else None
