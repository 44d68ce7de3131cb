"""`llmblocks config`: the settings in force for a file, with the source of each."""

from __future__ import annotations

import argparse

from llmblocks.cli.arguments import add_actions
from llmblocks.cli.options import add_output, add_settings
from llmblocks.cli.output import print_json, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.settings.layers import as_json, as_toml

_DESCRIPTION = """\
Prints the settings in force for a file or folder, in the form of a settings file, and
the source of each.

exit status: 0 all settings are valid; 2 some are not
"""
_EXAMPLES = """\
examples:
  llmblocks config                    for files in this folder
  llmblocks config show chats/a.stf   for this file
  llmblocks config schema             the JSON Schema of llmblocks.toml
  llmblocks config discover           settings for what TypeScript declares
  llmblocks config discover --write   adds them to the settings file
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    show, schema, discover = add_actions(
        parser,
        show="print the settings in force (the default)",
        schema="print the JSON Schema of llmblocks.toml",
        discover="find settings for tags and gadgets that TypeScript declares",
    )
    show.add_argument("file", nargs="?", default=".", metavar="FILE", help="a file or a folder (default: this one)")
    show.add_argument("--schema", action="store_true", help=argparse.SUPPRESS)
    add_output(schema)
    discover.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to look (default: here)")
    discover.add_argument("--write", action="store_true", help="add what is found to the settings file")
    for each in (show, discover):
        add_output(each, ("toml", "json"), "toml")
        add_settings(each)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    file = given.output_file
    if given.action == "schema" or (given.action == "show" and given.schema):
        from llmblocks.cli.settings_schema import settings_schema
        from llmblocks.settings.schema import SCHEMA

        print_json(settings_schema(SCHEMA), file)
        return 0
    project = CommandProject(given.settings)
    is_json = given.output_format == "json"
    if given.action == "discover":
        from llmblocks.cli.discover import discover

        return discover(project, given.folder, as_json=is_json, write=given.write, file=file)
    found = project.effective(given.file)
    if is_json:
        print_json(as_json(found), file)
    else:
        # TOML is UTF-8 in any locale
        write_output(as_toml(found), file)
    return 2 if project.tell_problems(used=True) else 0
