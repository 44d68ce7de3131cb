"""A whole completion as a message, with the calls in it and the reasons why a program does not receive some."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from llmblocks.completions.calls import called, calls_in
from llmblocks.completions.content import value_of
from llmblocks.completions.machine import TextRegion, machine_of, regions_of
from llmblocks.completions.problems import problems_of
from llmblocks.completions.rules import M004_REGION_IN_REGION
from llmblocks.completions.stream import CompletionStream
from llmblocks.completions.template import Template
from llmblocks.contract.arguments import Schemas
from llmblocks.core.chunks import expect_text
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity

_CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class CompletedMessage:
    """A message of an assistant, as far as it could be read."""

    values: Mapping[str, Any]
    """The values of the template's fields."""
    missing: tuple[str, ...]
    """The required fields without a value."""
    findings: tuple[Finding, ...]
    """The findings; those in the prefix have negative places."""

    @property
    def content(self) -> str | None:
        """The text for the user, or None."""
        return _text(self.values.get("content"))

    @property
    def reasoning(self) -> str | None:
        """The text of the reasoning, or None."""
        return _text(self.values.get("thinking", self.values.get("reasoning_content")))

    @property
    def tool_calls(self) -> tuple[Mapping[str, Any], ...]:
        """The calls in OpenAI's format; `arguments` is a text of JSON, `id` is `call_1`, `call_2`…"""
        calls = [each["function"] for each in _flat(self.values.get("tool_calls"))]
        texts = [json.dumps(each.get("arguments", {}), ensure_ascii=False) for each in calls]
        made = [{"name": each["name"], "arguments": text} for each, text in zip(calls, texts, strict=True)]
        return tuple([{"id": f"call_{at}", "type": "function", "function": each} for at, each in enumerate(made, 1)])

    def openai(self) -> dict[str, Any]:
        """Return the message in OpenAI's format, with `reasoning_content` if there is any."""
        found: dict[str, Any] = {"role": self.values.get("role", "assistant"), "content": self.content}
        if self.reasoning is not None:
            found["reasoning_content"] = self.reasoning
        if self.tool_calls:
            found["tool_calls"] = [*self.tool_calls]
        return found


def parse(
    text: str,
    template: Template,
    tools: Iterable[Mapping[str, Any]] = (),
    *,
    prefix: str = "",
    schemas: Schemas | None = None,
) -> CompletedMessage:
    """Read a completion. Never raises for any text.

    Args:
        text: The completion.
        template: The response template.
        tools: Give arguments their types, in OpenAI's format.
        prefix: The prompt.
        schemas: Check the calls: for example the `Gadgets` of `llmblocks.gadget.read_gadgets`.

    Raises:
        TypeError: The argument is not text.
    """
    expect_text(text, "parse")
    stream = CompletionStream(template, prefix, tools)
    stream.feed(text)
    stream.close()
    given = template.response_of(prefix)
    problems = [problem.moved(-len(given)) for problem in problems_of(template, given + text, schemas=schemas)]
    problems.sort(key=lambda problem: problem.start)
    findings = tuple([problem.finding(problem.rule.severity) for problem in problems])
    return CompletedMessage(stream.message, tuple(stream.missing), findings)


def _flat(calls: Any) -> list[Mapping[str, Any]]:
    """Return the calls of a field, of which each region may have several."""
    found: list[Mapping[str, Any]] = []
    for each in calls if isinstance(calls, list) else [calls]:
        if isinstance(each, list):
            found += _flat(each)
        elif isinstance(each, dict) and isinstance(function := each.get("function"), dict) and "name" in function:
            found.append(each)
    return found


def _text(value: Any) -> str | None:
    if isinstance(value, list):
        value = "\n".join([each for each in value if isinstance(each, str)])
    return value.strip() or None if isinstance(value, str) else None


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
