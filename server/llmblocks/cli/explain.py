"""`llmblocks explain`, `rules` and `test-rules`: the documentation of rules, and their test cases."""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections import defaultdict
from collections.abc import Sequence

from llmblocks.cli.arguments import add_output, add_settings, describe, flag, option
from llmblocks.cli.output import console, is_coloured, print_json, text_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, FOUND, MISUSED, STDIN, counted
from llmblocks.completions.template_rules import TEMPLATES
from llmblocks.core.lines import visible
from llmblocks.facts.rule import Rule
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.reading import read_gadgets
from llmblocks.languages.registry import language_ids, language_of, language_with
from llmblocks.settings.check import check_settings
from llmblocks.settings.files import why_not_read
from llmblocks.settings.given import as_given
from llmblocks.settings.rule_names import BY_CODE, codes_of
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
    SETTINGS: ("settings", "toml"),
    SCHEMAS: ("files that define gadgets", "json"),
    TEMPLATES: ("response templates", "json"),
    DATA: ("data sets in JSON Lines and JSON", "jsonl"),
    DOCUMENTS: ("Markdown and code", "markdown"),
}
"""The texts of rules that are of no language, with the language of their examples."""
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
        f"Reported as {rule.severity.name.lower()}, in {_kind(rule)[0]}, since {rule.since}.",
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


def _kind(rule: Rule) -> tuple[str, str]:
    """Return the title of the texts of a rule, and their language."""
    return _TITLES.get(rule.layer) or (language_with(rule.layer).title, language_with(rule.layer).id)


def _example(rule: Rule, text: str) -> str:
    # four backquotes: an example may contain a fence
    newline = "" if text.endswith("\n") else "\n"
    return f"````{_kind(rule)[1]}\n{text}{newline}````"


_EXAMPLES = """\
  llmblocks explain                   list all rules
  llmblocks explain G101 unmatched-comment-end
  llmblocks explain S2                all rules whose codes begin so
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, "Explains rules: what they find, why, and what to do.", _EXAMPLES)
    option(parser, "codes", "CODE", "a code, a prefix of codes, or the name of a rule (default: list all)", nargs="*")
    add_trust(parser)
    add_output(parser, file=False, color=True)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    found, status = chosen(given, given.codes)
    for rule in found:
        if not given.codes:
            sys.stdout.write(f"{rule.code}  {rule.name}: {rule.summary}\n")
        elif not (sys.stdout.isatty() or is_coloured(sys.stdout)):
            sys.stdout.write(page(rule))
        else:
            from rich.markdown import Markdown

            console(sys.stdout).print(Markdown(page(rule)))
    return status


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option that imports the rules of this folder's settings."""
    flag(parser, "--trust", "import the rules that the settings of this folder name")


def chosen(given: argparse.Namespace, names: Sequence[str]) -> tuple[list[Rule], int]:
    """Return the rules with some codes, prefixes of codes or names, or all, and the exit status.

    Those of installed packages and of this folder are known.
    """
    CommandProject(trusted=given.trust).around(os.path.join(os.curdir, STDIN))
    if not names:
        return [*BY_CODE.values()], CLEAN
    found: dict[str, Rule] = {}
    status = CLEAN
    for name in names:
        try:
            codes = codes_of(name)
            named = {code: rule for code, rule in BY_CODE.items() if code.startswith(codes)}
            if not named:
                raise ValueError(f"no rule has the code {name!r}; --trust imports those of this folder")
        except ValueError as error:
            sys.stderr.write(f"llmblocks {given.command}: {error}\n")
            status = MISUSED
        else:
            found |= named
    return [*found.values()], status


def rule_pages() -> dict[str, str]:
    """Return the page of each rule and the list of all, by the name of the file."""
    return {f"{rule.code}.md": page(rule) for rule in BY_CODE.values()} | {INDEX: index((*BY_CODE.values(),))}


_OF_RULES = """\
  llmblocks rules
  llmblocks rules G1 S2 duplicate-pointer
  llmblocks rules --output-format json | jq '.[] | select(.fix) | .code'
"""


def rules_add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, "Lists all rules; `llmblocks explain CODE` explains one.", _OF_RULES)
    option(parser, "rules", "CODE", "a code, a prefix of codes, or the name of a rule (default: all rules)", nargs="*")
    add_trust(parser)
    add_output(parser, ("text", "json"), "text")


def rules_main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    found, status = chosen(given, given.rules)
    if given.output_format == "json":
        listed = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity.name.lower(),
                "format": rule.layer,
                "summary": rule.summary,
                "why": rule.why,
                "fix": rule.remedy or None,
            }
            for rule in found
        ]
        print_json(listed, given.output_file)
        return status
    width = max([len(rule.name) for rule in found], default=0)
    with text_output(given.output_file) as out:
        for rule in found:
            row = f"{rule.code}  {rule.name:{width}}  {rule.severity.name.lower():11}  {'fix' if rule.fix else '':3}"
            out.write(f"{row}  {rule.summary}\n")
    return status


_TESTS = """\
Tests rules by Markdown files: a fence named gadget, stf, custom-blocks, request or completion
is a text, and a line of carets with a code below a line marks a finding there. Tests the
examples of your own rules too. The rules that the settings name are imported.

exit status: 0 all cases pass; 1 some fail; 2 a file or a rule could not be read
"""
_OF_TESTS = """\
  llmblocks test-rules tests/rules/*.md
"""


def test_rules_add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _TESTS, _OF_TESTS)
    option(parser, "files", "FILE", "Markdown files with cases", nargs="*")
    add_settings(parser)


def test_rules_main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from llmblocks.rules.cases import example_failures, file_failures

    project = CommandProject(given.settings, trusted=True)
    rules = project.around(os.path.join(os.curdir, STDIN)).settings.rules
    unread = project.tell_problems() or bool(project.extensions.faults)
    for name, why in project.extensions.faults.items():
        sys.stderr.write(f"llmblocks test-rules: {name}: {why}\n")
    number, failures = len(rules), [each for rule in rules for each in example_failures(rule, rules)]
    for path in given.files:
        try:
            count, found = file_failures(path, rules)
        except (OSError, ValueError) as error:
            unread = True
            sys.stderr.write(f"llmblocks test-rules: {path}: {why_not_read(error)}\n")
            continue
        number += count
        failures += [f"{path}:{line}: {message}" for line, message in found]
    sys.stdout.writelines([f"{visible(line)}\n" for each in failures for line in each.split("\n")])
    failed = counted(len(failures), "failure") if failures else "all pass"
    sys.stderr.write(f"{counted(number, 'case')}: {failed}\n")
    return MISUSED if unread else FOUND if failures else CLEAN
