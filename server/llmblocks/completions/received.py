"""The calls that a completion tries to make, and the reasons why a program does not receive some of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from llmblocks.completions.calls import called, calls_in
from llmblocks.completions.content import value_of
from llmblocks.completions.machine import TextRegion, machine_of, regions_of
from llmblocks.completions.message import CompletedMessage, parse
from llmblocks.completions.rules import M004_REGION_IN_REGION
from llmblocks.completions.template import Template
from llmblocks.contract.arguments import Schemas
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity

_CALLS = "tool_calls"


class CompletionCall(NamedTuple):
    """A call in a completion."""

    name: str
    parameters: dict[str, Any] | None
    """None if the program does not receive the call."""
    parameters_raw: str
    """The text of its region."""
    error: str = ""
    """The reason for that, with the code of the rule."""
    is_lost: bool = False
    """Whether it is plain text for the program, or replaced."""
    invocation_id: str = ""
    """`call_1`, `call_2`…, by its place in the completion."""
    dependencies: tuple[str, ...] = ()


def read_calls(
    text: str, template: Template, schemas: Schemas | None = None
) -> tuple[tuple[CompletionCall, ...], CompletedMessage]:
    """Return all calls of a completion, even lost and rejected ones, and the message. Never raises for any text."""
    message = parse(text, template, schemas=schemas)
    findings, calls = message.findings, list[CompletionCall]()
    starts = [finding.start for finding in findings]
    last = 0
    for region in regions_of(machine_of(template), text):
        inside = findings[bisect_left(starts, region.start) : bisect_left(starts, region.end)]
        if region.field is not None and region.field.name == _CALLS:
            found = [*_calls(text, region, inside)]
            if not (region.field.repeats or all(call.error for call in found)):
                calls[last:], last = [*map(_replaced, calls[last:])], len(calls)
            calls += found
        else:
            calls += _lost(text, template, region, inside)
    return tuple([call._replace(invocation_id=f"call_{number}") for number, call in enumerate(calls, 1)]), message


def _calls(text: str, region: TextRegion, findings: Sequence[Finding]) -> Iterator[CompletionCall]:
    assert region.field is not None
    content = text[region.content : region.content_end]
    value, malformed = value_of(region.field, content, region.captures)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    written = [] if malformed else [*calls_in(text, region, value)]
    if not written:
        why = _why(errors[0]) if errors else malformed.reason if malformed else "it names no tool"
        yield CompletionCall(called(text, region.start, region.content) or "", None, content.strip(), why)
    starts = [min(call.named, call.object or call.named)[0] for call in written]
    for call, (start, end) in zip(written, pairwise([region.start, *starts[1:], region.end]), strict=False):
        why = next((_why(error) for error in errors if start <= error.start < end), "")
        yield CompletionCall(call.name, None if why else {**call.arguments}, content.strip(), why)


def _lost(text: str, template: Template, region: TextRegion, findings: Sequence[Finding]) -> Iterator[CompletionCall]:
    """Yield the calls inside a region of text."""
    nested = [finding for finding in findings if finding.code == M004_REGION_IN_REGION.code]
    ends = [*[finding.start for finding in nested[1:]], region.content_end]
    for finding, end in zip(nested, ends, strict=False):
        part = text[finding.start : end]
        first = next(regions_of(machine_of(template), part, fresh=False))
        if first.field is not None and first.field.name == _CALLS:
            for call in _calls(part, first, ()):
                yield call._replace(parameters=None, error=_why(finding), is_lost=True)


def _replaced(call: CompletionCall) -> CompletionCall:
    return call if call.error else call._replace(parameters=None, error="a later region replaces it", is_lost=True)


def _why(finding: Finding) -> str:
    return f"{finding.code} {finding.message.headline}"
