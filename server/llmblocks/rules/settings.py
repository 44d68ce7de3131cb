"""C001 to C004: the rules about settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from llmblocks.core.finding import Finding
from llmblocks.rules.check import severity_of
from llmblocks.rules.rule import Rule
from llmblocks.settings.catalogue import (
    INVALID_SETTING,
    OVERLAPPING_MARKERS,
    RULED,
    UNKNOWN_SETTING,
    UNREADABLE_SCHEMA,
)
from llmblocks.settings.file import SettingsFile
from llmblocks.settings.gadgets import SchemaFile
from llmblocks.settings.values import Settings

_File = TypeVar("_File", SettingsFile, SchemaFile)

SETTINGS: Final = "settings"
SCHEMAS: Final = "schemas"
KINDS: Final = {kind.code: kind for kind in RULED}

SETTINGS_RULES: Final = (
    Rule(
        kind=INVALID_SETTING,
        layer=SETTINGS,
        summary="A setting has a value that it cannot have, or a settings file cannot be used.",
        why="The default is used instead of the value, and a list loses the item. All other settings hold. A file that "
        "is no TOML is not used at all; a file that cannot be extended is left out.",
        bad='[stf]\ndialect = "$"\n',
        good='[stf]\ndialect = "@"\n',
    ),
    Rule(
        kind=UNKNOWN_SETTING,
        layer=SETTINGS,
        summary="There is no setting with this name.",
        why="The setting has no effect. Most often, its name is misspelt or it stands in the wrong table.",
        bad='[stf]\ndialct = "@"\n',
        good='[stf]\ndialect = "@"\n',
    ),
    Rule(
        kind=UNREADABLE_SCHEMA,
        layer=SCHEMAS,
        summary="A file that defines gadgets cannot be read, or holds something that is no definition.",
        why="The gadgets that it does not define are unknown. Where definitions are missing as a whole, calls are not "
        "judged by the names of gadgets.",
        bad='{"name": "Search", "schema": {"type": "objekt"}}\n',
        good='{"name": "Search", "schema": {"type": "object"}}\n',
    ),
    Rule(
        kind=OVERLAPPING_MARKERS,
        layer=SETTINGS,
        summary="A marker is empty, contains a line end, or is a prefix of another one.",
        why="Such markers cannot be told apart, or are found everywhere. The default markers are used instead.",
        bad='[gadget.markers]\nstart = "<<"\nend = "<<END"\n',
        good='[gadget.markers]\nstart = "<<START"\nend = "<<END"\n',
    ),
)


def judged(file: _File, settings: Callable[[], Settings]) -> _File:
    """A file with the severities that settings give its findings: its own, or those of a document that uses it."""
    return file._replace(findings=graded(file.findings, settings())) if file.findings else file


def graded(findings: tuple[Finding, ...], settings: Settings) -> tuple[Finding, ...]:
    """Findings about settings with the severities that settings give them, without those that are off."""
    found = []
    for finding in findings:
        severity = severity_of(KINDS[finding.code], settings)
        if severity is not None:
            found.append(finding if severity is finding.severity else replace(finding, severity=severity))
    return tuple(found)
