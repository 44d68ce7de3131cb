"""The JSON Schemas of the contents of blocks, as settings name them."""

from __future__ import annotations

import json
import os
from typing import Final

from llmblocks.json5.finite import once

MOST_BYTES: Final = 1_000_000


class SchemaError(ValueError):
    """A schema that cannot be used; the message says why."""


def is_schema(text: str) -> bool:
    """Whether a setting is a schema itself, not the path of one."""
    return text.lstrip().startswith("{")


def require_schema(text: str) -> None:
    """Errors: `SchemaError` for anything but a JSON Schema."""
    from llmblocks.gadget.schemas.sound import UnsoundError, require_sound

    try:
        schema = json.loads(text, object_pairs_hook=once)
        if not isinstance(schema, dict):
            raise SchemaError("it must be an object")
        require_sound(schema, {})
    except UnsoundError as error:
        raise SchemaError(f"it must be a JSON Schema: {error}") from error
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"it must be a JSON Schema: {error}") from error


def read_schema(path: str) -> str:
    """The schema in a file, as JSON. Errors: `SchemaError`."""
    from llmblocks.gadget.schemas.reading import decoded_text

    try:
        if not os.path.isfile(path):
            os.stat(path)
            raise SchemaError("it is not a regular file")
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SchemaError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
        text = decoded_text(data).strip()
    except OSError as error:
        raise SchemaError((error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise SchemaError(f"it is not text: {error.reason}") from error
    require_schema(text)
    return text
