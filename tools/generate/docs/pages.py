"""The pages and schemas that follow from rules, settings, features, refactorings and commands, and the manual page."""

from __future__ import annotations

import json
import os
from typing import Any, Final

from argparse_manpage.manpage import Manpage

from llmblocks import __version__
from llmblocks.cli.arguments import COMMANDS, parser
from llmblocks.cli.explain import rule_pages
from llmblocks.cli.settings_schema import DRAFT, settings_schema
from llmblocks.features.hierarchy import graph_of
from llmblocks.features.refactoring import REFACTORINGS
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import LANGUAGES, find_language
from llmblocks.settings.files import TABLE
from llmblocks.settings.model import schema as schema_of_settings
from llmblocks.settings.values import DEFAULTS
from tools.generate.docs.commands import commands_page
from tools.generate.docs.features import features_page
from tools.generate.docs.models import models_page
from tools.generate.docs.picture import pictures
from tools.generate.docs.settings import settings_fields, settings_table
from tools.generate.generated import ROOT, between, read

SCHEMA: Final = "settings.schema.json"
JUDGED_BY: Final = "server/llmblocks/settings/schema.json"
VALUES: Final = "server/llmblocks/settings/values.py"
URL: Final = f"https://raw.githubusercontent.com/llmblocks/llmblocks/main/docs/{SCHEMA}"
PYPROJECT: Final = "https://json.schemastore.org/pyproject.json"
NEWLINE: Final = "\n"
_REFACTORINGS: Final = """\
# Refactorings

Code actions for correct text, of the kind `refactor.rewrite`. An editor offers one only if it changes nothing beyond
its description. Below, `│` marks the cursor.

A refactoring that is impossible, such as JSON with a `null` as arguments, is offered with the reason if the editor can
show one. The conversion of a chat of more than 65,536 characters is worked out once it is chosen.
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
