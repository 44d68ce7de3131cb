"""Keys and values in TOML, as the parser of the standard library reads them."""

from __future__ import annotations

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.settings.toml import key, value

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXTS, each, max_size=3),
    max_leaves=5,
)


@given(TEXTS, VALUES)
@example("é", "\x7f\x00\t\n")
@example("", {"a-b_1": [1e-07]})
def test_a_key_and_a_value_are_read_as_they_were(name: str, given: object) -> None:
    assert tomllib.loads(f"{key(('a', name))} = {value(given)}\n") == {"a": {name: given}}
