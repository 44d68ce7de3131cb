"""What docs/settings.md says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from llmblocks.cli.settings_page import settings_table
from llmblocks.rules.names import KNOWN
from llmblocks.settings.check import MOST_PROBLEMS, check_settings
from llmblocks.settings.file import read_settings_text
from llmblocks.settings.given import DEEPEST
from llmblocks.settings.schema import LONGEST_MARKER, LONGEST_NAME, LONGEST_PATH, MOST_ITEMS, SCHEMA
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


def test_the_tables_of_the_settings_and_the_schemas_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "build.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_setting_is_in_the_tables() -> None:
    names = {*_settings_in(SCHEMA)}
    assert {"extend", "start", "required", "perFileIgnores"} <= names
    table = settings_table()
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
