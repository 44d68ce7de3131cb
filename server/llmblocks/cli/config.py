"""`llmblocks config`: the settings in force for a file, their JSON Schema, and settings that code declares."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, Final

from llmblocks.cli.arguments import add_actions, add_output, add_settings, describe, flag, option
from llmblocks.cli.output import Rewrite, print_json, rewrite, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, counted
from llmblocks.discovery.find import DeclarationOffer, find, offered
from llmblocks.languages.registry import language_ids
from llmblocks.settings.files import NAME, PYPROJECT, TABLE
from llmblocks.settings.rule_names import titles
from llmblocks.settings.schema import Schema, published
from llmblocks.settings.toml import as_toml

_DESCRIPTION = """\
Prints the settings in force for a file or folder, in the form of a settings file, and
the source of each.

exit status: 0 all settings are valid; 2 some are not
"""
_EXAMPLES = """\
  llmblocks config                    for files in this folder
  llmblocks config show chats/a.stf   for this file
  llmblocks config schema             the JSON Schema of llmblocks.toml
  llmblocks config discover           settings for what TypeScript declares
  llmblocks config discover --write   adds them to the settings file
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    show, schema, discover = add_actions(
        parser,
        show="print the settings in force (the default)",
        schema="print the JSON Schema of llmblocks.toml",
        discover="find settings for tags and gadgets that TypeScript declares",
    )
    option(show, "file", "FILE", "a file or a folder (default: this one)", nargs="?", default=".")
    add_output(schema)
    option(discover, "folder", "FOLDER", "where to look (default: here)", nargs="?", default=".")
    flag(discover, "--write", "add what is found to the settings file")
    add_output(show, ("toml", "json"), "toml")
    add_output(discover)
    for each in (show, discover):
        add_settings(each)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    file = given.output_file
    if given.action == "schema":
        from llmblocks.settings.schema import SCHEMA

        print_json(settings_schema(SCHEMA), file)
        return 0
    project = CommandProject(given.settings)
    if given.action == "discover":
        return discover(project, given.folder, write=given.write, file=file)
    found = project.effective(given.file)
    if given.output_format == "json":
        print_json(found.as_json(), file)
    else:
        # TOML is UTF-8 in any locale
        write_output(as_toml(found), file)
    return 2 if project.tell_problems(used=True) else 0


def discover(project: CommandProject, folder: str, *, write: bool, file: str | None = None) -> int:
    """Print the declarations in a folder's code that its settings lack, or write them. Raises `InputError`."""
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: not a folder")
    top = os.path.abspath(folder)
    around = project.around(os.path.join(top, "-"))
    base = top if around.file is None else os.path.dirname(around.file)
    try:
        found = offered(find(top), project.settings_for(os.path.join(top, "-")), base)
    except ValueError as error:
        raise InputError(str(error)) from error
    for each in found.conflicts:
        sys.stderr.write(f"llmblocks config discover: {each}\n")
    if not found.tags and not found.sources:
        sys.stderr.write("nothing new is declared in TypeScript or JavaScript here\n")
    elif write:
        _write(found, os.path.join(base, NAME) if around.file is None else around.file)
    else:
        write_output(found.as_toml(), file)
    return 0


def _write(found: DeclarationOffer, path: str) -> None:
    """Add settings to a file, or create it. Raises `InputError`."""
    before = ""
    try:
        is_new = not os.path.exists(path)
        if not is_new:
            with open(path, encoding="utf-8", newline="") as file:
                before = file.read()
        text = found.added(before, TABLE if os.path.basename(path) == PYPROJECT else ())
        if text is None:
            raise InputError(f"{path}: the settings cannot be added to those that it has; add them by hand")
        if is_new:
            write_output(text, path)
        else:
            rewrite(path, Rewrite.of(before, text), "extended")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    tags, files = counted(len(found.tags), "tag"), counted(len(found.sources), "file")
    sys.stderr.write(f"{path}: added {tags}, {files} that {'declares' if files == '1 file' else 'declare'} gadgets\n")


ID: Final = "https://json.schemastore.org/llmblocks.json"
DRAFT: Final = "http://json-schema.org/draft-07/schema#"


def settings_schema(settings: Schema) -> Schema:
    """Return the schema of a settings file in the form of SchemaStore: draft 7, with rules and languages by name.

    `settings` is the schema that validates them.
    """
    return {
        "$schema": DRAFT,
        "$id": ID,
        "title": "llmblocks",
        "description": "The settings of llmblocks, in llmblocks.toml or the table [tool.llmblocks] of pyproject.toml.",
        **_published(settings),
        "definitions": {"Rule": _rule()},
    }


def _published(schema: Any) -> Any:
    """Return the schema in standard terms."""
    if isinstance(schema, list):
        return [*map(_published, schema)]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == "rule":
        return {"$ref": "#/definitions/Rule"}
    if schema.get("format") == "language":
        return {"type": "string", "enum": [*language_ids()]}
    return {name: _published(each) for name, each in published(schema).items()}


def _rule() -> Schema:
    """Return the schema of a rule's name: any prefix of a code, with all codes and names for completion."""
    known_names = titles()
    any_case = "".join(f"{name}{name.lower()}" for name in known_names if len(name) == 1)
    # Taplo's and Even Better TOML's keywords for texts beside a value
    shown = {
        "docs": {"enumValues": [text for text, _ in known_names.values()]},
        "links": {"enumValues": [page for _, page in known_names.values()]},
    }
    known: list[Schema] = [{"enum": [*known_names], "x-taplo": shown}, {"pattern": rf"^\s*[{any_case}]\d{{0,3}}\s*$"}]
    return {"type": "string", "anyOf": known}
