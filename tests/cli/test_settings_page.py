"""What docs/settings.md says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from llmblocks.cli.settings_page import settings_in, settings_table
from llmblocks.rules.names import KNOWN
from llmblocks.settings.check import MOST_PROBLEMS, check_settings
from llmblocks.settings.file import read_settings_text
from llmblocks.settings.given import DEEPEST
from llmblocks.settings.model import LONGEST_MARKER, LONGEST_NAME, LONGEST_PATH, MOST_ITEMS
from llmblocks.settings.schema import SCHEMA
from llmblocks.settings.values import DEFAULTS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "settings.md").read_text(encoding="utf-8")


def test_the_example_has_no_mistake_and_sets_nearly_everything() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    read = read_settings_text(text, KNOWN)
    assert read.findings == ()
    settings = check_settings(read.given, KNOWN).settings
    assert settings.ignore == ("S002", "G102")
    assert all(
        getattr(settings, each) != getattr(DEFAULTS, each)
        for each in settings._fields
        if each not in ("select", "delivery", "gadgets")
    )


def test_each_setting_changes_a_value() -> None:
    """One that does not has no `field` in the schema, and is not converted in settings/check.py."""
    values = {"string": "x1", "integer": 7, "number": 7.5, "array": ["S2"], "object": {"S2": ["S2"]}}
    values |= {"stf.dialect": "@", "diagnostics.delivery": "pull", "files.languages": {"a": "stf"}}
    values |= {"files.datasets": {"a": "openai"}, "files.strings": {"a": {"text": "stf"}}, "files.code": {"a": {}}}
    values |= {"tags.names": ["x"], "tags.declared": {"x": {}}, "rules.severity": {"S2": "hint"}}
    for path, schema in settings_in(SCHEMA, ()):
        name = ".".join(path)
        # those of files, which `settings/sources.py` follows, and what stands inside `tags.declared`
        if name in ("extend", "gadget.markersFrom") or "*" in path:
            continue
        value: Any = not schema["default"] if schema["type"] == "boolean" else values.get(name, values[schema["type"]])
        for step in reversed(path):
            value = {step: value}
        read = check_settings(value, KNOWN)
        assert read.problems == (), name
        assert read.settings != DEFAULTS, name


def test_the_tables_of_the_settings_and_the_schemas_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "build.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_setting_is_in_the_tables() -> None:
    names = {*_settings_in(SCHEMA)}
    assert {"extend", "start", "required", "perFileIgnores"} <= names
    table = settings_table(SCHEMA)
    assert [name for name in sorted(names) if f".{name}`" not in table and f"`{name}`" not in table] == []


def _settings_in(schema: Any) -> Iterator[str]:
    """The names of all settings, those in tables too."""
    for name, each in schema.get("properties", {}).items():
        inside = [*_settings_in(each)]
        yield from inside or [name]
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _settings_in(schema["additionalProperties"])


def test_the_limits_are_those_of_the_program() -> None:
    limits = dict(re.findall(r"^\| (.*?) \| ([\d,]+)", PAGE[PAGE.index("## Limits") :], re.MULTILINE))
    assert limits["nesting, in dotted keys too"] == str(DEEPEST)
    assert limits["findings about a settings file, or about the settings of an editor"] == f"{MOST_PROBLEMS},"
    assert limits["a marker"] == str(LONGEST_MARKER)
    assert limits["a path or a glob pattern"] == f"{LONGEST_PATH:,}"
    assert limits["the name of a tag or a rule"] == str(LONGEST_NAME)
    assert limits["items of a list, entries of `rules.severity`"] == f"{MOST_ITEMS:,}"
