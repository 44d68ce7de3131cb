"""The page about the mistakes of models: what is found in each of its texts."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.completions import find_template, parse
from llmblocks.core.lines import Lines
from llmblocks.rules.check import check
from llmblocks.settings.values import DEFAULTS

_EXAMPLE: Final = re.compile(r"(```text (\S+)\n(.*?)\n```\n)```text\n.*?```\n", re.DOTALL)


def models_page(page: str) -> str:
    """Write the findings and the calls of each text on its page."""
    return _EXAMPLE.sub(lambda found: f"{found[1]}```text\n{_found(found[3], found[2])}```\n", page)


def _found(text: str, template: str) -> str:
    lines = Lines(text)
    rows: list[str] = []
    for finding in check(text, "completion", DEFAULTS._replace(template=template)):
        line, column = lines.of(finding.start)
        rows.append(f"{line}:{column} {finding.severity.name.lower()} {finding.code} {finding.message}")
    called = [each["function"] for each in parse(text, find_template(template).template).tool_calls]
    rows += [f"call: {each['name']} {each['arguments']}" for each in called]
    return "".join([f"{row}\n" for row in rows])
