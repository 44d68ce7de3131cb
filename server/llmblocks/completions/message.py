"""A whole completion as a message."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from llmblocks.completions.machine import machine_of, regions_of
from llmblocks.completions.output import MessageValues, tools_of
from llmblocks.completions.problems import problems_of
from llmblocks.completions.template import Template
from llmblocks.contract.arguments import Schemas
from llmblocks.core.chunks import expect_text
from llmblocks.facts.finding import Finding


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
        calls = self.values.get("tool_calls")
        return tuple(
            [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {
                        "name": each["function"]["name"],
                        "arguments": json.dumps(each["function"].get("arguments", {}), ensure_ascii=False),
                    },
                }
                for number, each in enumerate(_flat(calls), 1)
            ]
        )

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
    expect_text(prefix, "parse")
    given = template.response_of(prefix)
    whole, output = given + text, MessageValues(template, tools_of(tools))
    for region in regions_of(machine_of(template), whole):
        if region.field is not None:
            output.add(region.field, whole[region.content : region.content_end], region.captures)
    problems = [problem.moved(-len(given)) for problem in problems_of(template, whole, schemas=schemas)]
    problems.sort(key=lambda problem: problem.start)
    findings = tuple([problem.finding(problem.rule.severity) for problem in problems])
    return CompletedMessage(output.message(), tuple(output.missing()), findings)


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
