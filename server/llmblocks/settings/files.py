"""Files with settings, or named by some: their search and their contents. They may be anything, of any size."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from typing import Any

from llmblocks.core.system import parents
from llmblocks.facts.finding import Finding

NAME = "llmblocks.toml"
PYPROJECT = "pyproject.toml"
NAMES = (NAME, PYPROJECT)
"""The names of settings files, highest precedence first."""
TABLE = ("tool", "llmblocks")
"""The table of a `pyproject.toml` with our settings."""
MOST_BYTES = 1 << 20
"""The maximum size of a settings file."""
_MOST_BYTES_OF_SCHEMA = 1_000_000
_MOST_BYTES_OF_TEMPLATE = 20_000_000
_MOST_INHERITED = 16
_KEYS = {"start": "gadget-start-prefix", "end": "gadget-end-prefix", "arg": "gadget-arg-prefix"}

_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def table_in(path: str) -> tuple[str, ...]:
    return TABLE if os.path.basename(path) == PYPROJECT else ()


def find_settings_file(folder: str, roots: Iterable[str]) -> str | None:
    """Return the nearest settings file from a folder upwards, up to the root that contains the folder.

    All paths are absolute and normal. A `pyproject.toml` counts if it has a table for us; an `llmblocks.toml` always,
    even an unreadable one.
    """
    within = {root for root in roots if root == folder or root in parents(folder)}
    if not within:
        return None
    top = min(within, key=len)
    for each in (folder, *parents(folder)):
        for name in NAMES:
            candidate = os.path.join(each, name)
            try:
                regular = stat.S_ISREG(os.stat(candidate).st_mode)
            except (OSError, ValueError) as error:
                # an inaccessible or impossible folder has no settings for us
                if getattr(error, "errno", None) not in _NOT_THERE:
                    return None
                continue
            if name == NAME or (regular and _has_our_table(candidate)):
                return candidate
        if each == top:
            return None
    return None


def _has_our_table(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return False
    if b"llmblocks" not in data:
        return False
    from llmblocks.settings.toml import find_places

    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return () in find_places(text, TABLE).spans


def read_named(path: str, most: int) -> bytes:
    """Return the bytes of a regular file; raise `OSError` if it cannot be read, `ValueError` if it is too large."""
    if (reason := why_no_file(path)) is not None:
        raise OSError(reason)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(too_large(most))
    return data


def too_large(most: int) -> str:
    return f"it is larger than {most / (1 << 20):.2g} MiB"


def why_no_file(path: str) -> str | None:
    """Return why a path is not a regular file, or None. Reading a pipe may never end."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        return why_not_read(error)
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return None if stat.S_ISREG(mode) else "it is not a regular file"


def why_not_read(error: Exception) -> str:
    """Return the reason for an error of `read_named`, or for an undecodable file, for a message."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not {error.encoding.upper()}: byte 0x{error.object[error.start]:02x} at offset {error.start}"
    system = getattr(error, "strerror", None)
    return str(system).lower() if system else str(error)


def is_schema(text: str) -> bool:
    """Return whether a setting is a schema, not the path of one."""
    return text.lstrip().startswith("{")


def require_schema(text: str) -> None:
    """Raise `ValueError` for anything but a JSON Schema."""
    import json

    from llmblocks.gadget.running import json_schema
    from llmblocks.json5.finite import once

    try:
        schema = json.loads(text, object_pairs_hook=once)
        if not isinstance(schema, dict):
            raise ValueError("it must be an object")
        json_schema.require_schema(schema)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it must be a JSON Schema: {error}") from error


def read_schema(path: str) -> str:
    """Return the schema in a file, as JSON. Raises `ValueError`."""
    from llmblocks.gadget.schemas.reading import decoded_text

    try:
        text = decoded_text(read_named(path, _MOST_BYTES_OF_SCHEMA)).strip()
    except (OSError, ValueError) as error:
        raise ValueError(why_not_read(error)) from error
    require_schema(text)
    return text


def read_template(path: str) -> tuple[str | ValueError, str, tuple[Finding, ...]]:
    """Return the response template in a file, as JSON or the reason for its lack, with the file's text and findings."""
    from llmblocks.completions.shipped import findings_in, template_in
    from llmblocks.gadget.schemas.reading import decoded_text

    text, findings = "", tuple[Finding, ...]()
    try:
        text = decoded_text(read_named(path, _MOST_BYTES_OF_TEMPLATE))
        findings = findings_in(text)
        return template_in(text).key, text, findings
    except (OSError, ValueError) as error:
        return ValueError(why_not_read(error)), text, findings


def read_markers(path: str) -> dict[str, str]:
    """Return the markers of llmist's agents: those of the section `agent`, and of the sections that it inherits from.

    Raises `ValueError`. Source: the CLI configuration of llmist, "Inheritance".
    """
    import tomllib

    from llmblocks.settings.toml import find_places

    try:
        text = read_named(path, MOST_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
        if (refused := find_places(text).refused) is not None:
            raise ValueError(refused[0])
        sections = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(why_not_read(error)) from error
    found = _inherited(sections, "agent", 0, {})
    markers = {name: found[key] for name, key in _KEYS.items() if key in found}
    for name, marker in markers.items():
        if not isinstance(marker, str):
            raise ValueError(f"{_KEYS[name]} is not a string")
    return markers


def _inherited(sections: Mapping[str, Any], name: str, depth: int, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a section with all that it inherits; the last parent decides. A cycle lacks the sections around it."""
    section = sections.get(name)
    if name in known or not isinstance(section, dict) or depth > _MOST_INHERITED:
        return known.get(name, {})
    known[name] = {}
    names = section.get("inherits", [])
    found: dict[str, Any] = {}
    for each in [names] if isinstance(names, str) else names if isinstance(names, list) else ():
        found |= _inherited(sections, str(each), depth + 1, known)
    known[name] = found | section
    return known[name]
