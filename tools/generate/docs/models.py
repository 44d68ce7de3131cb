"""The page about the mistakes of models: what is found in each of its texts."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.completions import parse
from llmblocks.completions.shipped import template_called
from llmblocks.core.lines import Lines
from llmblocks.rules.check import check
from llmblocks.settings.values import DEFAULTS

_TEMPLATE: Final = re.compile(r"```json (\S+)\n(.*?)\n```\n", re.DOTALL)
"""A template of the page, with its name."""
_EXAMPLE: Final = re.compile(r"(```text (\S+)\n(.*?)\n```\n)```text\n.*?```\n", re.DOTALL)


def models_page(page: str) -> str:
    """Write the findings and the calls of each text on its page."""
    own: dict[str, str] = dict(_TEMPLATE.findall(page))
    return _EXAMPLE.sub(lambda found: f"{found[1]}```text\n{_found(found[3], own.get(found[2], found[2]))}```\n", page)


def _found(text: str, template: str) -> str:
    lines = Lines(text)
    rows: list[str] = []
    for finding in check(text, "completion", DEFAULTS._replace(template=template)):
        line, column = lines.of(finding.start)
        rows.append(f"{line}:{column} {finding.severity.name.lower()} {finding.code} {finding.message}")
    message = parse(text, template_called(template))
    rows += [f"call: {each['function']['name']} {each['function']['arguments']}" for each in message.tool_calls]
    rows += [f"text: {message.content.strip()}"] if message.tool_calls and message.content else []
    return "".join([f"{row}\n" for row in rows])
