"""The fields of `Settings`, as a program fills them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import llmblocks
from llmblocks.settings.schema import fields
from llmblocks.settings.values import Settings

FIELDS = {schema["field"]: schema for _, _, schema in fields()}
PACKAGE = Path(llmblocks.__file__).parent
ODD: dict[str, list[Any]] = {
    "integer": [1.5, "1", True, None],
    "number": ["1", True, None, float("nan")],
    "boolean": [2, "yes", None],
    "string": [1, None],
    "array": ["word", (1,), None],
}


def odd_values(schema: dict[str, Any]) -> list[Any]:
    """Values that a field cannot have, by its schema."""
    below = [schema["minimum"] - 1] if "minimum" in schema else [schema.get("exclusiveMinimum")]
    return [*ODD[schema["type"]], *(["odd"] if "enum" in schema else []), *filter(lambda each: each is not None, below)]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_refuses_at_once_what_its_setting_refuses(name: str) -> None:
    for value in odd_values(FIELDS[name]):
        with pytest.raises(ValueError, match=rf"^{name} is .*; it must be "):
            Settings(**{name: value})


@pytest.mark.parametrize("name", Settings._fields)
def test_a_field_refuses_at_once_what_is_not_a_setting(name: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        Settings(**{name: object()})  # type: ignore[arg-type]


def test_a_field_takes_what_a_settings_file_says() -> None:
    made = Settings(languages={"*.txt": "gadget"}, schemas={"**": ["a.json"]}, exclude=["dist"])  # type: ignore[arg-type]
    assert (made.languages[0].values, made.schemas[0].values, made.exclude) == (("gadget",), ("a.json",), ("dist",))
