"""The page of a rule, generated from the rule."""

from __future__ import annotations

import tomllib
from collections import defaultdict

from llmblocks.completions.template_rules import TEMPLATES
from llmblocks.facts.rule import Rule
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.reading import read_gadgets
from llmblocks.languages.registry import language_ids, language_of, language_with
from llmblocks.settings.check import check_settings
from llmblocks.settings.given import as_given
from llmblocks.settings.rules import DATA, DOCUMENTS, SCHEMAS, SETTINGS
from llmblocks.settings.values import Settings

INDEX = "README.md"
GROUPS = {
    "G": "Gadget calls",
    "S": "Simple Text Format",
    "T": "Custom blocks",
    "M": "Raw completions",
    "C": "Settings and comments",
    "D": "Data sets",
}
"""The rules by the first letter of their codes."""
_TITLES = {
    SETTINGS: "settings",
    SCHEMAS: "files that define gadgets",
    TEMPLATES: "response templates",
    DATA: "data sets in JSON Lines and JSON",
    DOCUMENTS: "Markdown and code",
}
_FENCES = {SETTINGS: "toml", SCHEMAS: "json", TEMPLATES: "json", DATA: "jsonl", DOCUMENTS: "markdown"}
_COMMENTS = {
    "gadget": "In a chat, write `@# llmblocks: ignore[{code}]` above the message; a gadget file has no comments.",
    "stf": "Write `@# llmblocks: ignore[{code}]` above the message, followed by the reason.",
    "tags": "Write `<!-- llmblocks: ignore[{code}] -->` above the line, in a chat `@# llmblocks: ignore[{code}]` above "
    "the message.",
}
_EVERYWHERE = (
    'In `llmblocks.toml`, `ignore = ["{code}"]` under `[rules]` turns the rule off, '
    "and `perFileIgnores` for some files."
)


def page(rule: Rule) -> str:
    """Return one rule as Markdown."""
    parts = [
        f"# {rule.code} {rule.name}",
        f"{rule.summary}",
        f"Reported as {rule.severity.name.lower()}, in {_where(rule)}, since {rule.since}.",
        *([f"````text\n{rule.message(defaultdict(lambda: '…')).lines}\n````"] if "\n" in rule.words else []),
        "## Why",
        rule.why,
        *(["## With this gadget", f"```json\n{rule.gadgets.rstrip()}\n```"] if rule.gadgets else []),
        *(["## With these settings", f"```toml\n{rule.toml}```"] if rule.toml else []),
        *(_files(rule) if rule.files else []),
        "## Wrong",
        _example(rule, rule.bad),
        "## Right",
        _example(rule, rule.good),
    ]
    if rule.fix:
        parts += ["## Fixed", *([rule.remedy] if rule.remedy else []), _example(rule, rule.after_fix)]
    parts += ["## Ignore it", " ".join((_COMMENTS.get(rule.layer, ""), _EVERYWHERE)).strip().format(code=rule.code)]
    return "\n\n".join(parts) + "\n"


def settings_of(rule: Rule) -> Settings:
    """Return the settings for the examples of a rule."""
    settings = check_settings(as_given(tomllib.loads(rule.toml)), language_ids()).settings
    return settings._replace(gadgets=Gadgets(read_gadgets(rule.gadgets).gadgets)) if rule.gadgets else settings


def index(rules: tuple[Rule, ...]) -> str:
    """Return the list of all rules as Markdown."""
    parts = ["# Rules\n\nAll mistakes that llmblocks finds. `llmblocks explain G101` shows a rule in the terminal."]
    for letter, title in GROUPS.items():
        rows = [
            f"| [{rule.code}]({rule.code}.md) {rule.name} | {rule.summary} | {rule.severity.name.lower()} |"
            for rule in rules
            if rule.code.startswith(letter)
        ]
        parts.append("\n".join((f"## {title}\n", "| rule | mistake | severity |", "|---|---|---|", *rows)))
    return "\n\n".join(parts) + "\n"


def _files(rule: Rule) -> list[str]:
    """Return the other files of the examples."""
    parts = ["## Beside these files"]
    for name, text in rule.files:
        parts += [f"`{name}`:", f"````{language_of(name) or ''}\n{text}````"] if text else [f"- `{name}`"]
    return [*parts, f"The examples are `{rule.file}` in the same folder."] if language_of(rule.file) else parts


def _where(rule: Rule) -> str:
    return _TITLES.get(rule.layer) or language_with(rule.layer).title


def _example(rule: Rule, text: str) -> str:
    # four backquotes: an example may contain a fence
    newline = "" if text.endswith("\n") else "\n"
    fence = _FENCES.get(rule.layer) or language_with(rule.layer).id
    return f"````{fence}\n{text}{newline}````"
