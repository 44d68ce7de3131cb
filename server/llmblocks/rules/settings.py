"""C001 to C004: the rules about settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from llmblocks.core.places import order
from llmblocks.facts.finding import Finding
from llmblocks.rules.severities import severity_of
from llmblocks.settings.file import SettingsFile
from llmblocks.settings.gadgets import SchemaFile
from llmblocks.settings.globs import anchored_path, is_import_path
from llmblocks.settings.rule_names import BY_CODE
from llmblocks.settings.schema import SettingPath
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.settings.gadgets import SchemaFiles
    from llmblocks.settings.sources import Sources

_File = TypeVar("_File", SettingsFile, SchemaFile)


def judged_files(sources: Sources, schemas: SchemaFiles) -> Iterator[tuple[str, SettingsFile | SchemaFile]]:
    """Yield all settings files, schema files and models read so far, by path, with their findings."""
    files, defining = _at_their_names(sources.files(), {**schemas.files(), **schemas.models()})
    for path, file in files.items():
        yield path, judged(file, partial(sources.settings_of_file, path))
    for path, schema in defining.items():
        yield path, judged(schema, partial(schemas.settings_of, path))


def judged_file(path: str, sources: Sources, schemas: SchemaFiles) -> SettingsFile:
    """Return one settings file with its findings."""
    sources.layers_of_file(path)
    return next(file for at, file in judged_files(sources, schemas) if at == path and isinstance(file, SettingsFile))


def _at_their_names(
    files: Mapping[str, SettingsFile], schemas: Mapping[str, SchemaFile]
) -> tuple[dict[str, SettingsFile], dict[str, SchemaFile]]:
    """Return settings files and schema files by their paths, each finding where a user can see it.

    Problems of a missing schema file, or of a model, are reported in the settings files that name it.
    """
    moved: set[str] = set()
    found = {}
    for path, file in files.items():
        found[path] = file
        for name, setting in _named_schemas(path, file):
            if (schema := schemas.get(name)) is not None and not schema.has_text and schema.findings:
                moved.add(name)
                start, end = file.place(setting)
                more = [finding.__replace__(start=start, end=end) for finding in schema.findings]
                found[path] = found[path]._replace(findings=(*sorted((*found[path].findings, *more), key=order),))
    return found, {path: schema for path, schema in schemas.items() if path not in moved}


def schemas_named_by(sources: Sources) -> set[str]:
    """Return all schema files, patterns and models that settings files name."""
    return {name for path, file in sources.files().items() for name, _ in _named_schemas(path, file)}


def _named_schemas(path: str, file: SettingsFile) -> Iterator[tuple[str, SettingPath]]:
    """Yield the schema files, patterns and models that a settings file names, each with its setting."""
    group = file.given.get("gadget")
    by_glob = group.get("schemas") if isinstance(group, dict) else None
    for glob, names in by_glob.items() if isinstance(by_glob, dict) else ():
        for number, name in enumerate(names if isinstance(names, list) else ()):
            text = str(name)
            whole = text if is_import_path(text) else anchored_path(text, os.path.dirname(path))
            yield whole, ("gadget", "schemas", glob, number)


def judged(file: _File, settings: Callable[[], Settings]) -> _File:
    """Return a file with the severities of its findings from settings: its own, or those of a document that uses it."""
    return file._replace(findings=graded(file.findings, settings())) if file.findings else file


def graded(findings: tuple[Finding, ...], settings: Settings) -> tuple[Finding, ...]:
    """Return findings about settings with their severities from settings, without those that are off."""
    found = []
    for finding in findings:
        rule = BY_CODE[finding.code]
        chosen = severity_of(rule, settings)
        if chosen is not None:
            severity = rule.graded(chosen, finding.data)
            found.append(finding if severity is finding.severity else finding.__replace__(severity=severity))
    return tuple(found)
