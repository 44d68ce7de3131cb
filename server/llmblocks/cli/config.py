"""`llmblocks config`: the settings in force for a file, and where each comes from."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from llmblocks.cli.as_json import print_json
from llmblocks.cli.project import Project
from llmblocks.cli.report.concise import text_line
from llmblocks.core.finding import Severity

_DEFAULT = "default"
_DESCRIPTION = """\
Prints the settings in force for a file or folder, as in a settings file, and the
place that each comes from.

exit status: 0 all settings are valid; 2 some are not
"""
_EXAMPLES = """\
examples:
  llmblocks config                    for files in this folder
  llmblocks config chats/a.stf
  llmblocks config --schema           the JSON Schema of llmblocks.toml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("file", nargs="?", default=".", metavar="FILE", help="a file or a folder (default: this one)")
    parser.add_argument("--settings", metavar="FILE", help="the settings file, instead of the nearest one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of llmblocks.toml instead")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    if given.schema:
        from llmblocks.cli.settings_schema import settings_schema

        print_json(settings_schema())
        return 0
    project = Project(given.settings)
    values, origins = project.effective(given.file)
    if given.json:
        print_json({"settings": values, "origins": {".".join(map(str, path)): [*of] for path, of in origins.items()}})
    else:
        write_settings(values, origins)
    status = 0
    for reported in project.problems():
        if reported.severity is Severity.ERROR:
            status = 2
        sys.stderr.write(f"{text_line(reported)}\n")
    return status


def write_settings(values: dict[str, Any], origins: Mapping[tuple[str, ...], tuple[str, ...]]) -> None:
    """Print settings as lines of TOML, with their origins."""
    for path, value in _leaves(values, ()):
        of = ", ".join(origins.get(path, (_DEFAULT,)))
        sys.stdout.write(f"{_key(path)} = {_toml(value)}  # {of}\n")


def _leaves(values: dict[str, Any], path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for name, value in values.items():
        found += _leaves(value, (*path, name)) if isinstance(value, dict) and value else [((*path, name), value)]
    return found


def _key(path: tuple[str, ...]) -> str:
    return ".".join([part if part.replace("-", "").replace("_", "").isalnum() else _toml(part) for part in path])


def _toml(value: Any) -> str:
    """A value as TOML: JSON is the same for all but tables."""
    import json

    if isinstance(value, dict):
        return "{" + ", ".join([f"{_key((key,))} = {_toml(each)}" for key, each in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
