"""Fixes of what schemas say about the arguments of gadget calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from llmblocks.contract.arguments import Parameters
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.arguments import judge
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.rules import G202_UNKNOWN_PARAMETER, G203_MISSING_PARAMETER
from llmblocks.gadget.syntax.values import coerce, shown
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix, Parts, other_parts, rewriting
from llmblocks.rules.fixes.arguments import WrongArgument, subject_of

_MOST = 8
_MOST_CHOICES = 20
_DEEPEST = 4


def renamed_parameter(finding: Finding, ask: Ask) -> Iterator[Fix]:
    near = finding.data.get("near")
    for subject in subject_of(finding, ask) if isinstance(near, str) else ():
        # no schema could check the value of an unknown parameter
        yield subject.respelt(finding, str(near), f"Change this parameter to `{near}`", uncovers=True)


def replaced_value(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give the argument an allowed value, the most similar first."""
    choices = finding.data.get("choices")
    written = ask.document.slice(finding.start, finding.end)
    texts = [text for choice in choices if (text := _text(choice)) is not None] if isinstance(choices, tuple) else []
    texts.sort(key=lambda text: -SequenceMatcher(None, text.lower(), written.lower()[:100]).ratio())
    for subject in subject_of(finding, ask, in_value=True):
        yield from _other_values(subject, finding, written, texts[:_MOST_CHOICES])


def other_value(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give an argument an allowed value, or remove it."""
    written = ask.document.slice(finding.start, finding.end)
    for subject in subject_of(finding, ask, in_value=True):
        given = admitted(subject.schema, subject.argument.pointer) if subject.schema is not None else ()
        texts = [text for each in given if (text := _text(each)) is not None]
        yield from _other_values(subject, finding, written, texts[:_MOST])
        yield from subject.removed()


def _other_values(subject: WrongArgument, finding: Finding, written: str, texts: list[str]) -> Iterator[Fix]:
    for text in texts if "\n" not in written else ():
        yield rewriting(finding, text, f"Change this value to `{text}`", subject.other_value(written, text))


def given_arguments(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Add the missing argument: rename a misspelt one, or else add all, whose findings share one place."""
    placed = ask.document.section_at(finding.start)
    call, pointer = call_in(placed.section), str(finding.data.get("pointer"))
    gadget = None if call is None else ask.settings.gadgets.find(call.parts.name)
    if call is None or gadget is None or gadget.prepared is None:
        return
    above, _, name = pointer.rpartition("/")
    problems, found = _judged(gadget, call), False
    for each in problems:
        if each.rule is G202_UNKNOWN_PARAMETER and each.data.get("near") == name:
            number = next(at for at, given in enumerate(call.arguments) if each.start <= given.name_end)
            subject = WrongArgument(placed.section, placed.start, call, number, gadget.prepared)
            if subject.argument.pointer.rpartition("/")[0] == above:
                edit = subject.edit(each.start, each.end, name)
                title = f"Change the parameter `{each.data['name']}` to `{name}`"
                yield Fix(title, (edit,), subject.renamed(f"{above}/{name}".lstrip("/")), uncovers=True)
                found = True
    missing = [str(each.data["pointer"]) for each in problems if each.rule is G203_MISSING_PARAMETER]
    values = [value for each in missing for value in _values(gadget.prepared, each, 0)]
    if found or not values:
        return
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

    yield Fix(title, (Edit(at, at, text),), other_parts(given), stops=(*stops,))


# kept for the other missing arguments of the call
_judged = lru_cache(maxsize=4)(judge)


def admitted(schema: Parameters, pointer: str) -> Iterator[object]:
    part = schema.at(pointer) or {}
    yield from _stated(part)
    if part.get("type") == "boolean":
        yield True


def _values(schema: Parameters, pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the arguments for an allowed value, as far as the schema describes it."""
    part = schema.at(pointer)
    if part is None or depth > _DEEPEST:
        yield pointer, ""
        return
    text = next((text for given in _stated(part) if (text := _text(given)) is not None), None)
    properties, required = part.get("properties"), part.get("required")
    if text is not None:
        yield pointer, text
    elif isinstance(properties, Mapping) and isinstance(required, list):
        for name in required:
            if isinstance(name, str) and "/" not in name:
                yield from _values(schema, f"{pointer}/{name}", depth + 1)
    elif part.get("type") == "array":
        yield from _values(schema, f"{pointer}/0", depth + 1)
    elif part.get("type") != "object":
        yield pointer, ""


def _stated(part: Mapping[str, Any]) -> Iterator[object]:
    """Yield the values that a schema names, and the plainest of its type."""
    for word in ("const", "default"):
        if word in part:
            yield part[word]
    for word in ("enum", "examples"):
        if isinstance(part.get(word), list):
            yield from part[word][:1]
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
