"""Completion and hover in a settings file, which is broken where somebody types."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.features.completion import Completion
from llmblocks.features.settings_file import complete, hover
from llmblocks.languages import registry
from llmblocks.languages.registry import language_ids
from llmblocks.settings.files import TABLE
from llmblocks.settings.rule_names import ALL_RULES
from llmblocks.settings.schema import SCHEMA
from llmblocks.settings.sources import read_settings_text

STF = ("dialect", "defaultRole", "gadgetRoles", "blockRoles")
DIALECTS = ('"auto"', '"@"', '";"')
SEVERITIES = ('"off"', '"hint"', '"information"', '"warning"', '"error"')
LANGUAGES = tuple(f'"{each}"' for each in registry.language_ids())
BOOLEANS = ("true", "false")


def at_cursor(marked: str, table: tuple[str, ...] = ()) -> list[Completion]:
    text, _, behind = marked.partition("$0")
    return complete(text + behind, len(text), table)


def chosen(marked: str, label: str, table: tuple[str, ...] = ()) -> str:
    """Return the text with a completion."""
    before, _, behind = marked.partition("$0")
    [found] = [each for each in complete(before + behind, len(before), table) if each.label == label]
    text = before + behind
    return text[: found.start] + (found.snippet or found.text) + text[found.end :]


@pytest.mark.parametrize(
    ("marked", "labels"),
    [
        ("$0", tuple(SCHEMA["properties"])),
        ("[stf]\n$0", STF),
        ("[stf]\r\ndia$0", STF),
        ("[stf] # ours\n\n  dia$0\n[rules]\n", STF),
        ("stf.$0", STF),
        ("stf . dia$0", STF),
        ('["stf"]\n$0', STF),
        ("stf = { $0 }", STF),
        ('stf = { dialect = "@", $0', STF),
        ("[gadget]\nmarkers = { st$0", ("start", "end", "arg")),
        ("[tags.declared.think.attributes.depth]\n$0", ("required", "description", "values")),
        ('[tags.declared]\n"a.b" = { attributes = { x = { $0', ("required", "description", "values")),
        ("[stf]\ndialect = $0", DIALECTS),
        ("[stf]\ndialect = $0\r\nblockRoles = []", DIALECTS),
        ('[stf]\ndialect = "$0', DIALECTS),
        ('[stf]\ndialect = "a$0"', DIALECTS),
        ("[stf]\ndialect = 'a$0'", DIALECTS),
        ("stf = { dialect = $0", DIALECTS),
        ("[rules.severity]\nG101 = $0", SEVERITIES),
        ('rules.severity = { G101 = "off", S = $0', SEVERITIES),
        ('[files.languages]\n"**/*.md" = $0', LANGUAGES),
        ('[files.code."*.py"]\n"PROMPT" = $0', LANGUAGES),
        ("[hints]\nwaves = $0", BOOLEANS),
        ("[hints]\nwaves = t$0", BOOLEANS),
        (
            '[tags.declared.x]\ncontent = "j$0',
            ('"text"', '"json"', '"json5"', '"number"', '"gadget"', '"stf"', '"qwen-xml"'),
        ),
        ("[files.datasets]\n$0", ('"**"', '"**/*.gadget"', '"**/*.stf"', '"**/*.blocks"', '"**/*.completion"')),
        # what is broken above
        ('[rules]\nignore = ["G1\n[stf]\n$0', STF),
        ("[rules]\nignore = [\n[stf]\ndia$0", STF),
        ("[rules]\nignore = [\n  'G1',\nselect = []\n[stf]\n$0", STF),
        ("rules = { ignore = [], \n[stf]\ndialect = $0", DIALECTS),
        ('=== what \x0c ]]] }}} is "this\n[stf]\n$0', STF),
        ("[stf]\nblockRoles =\ndialect = $0", DIALECTS),
        # nothing is known, or it is complete
        ("# $0", ()),
        ("[stf]\ndialect = ';' # $0", ()),
        ('[stf]\ndialect = "@"$0', ()),
        ('[stf]\ndialect = "@" $0', ()),
        ("[hints]\nwaves = true$0", ()),
        ("[stf] $0", ()),
        ("[[ru$0", ()),
        ("[stf]\ndialect $0", ()),
        ("[rules]\nignore = []$0", ()),
        ("[rules]\nignore = ['G1'$0", ()),
        ('[gadget.markers]\nstart = """\n[stf]\n$0', ()),
        ("[gadget.markers]\nstart = '''\n[stf]\n$0\n'''", ()),
        ("[other]\n$0", ()),
        ("[stf.other]\n$0", ()),
        ("extend = $0", ()),
    ],
)
def test_what_can_be_written_is_offered(marked: str, labels: tuple[str, ...]) -> None:
    assert tuple(each.label for each in at_cursor(marked)) == labels


@pytest.mark.parametrize(
    "marked",
    [
        "[rules]\nignore = [$0]",
        '[rules]\nignore = ["G1", $0]',
        '[rules]\r\nignore = [\r\n  "G1",\r\n  "$0\r\n]',
        "[rules]\nselect = [ # some\n  $0",
        "[rules]\nperFileIgnores = { '**' = ['du$0'",
        '[rules.perFileIgnores]\n"**" = [$0',
    ],
)
def test_the_rules_are_offered_with_their_names(marked: str) -> None:
    found = {each.label: each for each in at_cursor(marked)}
    assert [*found] == [
        *(f'"{letter}"' for letter in "CDGMST"),
        *(f'"{name}"' for rule in ALL_RULES for name in (rule.code, rule.name)),
    ]
    assert found['"G101"'].aside == "duplicate-pointer: Two arguments of one call have the same pointer."
    assert found['"duplicate-pointer"'].aside == "G101: Two arguments of one call have the same pointer."
    assert found['"G101"'].detail.endswith("/docs/rules/G101.md)")


@pytest.mark.parametrize(
    ("marked", "label", "becomes"),
    [
        ("ru$0", "rules", "rules."),
        ("[stf]\ndia$0", "dialect", "[stf]\ndialect = "),
        ("[stf]\ndia$0 = 3", "dialect", "[stf]\ndialect = 3"),
        ("[stf]\ndia$0lct = 3", "dialect", "[stf]\ndialect = 3"),
        ("[stf]\nd$0", "defaultRole", '[stf]\ndefaultRole = "$0"'),
        ("[rules]\n$0", "ignore", "[rules]\nignore = [$0]"),
        ("gadget.s$0", "schemas", "gadget.schemas = { $0 }"),
        ("[files.languages]\n$0", '"**/*.stf"', '[files.languages]\n"**/*.stf" = '),
        ('[files.languages]\n"*$0"', '"**"', '[files.languages]\n"**" = '),
        ("[rules.severity]\nG1$0", "G101", "[rules.severity]\nG101 = "),
        ('[rules.severity]\n"G1$0"', '"G101"', '[rules.severity]\n"G101" = '),
        ("[stf]\ndialect = $0", '"@"', '[stf]\ndialect = "@"'),
        ('[stf]\ndialect = "$0"', '"@"', '[stf]\ndialect = "@"'),
        ('[stf]\ndialect = "$0', '"@"', '[stf]\ndialect = "@"'),
        ("rules.ignore = $0", '"G101"', 'rules.ignore = ["G101"]'),
        ('rules.ignore = ["$0"]', '"G101"', 'rules.ignore = ["G101"]'),
        ("[ru$0]", "[rules]", "[rules]"),
        ("[ru$0\nignore = []", "[rules]", "[rules]\nignore = []"),
        ("[rules.$0", "[rules.severity]", "[rules.severity]"),
    ],
)
def test_what_is_chosen_takes_the_place_of_what_was_typed(marked: str, label: str, becomes: str) -> None:
    assert chosen(marked, label) == becomes


def test_a_table_is_offered_before_those_in_it() -> None:
    found = [each.label for each in at_cursor("[$0")]
    assert found.index("[gadget]") < found.index("[gadget.markers]")
    assert {"[rules]", "[rules.severity]", "[tags.declared]"} <= {*found}
    assert "[extend]" not in found


def test_in_pyproject_only_our_table_is_completed() -> None:
    for marked in ("$0", "[project]\n$0", "[tool.other]\n$0", "[project]\nname = $0", "[tool]\n$0"):
        assert at_cursor(marked, TABLE) == []
    assert [each.label for each in at_cursor("[tool.llmblocks.stf]\n$0", TABLE)] == [*STF]
    assert [each.label for each in at_cursor("[tool]\nllmblocks.stf.$0", TABLE)] == [*STF]
    assert [each.label for each in at_cursor("[to$0", TABLE)][:2] == [
        "[tool.llmblocks]",
        "[tool.llmblocks.diagnostics]",
    ]
    assert chosen("[tool.llm$0]", "[tool.llmblocks.rules]", TABLE) == "[tool.llmblocks.rules]"


@pytest.mark.parametrize(
    ("marked", "part", "words"),
    [
        ('[stf]\ndia$0lect = "@"', "dialect", ("`stf.dialect`", "The dialect of", '`"@"`', 'Default: `"auto"`')),
        ("stf.$0dialect", "dialect", ("`stf.dialect`",)),
        ("[diagnostics]\nmaxPerDocument$0 = 3", "maxPerDocument", ("number of findings", "whole number", "`1000`")),
        ("[[broken\n[hints]\nwaves$0", "waves", ("`hints.waves`", "boolean")),
        ("gadget = { markers = { st$0art", "start", ("begins a gadget call",)),
        ("[gadget.sch$0emas]", "schemas", ("files that define gadgets",)),
        ('[rules]\nignore = ["G1$001"', '"G101"', ("duplicate-pointer: Two", "G101.md")),
        ("[rules.severity]\nduplicate-$0pointer = 3", "duplicate-pointer", ("G101: Two", "G101.md")),
        ("[rules]\nignore = ['g1$001']", "'g101'", ("duplicate-pointer",)),
    ],
)
def test_a_setting_or_a_rule_is_explained(marked: str, part: str, words: tuple[str, ...]) -> None:
    before, _, behind = marked.partition("$0")
    found = hover(before + behind, len(before))
    assert found is not None
    assert (before + behind)[found.start : found.end] == part
    assert [each for each in words if each not in found.text] == []


@pytest.mark.parametrize(
    "marked", ["[st$0f]", "[nothing]\ndia$0lect = 1", "# dia$0lect", 'x = "dia$0lect"', "[rules] $0"]
)
def test_other_words_are_not_explained(marked: str) -> None:
    before, _, behind = marked.partition("$0")
    assert hover(before + behind, len(before)) is None


PIECES = (
    *("[", "]", "{", "}", ".", ",", "=", '"', "'", '"""', "'''", "\n", "\r\n", " ", "#", "\\", "\x0c", "😀", "1.5"),
    *("rules", "ignore", "severity", "G101", "stf", "dialect", "tool.llmblocks", "schemas", "true", "a" * 1001),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(0, 60), st.sampled_from([(), TABLE]))
@example(["[", '"""', "\n"], 5, ())
@example(["[", '"""', "\n", '"""', "."], 60, ())
def test_any_text_has_an_answer(pieces: list[str], offset: int, table: tuple[str, ...]) -> None:
    text = "".join(pieces)
    offset = min(offset, len(text))
    for each in complete(text, offset, table):
        assert each.start <= offset <= each.end
        assert "\n" not in text[each.start : each.end]
    found = hover(text, offset, table)
    assert found is None or found.start <= offset <= found.end


def test_what_is_offered_for_each_setting_is_right() -> None:
    for header in at_cursor("[$0"):
        for key in at_cursor(f"{header.label}\n$0"):
            if not key.text.endswith("= "):
                continue
            for value in at_cursor(f"{header.label}\n{key.text}$0")[:3]:
                text = f"{header.label}\n{key.text}{value.text}\n"
                assert read_settings_text(text, language_ids()).findings == (), text
