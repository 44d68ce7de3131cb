"""The problems of a completion."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from llmblocks.completions import rules
from llmblocks.completions.calls import WrittenCall, calls_in
from llmblocks.completions.content import Malformed, argument_end, ignored_in, nested_in, starts_in, stripped, value_of
from llmblocks.completions.machine import (
    OUTSIDE,
    Machine,
    NearDelimiter,
    TextRegion,
    machine_of,
    near_in,
    regions_of,
    texts_of,
)
from llmblocks.completions.output import cast, types_of
from llmblocks.completions.template import Template, TemplateField
from llmblocks.contract import arguments
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule

_SHORTEST_CUT: Final = 3
_LONGEST_HEADER: Final = 256
_LONGEST_REST: Final = 4096
"""The number of characters that are read of a JSON string after a delimiter in it."""
_SPECIAL = re.compile(r"<\|?[^<>\s|]*\|?>|<｜[^<>｜]*｜>")
_STOPS: Final = frozenset(
    (
        *("</s>", "<eos>", "<turn|>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|return|>", "<|call|>"),
        *("<|endoftext|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>"),
    )
)
"""The tokens at which a model ends its turn."""
_KINDS: Final = {
    "missing": rules.M203_MISSING_ARGUMENT,
    "type": rules.M204_MISTYPED_ARGUMENT,
    "choice": rules.M205_NOT_A_CHOICE,
    "constraint": rules.M206_BROKEN_CONSTRAINT,
}


def problems_of(
    template: Template, text: str, *, fresh: bool = True, last: bool = True, schemas: arguments.Schemas | None = None
) -> Iterator[Problem]:
    """Yield the problems of a text in which no region is open at the start.

    No text precedes a `fresh` one or follows the `last` one. `schemas` are those of the tools.
    """
    machine = machine_of(template)
    regions = [*regions_of(machine, text, fresh=fresh)]
    cut = _cut(machine, text, regions) if last else None
    opened = not fresh
    there = frozenset([region.field.name for region in regions if region.field is not None])
    for region in regions:
        field = region.field
        if field is None or field.open is None:
            end = cut.start if cut is not None else region.content_end
            yield from _outside(template, text, region, min(end, region.content_end), is_first=not opened)
            continue
        opened = True
        yield from _inside(template, text, region, there, cut, schemas)
    if cut is not None:
        yield cut


def _outside(template: Template, text: str, region: TextRegion, stop: int, *, is_first: bool) -> Iterator[Problem]:
    near = [*near_in(template, text, region.content, stop)]
    yield from [_misspelt(text, each) for each in near]
    closes, at = machine_of(template).closes, region.content
    while closes is not None and (found := closes.next(text, at, stop)) and found.end > found.start:
        field = template.fields[found.field]
        data = {"close": text[found.start : found.end], "field": field.name, "opening": _first(field)}
        lost = is_first and not field.is_structured
        if region.field is None and (not lost or _SPECIAL.search(text, region.content, found.start)):
            pass  # it is part of a text that is dropped
        elif not any(each.opens and each.field == field.name and each.start < found.start for each in near):
            yield Problem(rules.M003_LOST_PREFIX if lost else rules.M002_STRAY_CLOSE, found.start, found.end, data)
        is_first, at = False, found.end
    if region.field is not None:
        content = text[region.content : region.content_end]
        _, malformed = value_of(region.field, content, region.captures)
        if malformed is not None:
            yield _malformed(region.field, content, region, malformed)
    else:
        start, end = stripped(text, region.content, stop)
        rest = text[start:end]
        for anchor in template.anchors:
            rest = rest.replace(anchor, "")
        if _SPECIAL.sub("", rest).strip():
            yield Problem(rules.M010_DROPPED_TEXT, start, end, _header(template, text, start, end))


def _header(template: Template, text: str, start: int, end: int) -> dict[str, object]:
    """Return the data of the first text between two places that begins like a delimiter."""
    openings = [literal for field in template.fields for literal in texts_of(field, opens=True)]
    for found in _SPECIAL.finditer(text, start, end):
        if any(literal.startswith(found[0]) and literal != found[0] for literal in openings):
            after = _SPECIAL.search(text, found.end(), min(end, found.end() + _LONGEST_HEADER)) or found
            return {"case": "header", "text": text[found.start() : after.end()]}
    return {}


def _inside(
    template: Template,
    text: str,
    region: TextRegion,
    there: Container[str],
    cut: Problem | None,
    schemas: arguments.Schemas | None,
) -> Iterator[Problem]:
    field = region.field
    assert field is not None
    stop = cut.start if cut is not None and not region.closed else region.content_end
    content = text[region.content : stop]
    value, malformed = value_of(field, content, region.captures)
    near = [
        each
        for each in near_in(template, text, region.content, stop)
        if each.field == field.name
        and not each.opens
        and not (field.content == "json" and text[each.start : each.end] == _in_json(each.better))
    ]
    yield from [_misspelt(text, each) for each in near]
    is_cut = not region.closed and field.close is not None and not _ends_the_turn(field, malformed)
    if is_cut and cut is None and not near:
        yield _unclosed(text, region, malformed)
    if malformed is not None and not is_cut and not near:
        yield _split_string(field, text, region, malformed) or _malformed(field, content, region, malformed)
    elif malformed is None:
        for start, end in ignored_in(field, content):
            yield _ignored(field, content, region.content, start, end)
        for tag, outer, inner in nested_in(field, content):
            data = {"case": "argument", "opening": tag[0], "field": outer, "inner": inner}
            place = region.content + tag.start(), region.content + tag.end()
            yield Problem(rules.M004_REGION_IN_REGION, *place, {**data, "close": argument_end(field.args)})
    if field.is_structured:
        if schemas is not None and malformed is None and len(content) <= arguments.LONGEST_BODY:
            for call in calls_in(text, region, value):
                yield from _judged(call, schemas)
    elif field.content == "text":
        for problem in _nested(template, text, field, region.content, stop):
            # a delimiter that is mentioned before the region that it opens
            if problem.data["inner"] not in there:
                yield problem


def _split_string(field: TemplateField, text: str, region: TextRegion, malformed: Malformed) -> Problem | None:
    """Return the problem of a delimiter inside a JSON string that continues after it, or None."""
    close, behind = text[region.content_end : region.end], text[region.end : region.end + _LONGEST_REST]
    behind = behind.partition("\n")[0]
    opening = _first(field)
    begins_next = bool(opening) and behind.lstrip().startswith(opening)
    if not close or not malformed.missing.startswith('"') or '"' not in behind or begins_next:
        return None
    data = {"case": "delimiter", "close": close, "field": field.name, "better": _in_json(close)}
    return Problem(rules.M005_UNREADABLE_CONTENT, region.content_end, region.end, data)


def _in_json(delimiter: str) -> str:
    """Return a delimiter with an escape, with which it ends no region in a JSON string."""
    return delimiter.replace("/", "\\/") if "/" in delimiter else f"\\u{ord(delimiter[0]):04x}{delimiter[1:]}"


def _ends_the_turn(field: TemplateField, malformed: Malformed | None) -> bool:
    """Return whether the missing close may be the stop token of the model, which servers drop from a completion."""
    if malformed is not None and malformed.missing:
        return False
    is_whole = field.is_structured or field.name == "content"
    return is_whole and not _STOPS.isdisjoint(texts_of(field, opens=False))


def _nested(template: Template, text: str, field: TemplateField, start: int, stop: int) -> Iterator[Problem]:
    watch, at = machine_of(template).outside, start
    while watch is not None and (found := watch.next(text, at, stop)):
        at = max(found.end, found.start + 1)
        if found.kind == "open" and found.field != field.number:
            inner = template.fields[found.field].name
            data = {"opening": _shown(text[found.start : found.end]), "field": field.name, "inner": inner}
            yield Problem(rules.M004_REGION_IN_REGION, found.start, found.end, data)


def _unclosed(text: str, region: TextRegion, malformed: Malformed | None) -> Problem:
    field = region.field
    assert field is not None
    start, end = (region.start, region.content) if region.content > region.start else (region.start, region.end)
    close = next(iter(texts_of(field, opens=False)), "")
    data: dict[str, object] = {"opening": _shown(text[start:end]), "field": field.name, "close": close}
    if malformed is not None:
        data |= {"case": "lost", "missing": malformed.missing}
    return Problem(rules.M001_UNCLOSED_REGION, start, end, data)


def _malformed(field: TemplateField, content: str, region: TextRegion, malformed: Malformed) -> Problem:
    reason, start, end, part, missing = malformed
    if end - start >= len(content):
        start, end = stripped(content)
    is_there = start < end and content.strip()
    place = (region.content + start, region.content + end) if is_there else (region.start, region.end)
    if part:
        return Problem(rules.M007_MISSING_PART, *place, {"field": field.name, "part": part})
    if field.transform is not None and reason.startswith(("it is ", "its ")) and field.is_structured:
        return Problem(rules.M007_MISSING_PART, *place, {"case": "kind", "field": field.name, "reason": reason})
    advice = f"add `{missing}` at the end" if missing else "correct it"
    kind = "JSON" if field.content == "json" else field.content
    data = {"content": kind, "reason": reason, "missing": missing, "advice": advice}
    return Problem(rules.M005_UNREADABLE_CONTENT, *place, data)


def _ignored(field: TemplateField, content: str, base: int, start: int, end: int) -> Problem:
    advice = "remove it, or write it as an argument"
    for opening, _ in starts_in(content, field.args, start, end):
        (start, end), advice = opening.span(), f"close {_shown(opening[0])}"
        break
    return Problem(rules.M006_IGNORED_CONTENT, base + start, base + end, {"field": field.name, "advice": advice})


def _judged(call: WrittenCall, schemas: arguments.Schemas) -> Iterator[Problem]:
    schema = schemas.find(call.name)
    if schema is None:
        if schemas.names and (data := arguments.unknown_tool(call.name, schemas)) is not None:
            yield Problem(rules.M201_UNKNOWN_TOOL, *call.named, data)
        return
    parameters = schema.prepared
    if parameters is None:
        return
    try:
        checked = parameters.check(cast(call.arguments, types_of(parameters.json)))
    except (ValueError, RecursionError, LookupError):
        # a pointer cannot name a key with a slash
        return
    issues = [*arguments.worth_reporting(checked.issues)]
    unknown = [issue.pointer for issue in issues if issue.kind == "unknown"]
    for pointer in (*checked.ignored[: arguments.MOST_PROBLEMS], *unknown):
        data = {**arguments.unknown_parameter(pointer, parameters), "tool": schema.name}
        yield Problem(rules.M202_ARGUMENT_WITHOUT_PARAMETER, *call.nearest(pointer).name, data)
    for issue in issues:
        if issue.kind == "unknown":
            continue
        rule: Rule = _KINDS.get(issue.kind, rules.M206_BROKEN_CONSTRAINT)
        place = call.named if rule is rules.M203_MISSING_ARGUMENT else call.nearest(issue.pointer).value
        data = {
            "path": arguments.path_of(issue.pointer),
            "pointer": issue.pointer,
            "tool": schema.name,
            "message": issue.message,
        }
        yield Problem(rule, *place, data)


def _misspelt(text: str, near: NearDelimiter) -> Problem:
    data = {"text": text[near.start : near.end], "better": near.better}
    return Problem(rules.M009_MISSPELT_DELIMITER, near.start, near.end, data)


def _cut(machine: Machine, text: str, regions: Sequence[TextRegion]) -> Problem | None:
    """Return the beginning of a delimiter at the end of a text."""
    region = regions[-1] if regions else None
    if region is None or region.closed:
        return None
    is_outside = region.field is None or region.field.open is None
    fields = machine.template.fields if region.field is None or is_outside else (region.field,)
    watch, at = machine.watch(OUTSIDE if is_outside else fields[0].number), region.content
    while watch is not None and (found := watch.next(text, at, len(text), final=False)):
        begun = text[found.start :]
        if found.kind == "hold" and len(begun) >= _SHORTEST_CUT and begun.strip():
            known = [each for field in fields for each in texts_of(field, opens=is_outside)]
            data = {"delimiter": _shown(next((each for each in known if each.startswith(begun)), begun))}
            return Problem(rules.M008_CUT_DELIMITER, found.start, len(text), data)
        at = max(found.start, at) + 1
    return None


def _first(field: TemplateField) -> str:
    return next(iter(texts_of(field, opens=True)), "")


def _shown(text: str) -> str:
    return " ".join(text.split())
