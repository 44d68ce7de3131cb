"""The contents of files that settings name: JSON Schemas, response templates, and the configuration of llmist."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from llmblocks.facts.finding import Finding
from llmblocks.json5.finite import once
from llmblocks.settings.files import MOST_BYTES as MOST_BYTES_OF_SETTINGS
from llmblocks.settings.files import read_named, why_not_read
from llmblocks.settings.given import DEEPEST
from llmblocks.settings.toml import find_places

_MOST_BYTES: Final = 1_000_000
_MOST_BYTES_OF_TEMPLATE: Final = 20_000_000
SECTION: Final = "agent"
_KEYS = {"start": "gadget-start-prefix", "end": "gadget-end-prefix", "arg": "gadget-arg-prefix"}


class SchemaError(ValueError):
    """A schema that cannot be used; the message gives the reason."""


def is_schema(text: str) -> bool:
    """Return whether a setting is a schema, not the path of one."""
    return text.lstrip().startswith("{")


def require_schema(text: str) -> None:
    """Raise `SchemaError` for anything but a JSON Schema."""
    from llmblocks.gadget.running.json_schema import require_sound

    try:
        schema = json.loads(text, object_pairs_hook=once)
        if not isinstance(schema, dict):
            raise SchemaError("it must be an object")
        require_sound(schema)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"it must be a JSON Schema: {error}") from error


def read_schema(path: str) -> str:
    """Return the schema in a file, as JSON.

    Raises:
        SchemaError: It cannot be used.
    """
    from llmblocks.gadget.schemas.reading import decoded_text

    try:
        text = decoded_text(read_named(path, _MOST_BYTES)).strip()
    except (OSError, ValueError) as error:
        raise SchemaError(why_not_read(error)) from error
    require_schema(text)
    return text


class ReadTemplate(NamedTuple):
    """A response template from a file."""

    template: str | SchemaError
    """Its JSON, or the reason why it is missing."""
    text: str
    findings: tuple[Finding, ...]


def read_template(path: str) -> ReadTemplate:
    """Return the response template in a file, as JSON.

    Raises:
        SchemaError: It cannot be used.
    """
    from llmblocks.completions.shipped import findings_in, template_in
    from llmblocks.gadget.schemas.reading import decoded_text

    text, findings = "", tuple[Finding, ...]()
    try:
        text = decoded_text(read_named(path, _MOST_BYTES_OF_TEMPLATE))
        findings = findings_in(text)
        return ReadTemplate(template_in(text).key, text, findings)
    except (OSError, ValueError) as error:
        return ReadTemplate(SchemaError(why_not_read(error)), text, findings)


class ConfigurationError(ValueError):
    """A configuration that cannot be read; the message gives the reason."""


def read_markers(path: str) -> dict[str, str]:
    """Return the markers of llmist's agents: those of the section `agent`, and of the sections that it inherits from.

    Raises:
        ConfigurationError: The file cannot be read.

    Source: the CLI configuration of llmist, "Inheritance".
    """
    import tomllib

    try:
        text = read_named(path, MOST_BYTES_OF_SETTINGS).decode("utf-8-sig").replace("\r\n", "\n")
        if (refused := find_places(text).refused) is not None:
            raise ConfigurationError(refused[0])
        sections = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigurationError(why_not_read(error)) from error
    except RecursionError as error:
        raise ConfigurationError(str(error)) from error
    found = _inherited(sections, SECTION, 0, {})
    markers = {name: found[key] for name, key in _KEYS.items() if key in found}
    for name, marker in markers.items():
        if not isinstance(marker, str):
            raise ConfigurationError(f"{_KEYS[name]} is not a string")
    return markers


def _inherited(sections: Mapping[str, Any], name: str, depth: int, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a section with everything it inherits; of several parents, the last one decides.

    `known` are the sections read so far. On a cycle, which llmist refuses, a section lacks the sections around it.
    """
    section = sections.get(name)
    if name in known or not isinstance(section, dict) or depth > DEEPEST:
        return known.get(name, {})
    known[name] = {}
    names = section.get("inherits", [])
    found: dict[str, Any] = {}
    for each in [names] if isinstance(names, str) else names if isinstance(names, list) else ():
        found |= _inherited(sections, str(each), depth + 1, known)
    known[name] = found | section
    return known[name]
