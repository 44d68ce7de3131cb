"""Remedies of mistakes in raw completions between which only a person chooses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from llmblocks.completions.calls import WrittenCall, calls_in
from llmblocks.completions.content import argument_end, starts_in, value_of
from llmblocks.completions.delimiters import texts_of
from llmblocks.completions.editor.view import region_at
from llmblocks.completions.regions import TextRegion
from llmblocks.completions.shipped import template_called
from llmblocks.completions.template import PLACEHOLDER, TemplateField
from llmblocks.completions.writing import argument_as_text, value_as_text
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.json5.reader import ValuePlace, read
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.gadget.schemas import admitted
from llmblocks.rules.removal import removals

_MOST: Final = 8


class _Region(NamedTuple):
    """The region of a finding. Its places count from `start`; `text` is that of its section."""

    region: TextRegion
    field: TemplateField
    start: int
    text: str

    @property
    def content(self) -> str:
        return self.text[self.region.content : self.region.content_end]

    def fix(self, title: str, *edits: tuple[int, int, str], uncovers: bool = False) -> Fix:
        """Return the fix with these edits."""
        made = sorted([Edit(start + self.start, end + self.start, new) for start, end, new in edits])
        whole = (self.region.start + self.start, self.region.end + self.start) if uncovers else None
        return Fix(title, (*made,), becoming(*made), uncovers=whole)


class _Argument(NamedTuple):
    """The argument of a finding. `pointer` is empty for the call itself."""

    inside: _Region
    call: WrittenCall
    pointer: str

    @property
    def path(self) -> str:
        """The pointer of the object around it, with its slash."""
        above = self.pointer.rpartition("/")[0]
        return f"{above}/" if above else ""

    def value(self) -> Any:
        """Return the value of it; None where it is not known."""
        found: Any = self.call.arguments
        for key in self.pointer.split("/"):
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def siblings(self) -> list[tuple[str, int, int]]:
        """Return the arguments beside it and itself, with their places."""
        found = [each for each in self.call.places if each.startswith(self.path) and "/" not in each[len(self.path) :]]
        return sorted([(each, *self.call.wholes[each]) for each in found], key=lambda each: each[1])

    def removed(self) -> Iterator[Fix]:
        """Yield the fix that removes it, with its comma or its line."""
        places = self.siblings()
        number = next((at for at, each in enumerate(places) if each[0] == self.pointer), None)
        if number is None:
            return
        _, start, end = places[number]
        if self.inside.field.content == "xml-inline":
            before, behind = self.inside.text[:start], self.inside.text[end:]
            if before.endswith("\n") and behind.startswith("\n"):
                end += 1
        elif number + 1 < len(places):
            end = places[number + 1][1]
        elif number:
            start = places[number - 1][2]
        name = self.pointer.rpartition("/")[2]
        yield self.inside.fix(f"Remove this argument `{name}`", (start, end, ""))


def _region(finding: Finding, ask: Ask) -> _Region | None:
    placed = ask.document.section_at(finding.start)
    found = region_at(placed.section, finding.start - placed.start, template_called(ask.settings.template))
    return (
        None if found is None or found.field is None else _Region(found, found.field, placed.start, placed.section.text)
    )


def _argument(finding: Finding, ask: Ask) -> _Argument | None:
    inside = _region(finding, ask)
    if inside is None:
        return None
    at = finding.start - inside.start, finding.end - inside.start
    value, _ = value_of(inside.field, inside.content, inside.region.captures)
    for call in calls_in(inside.text, inside.region, value):
        pointer = next((each for each, places in call.places.items() if at in places), None)
        if pointer is not None or at == call.named:
            return _Argument(inside, call, pointer or "")
    return None


def _parameters(found: _Argument, ask: Ask) -> Any:
    gadget = ask.settings.gadgets.find(found.call.name)
    return None if gadget is None else gadget.prepared


def renamed_tool(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Call one of the tools that the settings know, the nearest first."""
    found, near = _argument(finding, ask), finding.data.get("near")
    if found is None or ask.document.slice(finding.start, finding.end) != found.call.name:
        return ()
    names = sorted(ask.settings.gadgets.names, key=lambda name: name != near)[:_MOST]
    return tuple([found.inside.fix(f"Call `{name}`", (*found.call.named, name), uncovers=True) for name in names])


def other_parameter(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an argument the name of a parameter that the call lacks, the nearest first, or remove it."""
    found, near = _argument(finding, ask), finding.data.get("near")
    schema = None if found is None else _parameters(found, ask)
    if found is None or not found.pointer or schema is None:
        return ()
    given = {pointer[len(found.path) :] for pointer, *_ in found.siblings()}
    properties = (schema.at(found.path.rstrip("/")) or {}).get("properties")
    known = [name for name in properties if name not in given] if isinstance(properties, Mapping) else []
    known.sort(key=lambda name: name != near)
    at = found.call.name_of(found.pointer)
    renamed = [
        found.inside.fix(f"Change this parameter to `{name}`", (*at, name), uncovers=True) for name in known[:_MOST]
    ]
    return (*renamed, *found.removed()) if near else (*found.removed(), *renamed)


def given_argument(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Add an argument that is missing, with a value that the schema names, or for the author to fill in."""
    found = _argument(finding, ask)
    schema = None if found is None else _parameters(found, ask)
    pointer = str(finding.data["pointer"])
    if found is None or schema is None or (found.inside.field.content == "xml-inline" and "/" in pointer):
        return ()
    above, _, name = pointer.rpartition("/")
    around = found.call.value_of(above) if above else found.call.object
    if around is None:
        return ()
    values = [*admitted(schema, pointer)][:_MOST] or [_EMPTY.get(str((schema.at(pointer) or {}).get("type")), "")]
    return tuple([_added(found, around, name, value) for value in values])


_EMPTY: Final[dict[str, Any]] = {"array": [], "object": {}}


def _added(found: _Argument, around: tuple[int, int], name: str, value: Any) -> Fix:
    written = argument_as_text(found.inside.field, name, value)
    start, end = around
    if found.inside.field.content == "xml-inline":
        begins_line = found.inside.text[start : start + 1] == "\n"
        at = start + begins_line
        written = f"{written}\n" if begins_line else written
    else:
        at = start + 1
        written = f"{written}, " if found.inside.text[at : end - 1].strip() else written
    shown = value_as_text(found.inside.field, value).strip('"')
    return found.inside.fix(f"Add the argument `{name}`" + (f": `{shown}`" if shown else ""), (at, at, written))


def other_value(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an argument a value that its schema allows, or remove it."""
    found = _argument(finding, ask)
    schema = None if found is None else _parameters(found, ask)
    if found is None or not found.pointer or schema is None:
        return ()
    at = found.call.value_of(found.pointer)
    part = schema.at(found.pointer) or {}
    longest = part.get("maxLength")
    written = found.value()
    values = [*admitted(schema, found.pointer)]
    fixes = []
    if isinstance(written, str) and isinstance(longest, int) and 0 <= longest < len(written):
        shorter = value_as_text(found.inside.field, written[:longest])
        fixes.append(found.inside.fix(f"Shorten it to {longest} characters", (*at, shorter)))
    fixes += [
        found.inside.fix(f"Change this value to `{text}`", (*at, text))
        for value in values[:_MOST]
        if (text := value_as_text(found.inside.field, value))
    ]
    return (*fixes, *found.removed())


def ended_before(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End a region, or an argument, before the one that begins inside of it."""
    inside = _region(finding, ask)
    if inside is None:
        return ()
    region, at = inside.region, finding.start - inside.start
    of_argument = str(finding.data.get("close", ""))
    close = (
        of_argument
        or inside.text[region.content_end : region.end]
        or next(iter(texts_of(inside.field, opens=False)), "")
    )
    edits = [(at, at, close + ("\n" if inside.text[:at].endswith("\n") else ""))]
    if region.closed and not of_argument:
        gone = removals(ask.document, inside.start + region.content_end, inside.start + region.end)[0]
        edits.append((gone.start - inside.start, gone.end - inside.start, ""))
    return (inside.fix(f"End `{finding.data['field']}` here with {close}", *edits),) if close else ()


def closed_argument(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close an argument, or remove text that belongs to none."""
    inside = _region(finding, ask)
    if inside is None:
        return ()
    start, end = finding.start - inside.start, finding.end - inside.start
    fixes = []
    args = inside.field.args
    if inside.field.content == "xml-inline" and any(starts_in(inside.text, args, start, end)):
        value = re.compile("[^<]*").match(inside.text, end, inside.region.content_end)
        text = value[0].rstrip() if value else ""
        at = end + len(text)
        line = "\n" if text.startswith("\n") else ""
        close = argument_end(args)
        fixes = [inside.fix(f"Close it with {close}", (at, at, line + close))]
        end = at
    gone = removals(ask.document, inside.start + start, inside.start + end)[-1 if "\n" in inside.text[start:end] else 0]
    return (*fixes, inside.fix("Remove this text", (gone.start - inside.start, gone.end - inside.start, "")))


def given_part(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an unread key the name that is missing, or add arguments that are."""
    inside, part = _region(finding, ask), str(finding.data.get("part", ""))
    node = None if inside is None or inside.field.content != "json" else read(inside.content).node
    if inside is None or node is None or not part:
        return ()
    used = {each.rpartition(".")[2] for each in PLACEHOLDER.findall(json.dumps(inside.field.transform))}
    fixes: list[Fix] = []
    for each in [node, *[value for _, _, _, value in node.items]]:
        keys = [key for key, *_ in each.items]
        if inside.content[each.start : each.start + 1] == "{" and part not in keys:
            fixes += _parts(inside, each, part, used)
            break
    return (*fixes,)


def _parts(inside: _Region, node: ValuePlace, part: str, used: set[str]) -> Iterator[Fix]:
    base = inside.region.content
    for key, start, end, _ in node.items:
        if key not in used:
            yield inside.fix(f"Rename `{key}` to `{part}`", (base + start, base + end, json.dumps(part)), uncovers=True)
    if part in ("arguments", "parameters"):
        at = base + node.start + 1
        yield inside.fix(f"Add empty `{part}`", (at, at, f'"{part}": {{}}{", " if node.items else ""}'), uncovers=True)
