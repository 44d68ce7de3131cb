"""Fixes of raw completions: their regions, calls and arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from llmblocks.completions.calls import WrittenCall, calls_in
from llmblocks.completions.content import argument_end, starts_in, value_of
from llmblocks.completions.machine import TextRegion, texts_of
from llmblocks.completions.scanner import region_at
from llmblocks.completions.shipped import template_called
from llmblocks.completions.template import PLACEHOLDER, TemplateField
from llmblocks.completions.writing import argument_as_text, value_as_text
from llmblocks.contract.arguments import Parameters
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.json5.reader import read
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix, becoming, removals
from llmblocks.rules.fixes.parameters import admitted
from llmblocks.rules.fixes.texts import written

_MOST: Final = 8


def closed(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close a region at the end of the text, and complete its JSON."""
    close, missing = str(finding.data["close"]), str(finding.data.get("missing", ""))
    if close and ("case" not in finding.data or missing):
        at = len(ask.document)
        yield becoming(f"Close the region with {close}", Edit(at, at, missing + close))


def opened(finding: Finding, _: Ask) -> Iterator[Fix]:
    if opening := str(finding.data["opening"]):
        yield becoming(f"Begin with {opening}", Edit(0, 0, opening))


def completed(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Complete a JSON text at its end, or escape the delimiter in its string."""
    if finding.data.get("case") == "delimiter":
        yield from written(finding, ask)
    elif missing := str(finding.data.get("missing", "")):
        at = finding.start + len(ask.document.slice(finding.start, finding.end).rstrip())
        yield becoming(f"Add {missing}", Edit(at, at, missing))


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
        made = sorted([Edit(start + self.start, end + self.start, new) for start, end, new in edits])
        return becoming(title, *made, uncovers=uncovers)


class _Argument(NamedTuple):
    """The argument of a finding. `pointer` is empty for the call itself."""

    inside: _Region
    call: WrittenCall
    pointer: str
    schema: Parameters | None
    """The parameters of the tool, if they are known."""

    @property
    def is_xml(self) -> bool:
        return self.inside.field.content == "xml-inline"

    @property
    def path(self) -> str:
        above = self.pointer.rpartition("/")[0]
        return f"{above}/" if above else ""

    def value(self) -> Any:
        found: Any = self.call.arguments
        for key in self.pointer.split("/"):
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def siblings(self) -> list[tuple[str, int, int]]:
        found = [each for each in self.call.places if each.startswith(self.path) and "/" not in each[len(self.path) :]]
        return sorted([(each, *self.call.places[each].whole) for each in found], key=lambda each: each[1])

    def removed(self) -> Iterator[Fix]:
        places = self.siblings()
        number = next((at for at, each in enumerate(places) if each[0] == self.pointer), None)
        if number is None:
            return
        _, start, end = places[number]
        if self.is_xml:
            before, behind = self.inside.text[:start], self.inside.text[end:]
            if before.endswith("\n") and behind.startswith("\n"):
                end += 1
        elif number + 1 < len(places):
            end = places[number + 1][1]
        elif number:
            start = places[number - 1][2]
        name = self.pointer.rpartition("/")[2]
        yield self.inside.fix(f"Remove this argument `{name}`", (start, end, ""))


def _region(finding: Finding, ask: Ask) -> Iterator[_Region]:
    placed = ask.document.section_at(finding.start)
    found = region_at(placed.section, finding.start - placed.start, template_called(ask.settings.template))
    if found is not None and found.field is not None:
        yield _Region(found, found.field, placed.start, placed.section.text)


def _argument(finding: Finding, ask: Ask) -> Iterator[_Argument]:
    """Yield the argument, or the call, of a finding."""
    for inside in _region(finding, ask):
        at = finding.start - inside.start, finding.end - inside.start
        value, _ = value_of(inside.field, inside.content, inside.region.captures)
        for call in calls_in(inside.text, inside.region, value):
            gadget = ask.settings.gadgets.find(call.name)
            schema = None if gadget is None else gadget.prepared
            pointer = next((each for each, places in call.places.items() if at in places[:2]), None)
            if pointer is not None or at == call.named:
                yield _Argument(inside, call, pointer or "", schema)
                return


def renamed_tool(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Call one of the tools that the settings know, the nearest first."""
    near = finding.data.get("near")
    for found in _argument(finding, ask):
        if ask.document.slice(finding.start, finding.end) == found.call.name:
            for name in sorted(ask.settings.gadgets.names, key=lambda name: name != near)[:_MOST]:
                yield found.inside.fix(f"Call `{name}`", (*found.call.named, name), uncovers=True)


def other_parameter(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give an argument the name of a parameter that the call lacks, the nearest first, or remove it."""
    near = finding.data.get("near")
    for found in _argument(finding, ask):
        if not found.pointer or found.schema is None:
            return
        given = {pointer[len(found.path) :] for pointer, *_ in found.siblings()}
        properties = (found.schema.at(found.path.rstrip("/")) or {}).get("properties")
        known = [name for name in properties if name not in given] if isinstance(properties, Mapping) else []
        known.sort(key=lambda name: name != near)
        at = found.call.nearest(found.pointer).name
        renamed = [
            found.inside.fix(f"Change this parameter to `{name}`", (*at, name), uncovers=True) for name in known[:_MOST]
        ]
        yield from (*renamed, *found.removed()) if near else (*found.removed(), *renamed)


def given_argument(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Add an argument that is missing, with a value that the schema names, or for the author to fill in."""
    pointer = str(finding.data["pointer"])
    above, _, name = pointer.rpartition("/")
    for found in _argument(finding, ask):
        around = found.call.nearest(above).value if above else found.call.object
        if found.schema is None or around is None or (found.is_xml and "/" in pointer):
            return
        field, (start, end) = found.inside.field, around
        kind = (found.schema.at(pointer) or {}).get("type")
        value = next(iter(admitted(found.schema, pointer)), {"array": [], "object": {}}.get(str(kind), ""))
        written = argument_as_text(field, name, value)
        if found.is_xml:
            begins_line = found.inside.text[start : start + 1] == "\n"
            at, behind = start + begins_line, "\n" if begins_line else ""
        else:
            at = start + 1
            behind = ", " if found.inside.text[at : end - 1].strip() else ""
        shown = value_as_text(field, value).strip('"')
        title = f"Add the argument `{name}`" + (f": `{shown}`" if shown else "")
        yield found.inside.fix(title, (at, at, written + behind))


def other_value(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give an argument a value that its schema allows, or remove it."""
    for found in _argument(finding, ask):
        if not found.pointer or found.schema is None:
            return
        at = found.call.nearest(found.pointer).value
        longest = (found.schema.at(found.pointer) or {}).get("maxLength")
        written = found.value()
        if isinstance(written, str) and isinstance(longest, int) and 0 <= longest < len(written):
            shorter = value_as_text(found.inside.field, written[:longest])
            yield found.inside.fix(f"Shorten it to {longest} characters", (*at, shorter))
        for value in [*admitted(found.schema, found.pointer)][:_MOST]:
            if text := value_as_text(found.inside.field, value):
                yield found.inside.fix(f"Change this value to `{text}`", (*at, text))
        yield from found.removed()


def ended_before(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """End a region, or an argument, before the one that begins inside of it."""
    for inside in _region(finding, ask):
        region, at = inside.region, finding.start - inside.start
        of_argument = str(finding.data.get("close", ""))
        ending = inside.text[region.content_end : region.end]
        close = of_argument or ending or next(iter(texts_of(inside.field, opens=False)), "")
        edits = [(at, at, close + ("\n" if inside.text[:at].endswith("\n") else ""))]
        if region.closed and not of_argument:
            gone = removals(ask.document, inside.start + region.content_end, inside.start + region.end)[0]
            edits.append((gone.start - inside.start, gone.end - inside.start, ""))
        if close:
            yield inside.fix(f"End `{finding.data['field']}` here with {close}", *edits)


def closed_argument(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close an argument, or remove text that belongs to none."""
    for inside in _region(finding, ask):
        start, end = finding.start - inside.start, finding.end - inside.start
        args = inside.field.args
        if inside.field.content == "xml-inline" and any(starts_in(inside.text, args, start, end)):
            value = re.compile("[^<]*").match(inside.text, end, inside.region.content_end)
            text = value[0].rstrip() if value else ""
            end += len(text)
            close = ("\n" if text.startswith("\n") else "") + argument_end(args)
            yield inside.fix(f"Close it with {argument_end(args)}", (end, end, close))
        gone = removals(ask.document, inside.start + start, inside.start + end)
        edit = gone[-1 if "\n" in inside.text[start:end] else 0].moved(-inside.start)
        yield inside.fix("Remove this text", edit)


def given_part(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give an unread key the name that is missing."""
    part = str(finding.data.get("part", ""))
    for inside in _region(finding, ask):
        node = read(inside.content).node if inside.field.content == "json" and part else None
        used = {each.rpartition(".")[2] for each in PLACEHOLDER.findall(json.dumps(inside.field.transform))}
        base = inside.region.content
        for each in [node, *[value for _, _, _, value in node.items]] if node is not None else ():
            keys = [key for key, *_ in each.items]
            if inside.content[each.start : each.start + 1] == "{" and part not in keys:
                for key, start, end, _ in each.items:
                    if key not in used:
                        edit = base + start, base + end, json.dumps(part)
                        yield inside.fix(f"Rename `{key}` to `{part}`", edit, uncovers=True)
                return
