"""The answers about completions: hover, colours, outline, suggestions, stream, and decoded values."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any, Final

from llmblocks.completions import scanner
from llmblocks.completions.calls import BEFORE_NAME, NAME, called
from llmblocks.completions.content import tags_in, value_of
from llmblocks.completions.machine import machine_of, regions_of, texts_of
from llmblocks.completions.message import parse
from llmblocks.completions.output import typed, types_of
from llmblocks.completions.scanner import region_at, regions_by
from llmblocks.completions.shipped import template_called
from llmblocks.completions.stream import CompletionStream, RegionChunk, RegionClosed, RegionMalformed, RegionOpened
from llmblocks.completions.template import TemplateField
from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.arguments import Schema
from llmblocks.contract.caret import Caret, Signature, Suggestion
from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.contract.markup import block, text_size
from llmblocks.contract.paint import Paint, Painted, as_whole
from llmblocks.contract.streaming import Event, Streaming, TerminalEvent
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5

from .layer import REGION, CompletionSettings

_KEY = re.compile(r"""[{,]\s*"?([A-Za-z_]\w*)"?\s*:|<parameter=([^<>\n]+)>|parameter name="([^"\n]+)\"""")
_VALUE = re.compile(r"""\s*(?:[^\s,{}<>"]+|"[^"]*)?\Z""")
_TYPED = re.compile(r"(?:<[^<>\s]*|\[[A-Z_/]*)\Z")
_NAME_BEGUN = re.compile(BEFORE_NAME + r"([\w.-]*)\Z")
_ARGUMENT = re.compile(r"""(?:[{,]\s*"|<parameter=|parameter name="|[{,]\s*)([A-Za-z_]\w*)?\Z""")


def _region(subject: Subject[CompletionSettings]) -> str | None:
    template = template_called(subject.settings.template)
    at = subject.offset
    if subject.span.kind is scanner.PENDING or subject.span.end <= at:
        at = min(at, subject.span.end - 1)
    region = region_at(subject.section, at, template)
    if region is None or region.field is None:
        return None
    if subject.span.kind is scanner.CONTENT and not region.field.is_structured:
        return None
    field, text = region.field, subject.section.text[region.content : region.content_end]
    value, malformed = value_of(field, text, region.captures)
    lines = [f"**{field.name}**" if region.closed or field.close is None else f"**{field.name}**, never closed"]
    if malformed is not None:
        lines.append(f"It has no value: {malformed.reason}. The program gets nothing of it.")
    elif isinstance(value, str):
        lines.append(text_size(value))
    else:
        lines.append(block(json.dumps(_typed(subject.settings, value), indent=2, ensure_ascii=False), "json"))
    return "\n\n".join(lines)


def _typed(settings: CompletionSettings, value: object) -> object:
    """Return a call as its tool receives it."""
    function = value.get("function") if isinstance(value, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    schema = settings.gadgets.find(name) if isinstance(name, str) else None
    if schema is None or schema.prepared is None:
        return value
    return typed(value, {str(name): types_of(schema.prepared.json)})


WORDS: Final[dict[Kind, Describe[CompletionSettings]]] = dict.fromkeys(
    (scanner.OPEN, scanner.CLOSE, scanner.PENDING, scanner.CONTENT), _region
)
PAINT: Final[dict[Kind, Paint]] = dict.fromkeys(scanner.DELIMITERS.values(), as_whole("keyword"))


def paint_over(template: str, _: str) -> dict[Kind, Paint]:
    """Return the colours of the contents of regions, and of delimiters over several lines."""
    regions_in = regions_by(template_called(template))

    def compute(section: Section) -> list[Painted]:
        found: list[Painted] = []
        for region in regions_in(section):
            field, base = region.field, region.content
            if field is None or field.open is None:
                continue
            text = section.text[base : region.content_end]
            found.append(Painted(region.start, base, "keyword"))
            if field.content == "json":
                found += json5(text, base)
            elif field.content == "xml-inline":
                keys = [tag.span("key") for tag in tags_in(text, field.args)]
                found += [Painted(base + start, base + end, "property") for start, end in keys]
            elif field.name != "content":
                found.append(Painted(base, region.content_end, "comment"))
            found.append(Painted(region.content_end, region.end, "keyword"))
        return found

    painted = Query("painted", compute)

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        parts = painted(section)
        first = bisect_right(parts, span.start, key=lambda part: part.end)
        for part in takewhile(lambda part: part.start < span.end, islice(parts, first, None)):
            yield part._replace(start=max(part.start, span.start), end=min(part.end, span.end))

    return {scanner.CONTENT: paint, scanner.PENDING: paint}


_WORD = re.compile(r"[A-Za-z_][\w ]*")


def _title(text: str, start: int, end: int) -> Title:
    if (name := called(text, start, end)) is not None:
        return Title(name, first_words(text, end, len(text)))
    word = _WORD.search(text, start, end)
    return Title(word[0].strip() if word else "", first_words(text, end, len(text)), "block")


HEADINGS: Final[dict[Kind, Heading]] = {scanner.OPEN: Heading("call", REGION, _title, called)}
_NAMES: Final = {
    RegionOpened: "region_open",
    RegionChunk: "region_chunk",
    RegionClosed: "region_close",
    RegionMalformed: "region_malformed",
}


def _event(event: Any) -> Event:
    values = event._asdict()
    if isinstance(event, RegionMalformed):
        values["reason"] = event.reason.reason
    return {"event": _NAMES[type(event)], **values}


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, RegionChunk):
        return TerminalEvent(event.text, "dim" if event.dirty else "cyan")
    if isinstance(event, RegionOpened):
        return TerminalEvent(event.field, "bold magenta", own_line=True)
    if isinstance(event, RegionMalformed):
        return TerminalEvent(f"no value: {event.reason.reason}", "bold red", own_line=True)
    return None


def decoded(text: str, settings: CompletionSettings) -> Decoded:
    """Return each region with its value, and the text outside of regions."""
    values: Decoded = []
    free: list[str] = []
    before = 0
    for region in regions_of(machine_of(template_called(settings.template)), text):
        field = region.field
        if field is None or field.open is None:
            free.append(text[region.content : region.content_end])
            before += region.content_end - region.content
            continue
        value, malformed = value_of(field, text[region.content : region.content_end], region.captures)
        parts = (("value", repr(value)),)
        values.append(DecodedValue(field.name, parts, accepted=malformed is None, before=before))
    return [*values, "".join(free)]


STREAMING: Final[Streaming[CompletionSettings]] = Streaming(
    open=lambda settings: CompletionStream(template_called(settings.template)),
    free=lambda _: None,
    event=_event,
    item=lambda _: None,
    why=lambda _, __: "it may become a delimiter",
    shown=_shown,
    whole=lambda text, settings: parse(text, template_called(settings.template)).openai(),
)


def suggest(caret: Caret, settings: CompletionSettings) -> Iterator[Suggestion]:
    """Yield the delimiters, tools and arguments that match the typed text."""
    if found := _NAME_BEGUN.search(caret.before):
        for name in settings.gadgets.names:
            if (schema := settings.gadgets.find(name)) is not None:
                yield Suggestion(name, len(found[1]), "A tool of the settings", "function", more=schema.documentation)
    elif (argument := _ARGUMENT.search(caret.before)) and (call := _call_at(caret, settings)):
        for member in call[0].members:
            yield Suggestion(member.pointer, len(argument[1] or ""), member.summary, "parameter")
    elif typed := _TYPED.search(caret.before):
        field = _field_at(caret, settings)
        if field is not None:
            texts = [(text, f"Closes {field.name}") for text in texts_of(field, opens=False)]
        else:
            fields = template_called(settings.template).fields
            texts = [(text, f"Begins {each.name}") for each in fields for text in texts_of(each, opens=True)]
        for text, detail in texts:
            if text.startswith(typed[0]):
                over = 1 if caret.after[:1] == text[-1:] else 0
                yield Suggestion(text, len(typed[0]), detail, "tag", over=over)


def _field_at(caret: Caret, settings: CompletionSettings) -> TemplateField | None:
    """Return the field of the region at the caret; None outside of those with delimiters."""
    for region in regions_by(template_called(settings.template))(caret.section):
        if region.content <= caret.offset <= region.content_end and region.field is not None and region.field.open:
            return region.field
    return None


def _call_at(caret: Caret, settings: CompletionSettings) -> tuple[Schema, str] | None:
    """Return the tool whose call is at the caret, and the argument whose value is written, empty for none."""
    if not settings.gadgets.names or (field := _field_at(caret, settings)) is None or not field.is_structured:
        return None
    names = [*NAME.finditer(caret.section.text, 0, caret.offset)]
    schema = settings.gadgets.find(names[-1][1]) if names else None
    if schema is None:
        return None
    keys = [*_KEY.finditer(caret.section.text, names[-1].end(), caret.offset)]
    key = next(filter(None, keys[-1].groups()), "") if keys else ""
    between = caret.section.text[keys[-1].end() : caret.offset] if keys else ""
    is_value = keys and (_VALUE.match(between) or keys[-1][1] is None)
    return schema, key if is_value else ""


def signature_at(caret: Caret, settings: CompletionSettings) -> Signature | None:
    """Return the parameters of the tool whose call is written at the caret; None outside of calls."""
    schema, key = _call_at(caret, settings) or (None, "")
    if schema is None or schema.prepared is None:
        return None
    return schema.signature(key)._replace(in_value=bool(key))
