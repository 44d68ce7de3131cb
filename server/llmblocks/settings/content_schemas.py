"""The JSON Schemas of the contents of blocks, and the response templates, as settings name them."""

from __future__ import annotations

import json
from typing import Final

from llmblocks.json5.finite import once
from llmblocks.settings.named_file import read_named, why_not_read

MOST_BYTES: Final = 1_000_000
_MOST_BYTES_OF_TEMPLATE: Final = 20_000_000


class SchemaError(ValueError):
    """A schema that cannot be used; the message says why."""


def is_schema(text: str) -> bool:
    """Return whether a setting is a schema itself, not the path of one."""
    return text.lstrip().startswith("{")


def require_schema(text: str) -> None:
    """Errors: `SchemaError` for anything but a JSON Schema."""
    from llmblocks.gadget.schemas.sound import require_sound

    try:
        schema = json.loads(text, object_pairs_hook=once)
        if not isinstance(schema, dict):
            raise SchemaError("it must be an object")
        require_sound(schema)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"it must be a JSON Schema: {error}") from error


def read_schema(path: str) -> str:
    """Return the schema in a file, as JSON. Errors: `SchemaError`."""
    from llmblocks.gadget.schemas.reading import decoded_text

    try:
        text = decoded_text(read_named(path, MOST_BYTES)).strip()
    except (OSError, ValueError) as error:
        raise SchemaError(why_not_read(error)) from error
    require_schema(text)
    return text


def read_template(path: str) -> str:
    """Return the response template in a file, as JSON. Errors: `SchemaError`."""
    from llmblocks.completions.shipped import template_in
    from llmblocks.gadget.schemas.reading import decoded_text

    try:
        return template_in(decoded_text(read_named(path, _MOST_BYTES_OF_TEMPLATE))).key
    except (OSError, ValueError) as error:
        raise SchemaError(why_not_read(error)) from error
