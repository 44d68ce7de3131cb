"""The JSON Schemas of the contents of blocks, and the response templates, that settings name."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from llmblocks.facts.finding import Finding
from llmblocks.json5.finite import once
from llmblocks.settings.named_file import read_named, why_not_read

MOST_BYTES: Final = 1_000_000
_MOST_BYTES_OF_TEMPLATE: Final = 20_000_000


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
        text = decoded_text(read_named(path, MOST_BYTES)).strip()
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
