"""The pages and schemas that follow from rules, settings, features, refactorings and commands, and the manual page."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Final

from argparse_manpage.manpage import Manpage

from llmblocks import __version__
from llmblocks.cli.arguments import COMMANDS, parser, parsers_in
from llmblocks.cli.config import DRAFT, settings_schema
from llmblocks.cli.explain import rule_pages
from llmblocks.completions import parse
from llmblocks.completions.shipped import template_called
from llmblocks.core.lines import Lines
from llmblocks.features.navigation import graph_of
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import LANGUAGES, find_language
from llmblocks.refactors.refactorings import REFACTORINGS
from llmblocks.rules.check import check
from llmblocks.settings.files import TABLE
from llmblocks.settings.model import schema as schema_of_settings
from llmblocks.settings.values import DEFAULTS
from tools.generate.docs.features import features_page
from tools.generate.docs.picture import pictures
from tools.generate.docs.settings import settings_fields, settings_table
from tools.generate.generated import ROOT, between, read

SCHEMA: Final = "settings.schema.json"
JUDGED_BY: Final = "server/llmblocks/settings/schema.json"
VALUES: Final = "server/llmblocks/settings/values.py"
URL: Final = f"https://raw.githubusercontent.com/llmblocks/llmblocks/main/docs/{SCHEMA}"
PYPROJECT: Final = "https://json.schemastore.org/pyproject.json"
NEWLINE: Final = "\n"
_TEMPLATE: Final = re.compile(r"```json (\S+)\n(.*?)\n```\n", re.DOTALL)
"""A template of the page, with its name."""
_EXAMPLE: Final = re.compile(r"(```text (\S+)\n(.*?)\n```\n)```text\n.*?```\n", re.DOTALL)
_REFACTORINGS: Final = """\
# Refactorings

Code actions for correct text, of the kind `refactor.rewrite`. An editor offers one only if it changes nothing beyond
its description. Below, `│` marks the cursor.

A refactoring that is impossible, such as JSON with a `null` as arguments, is offered with the reason if the editor can
show one. A chat of more than 65,536 characters is converted by `llmblocks convert`.
"""


def texts() -> dict[str, str | None]:
    """Return the text of each generated file, and None for the page of a rule that is gone."""
    settings = schema_of_settings()
    return {
        **{f"docs/rules/{path.name}": None for path in (ROOT / "docs" / "rules").glob("*.md")},
        **{f"docs/rules/{name}": text for name, text in rule_pages().items()},
        "docs/settings.md": between(read("docs/settings.md"), f"\n{settings_table(settings)}\n"),
        JUDGED_BY: written(settings),
        VALUES: between(read(VALUES), settings_fields(settings), "plain settings"),
        f"docs/{SCHEMA}": written(settings_schema(settings)),
        "docs/pyproject.schema.json": written(pyproject_schema()),
        "docs/commands.md": commands_page(),
        "docs/features.md": features_page(),
        "docs/models.md": models_page(read("docs/models.md")),
        "docs/refactorings.md": refactorings_page(),
        "docs/llmblocks.1": manual_page(),
        "docs/images/graph.svg": graph(),
        **{f"docs/images/{name}": picture for name, picture in pictures().items()},
    }


def graph() -> str:
    """Return the picture of the calls in the page of the format, as `llmblocks graph` draws them."""
    calls = (
        read("docs/formats/gadget.md")
        .partition("<!-- drawn in ../images/graph.svg -->\n```gadget\n")[2]
        .partition("```\n")[0]
    )
    language = find_language("gadget")
    found = graph_of(Ask(language.open(calls, DEFAULTS), language, DEFAULTS, 0, 0))
    if found is None:
        raise SystemExit("docs/formats/gadget.md has no calls to draw")
    return found.write("svg")


def refactorings_page() -> str:
    """Return the refactorings, with their examples."""
    parts = [_REFACTORINGS]
    for row in REFACTORINGS:
        before = row.before.replace("«»", "│")
        parts += [
            f"## {row.name}\n",
            f"{row.summary}\n\nIt keeps {row.keeps}.\n",
            f"In: {', '.join(each.title for each in LANGUAGES if row.layer in each.layers)}.\n",
            f"```text\n{before.removesuffix(NEWLINE)}\n```\n\nbecomes\n",
            f"```text\n{row.after.removesuffix(NEWLINE)}\n```\n",
        ]
    return "\n".join(parts)


def manual_page() -> str:
    """Return the commands as a page for `man`."""
    os.environ["COLUMNS"] = "80"
    top = parser(*COMMANDS)
    for action in top._actions:
        action.help = None if action.dest == "command" else action.help
    vars(top)["man_short_description"] = "find mistakes in text formats of language models"
    lines = str(Manpage(top)).splitlines()
    # the date of today would change the page each day
    lines[0] = f'.TH LLMBLOCKS "1" "" "llmblocks {__version__}" "User Commands"'
    return "\n".join([line.rstrip() for line in lines]) + "\n"


def pyproject_schema() -> dict[str, Any]:
    """Return the schema of a `pyproject.toml`: the usual one, with our table."""
    ours: dict[str, Any] = {"$ref": URL}
    for name in reversed(TABLE):
        ours = {"type": "object", "properties": {name: ours}}
    return {"$schema": DRAFT, "title": "pyproject.toml with llmblocks", "allOf": [{"$ref": PYPROJECT}, ours]}


def written(schema: dict[str, Any]) -> str:
    """Return a schema as JSON, to be read by people too."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def commands_page() -> str:
    """Return all commands with their options, as Markdown."""
    top = parser(*COMMANDS)
    parsers = parsers_in(top)
    helps = {"": top.format_help()}
    for each in COMMANDS:
        helps[f" {each.name}"] = parsers[each.name].format_help()
        helps |= {f" {each.name} {name}": part.format_help() for name, part in parsers_in(parsers[each.name]).items()}
    return "\n".join(
        ["# Commands\n", *(f"## llmblocks{name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in helps.items())]
    )


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
