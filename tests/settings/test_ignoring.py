"""Edits of settings files: a rule that is left out in one file; and keys and values in TOML."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.settings.globs import anchored, matches
from llmblocks.settings.ignoring import GROUP, listing, pattern_of
from llmblocks.settings.toml import key, value

ADDED = '[rules.perFileIgnores]\n"/a.gadget" = ["G101"]\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ADDED),
        ('[rules]\nignore = ["S"]\n', '[rules]\nignore = ["S"]\n\n' + ADDED),
        ("[stf]\ndialect = '@'", "[stf]\ndialect = '@'\n\n" + ADDED),
        ('[rules.perFileIgnores]\n"/b" = ["G1"]\n', ADDED + '"/b" = ["G1"]\n'),
        ("[ rules . perFileIgnores ] # here", '[ rules . perFileIgnores ] # here\n"/a.gadget" = ["G101"]\n'),
        (
            '[rules.perFileIgnores]\n"/a.gadget" = [\n  "G1", # why\n]\n',
            '[rules.perFileIgnores]\n"/a.gadget" = [\n  "G1", "G101", # why\n]\n',
        ),
        ('rules.perFileIgnores."/a.gadget" = ["T"]\n', 'rules.perFileIgnores."/a.gadget" = ["T", "G101"]\n'),
        (
            '[rules.perFileIgnores]\n"/a.gadget" = [ # none\n]\n',
            '[rules.perFileIgnores]\n"/a.gadget" = ["G101" # none\n]\n',
        ),
        ("[stf] # é\r\n", "[stf] # é\r\n\r\n" + ADDED.replace("\n", "\r\n")),
        # there is no place for it, or it is there
        ("rules = {}\n", None),
        ("rules.perFileIgnores = {}\n", None),
        ("rules = 3\n", None),
        ('[rules.perFileIgnores]\n"/a.gadget" = []\n', ADDED),
        ('[rules.perFileIgnores]\n"/a.gadget" = "G1"\n', None),
        ('[rules.perFileIgnores]\n"/a.gadget" = ["G101"]\n', None),
        ("no TOML", None),
        ('x = """\n[rules.perFileIgnores]\n"""\n', None),
    ],
)
def test_a_code_is_added_and_nothing_else_changes(before: str, after: str | None) -> None:
    made = listing(before, (), GROUP, "/a.gadget", ("G101",))
    assert (None if made is None else before[: made.offset] + made.text + before[made.offset :]) == after


def test_our_table_of_a_pyproject_file_gets_it() -> None:
    before = '[project]\nname = "x"\n\n[tool.llmblocks.rules]\nignore = ["S"]\n'
    made = listing(before, ("tool", "llmblocks"), GROUP, "/a.gadget", ("G101",))
    assert made is not None
    after = tomllib.loads(before + made.text)
    assert made.offset == len(before)
    assert after["tool"]["llmblocks"]["rules"] == {"ignore": ["S"], "perFileIgnores": {"/a.gadget": ["G101"]}}


@pytest.mark.parametrize("name", ["a.gadget", "x y/[a]*?.stf", "!a", "#a", "é/\U0001f600 ", "a\\b", 'q"q', "\x7f"])
def test_the_pattern_of_a_file_is_for_it_alone(name: str) -> None:
    pattern = anchored(pattern_of(name), "/w")
    assert matches([pattern], f"/w/{name}")
    assert not matches([pattern], f"/w/x/{name}")
    assert not matches([pattern], f"/w/{name}x")
    assert listing("", (), GROUP, pattern_of(name), ("G101",)) is not None


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
