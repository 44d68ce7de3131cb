"""Settings of users: the valid part applies, and every mistake is reported, in a file at its place."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from formats.gadget.test_gadget_hostile_schemas import calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import language_ids
from llmblocks.settings.check import MOST_PROBLEMS, CheckedSettings, check_settings
from llmblocks.settings.files import find_settings_file
from llmblocks.settings.given import as_given, own_settings
from llmblocks.settings.sources import SettingsFile, read_settings_text
from llmblocks.settings.values import DEFAULT_TAGS, DEFAULTS, ByGlob, Settings
from llmblocks.tags.syntax import Attribute, Tag


def checked(value: Any) -> CheckedSettings:
    given = as_given(value)
    return check_settings(value if given is None else given, language_ids())


def settings_of(value: Any) -> Settings:
    return checked(value).settings


def codes_of(value: Any) -> list[str]:
    return [problem.rule.code for problem in checked(value).problems]


def read(text: str) -> SettingsFile:
    return read_settings_text(text, language_ids())


def test_nothing_set_is_all_defaults() -> None:
    for value in (None, {}, {"stf": None}, {"stf": {"dialect": None}}, {"server": {"command": "x"}}):
        assert as_given(value) == {}
    assert settings_of({}) == DEFAULTS


def test_every_setting_is_read() -> None:
    value = {
        "diagnostics": {"maxPerDocument": 5, "delivery": "push"},
        "files": {"maxSizeMB": 2, "languages": {"*.txt": "stf"}, "exclude": ["old"], "extendExclude": ["*.bak"]},
        "gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}, "schemas": {"*.response": ["gadgets.json"]}},
        "stf": {"dialect": ";", "defaultRole": "user", "gadgetRoles": ["ai"], "blockRoles": []},
        "tags": {
            "names": ["a", "b"],
            "declared": {
                "b": {},
                "c": {
                    "description": "A file.",
                    "attributes": {"kind": {"required": True, "description": "Its kind.", "values": ["x", "y"]}},
                },
                "d": {"attributes": {}},
            },
        },
        "rules": {
            "select": ["G"],
            "extendSelect": ["S"],
            "ignore": ["G102"],
            "extendIgnore": ["G103"],
            "perFileIgnores": {"a/*.stf": ["S001", "unmatched-comment-end"], "!b": []},
            "severity": {"G1": "hint", "G103": "off"},
        },
    }
    expected = Settings(
        markers=Markers("<<", ">>", "--"),
        dialect=";",
        schemas=(ByGlob("*.response", ("gadgets.json",)),),
        default_role="user",
        gadget_roles=("ai",),
        block_roles=(),
        tags=("a", "b", "c", "d"),
        declared_tags=(
            Tag("b"),
            Tag("c", "A file.", (Attribute("kind", True, "Its kind.", ("x", "y")),)),
            Tag("d", "", ()),
        ),
        select=("G", "S"),
        ignore=("G102", "G103"),
        severity=(("G1", "hint"), ("G103", "off")),
        languages=(ByGlob("*.txt", ("stf",)),),
        exclude=("old", "*.bak"),
        per_file_ignores=(ByGlob("a/*.stf", ("S001",)), ByGlob("!b", ())),
        max_diagnostics=5,
        max_size_mb=2,
        delivery="push",
    )
    assert settings_of(value) == expected
    assert codes_of(value) == []


def test_dotted_names_and_our_own_prefix_are_the_same_as_nested_ones() -> None:
    assert as_given({"stf.dialect": "@", "stf": {"more": "kept"}}) == {"stf": {"dialect": "@", "more": "kept"}}
    assert as_given({"llmblocks.files.maxSizeMB": 3}) == {"files": {"maxSizeMB": 3}}
    assert own_settings({"settings": {"llmblocks": {"a": 1}}}) == {"a": 1}


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("odd", ["C001"]),
        ([], ["C001"]),
        (7, ["C001"]),
        ({"diagnostics": {"maxPerDocument": "many"}}, ["C001"]),
        ({"diagnostics": {"maxPerDocument": 0}}, ["C001"]),
        ({"diagnostics": {"maxPerDocument": True}}, ["C001"]),
        ({"diagnostics": 3}, ["C001"]),
        ({"diagnostic": {}, "file": {"maxSizeMB": 3}}, ["C002"]),
        ({"gadget": {"markers": {"start": ""}}}, ["C004"]),
        ({"gadget": {"markers": {"start": "a", "end": "ab"}}}, ["C004"]),
        ({"gadget": {"markers": {"start": "a\nb"}}}, ["C004"]),
        ({"gadget": {"markers": {"arg": "a\r"}}}, ["C004"]),
        ({"gadget": {"markers": {"start": 5}}}, ["C001"]),
        ({"gadget": {"markers": {"start": "<<", "end": "<<", "arg": 5}}}, ["C001", "C004"]),
        ({"rules": {"ignore": ["nonsense"]}}, ["C001"]),
        ({"stf": {"enable": 1}}, ["C002"]),
        ({"\ud800": 1}, ["C002"]),
        ({"stf": {"dialect": "\ud800"}}, ["C001"]),
        ({"tags": {"names": ["\ud800"]}, "rules": {"severity": {"\ud800": "off"}}}, ["C001", "C001"]),
        ({"files": {"maxSizeMB": float("nan")}}, ["C001"]),
        ({"diagnostics": {"maxPerDocument": 10**5000}}, ["C001"]),
        ({"tags": {"names": "think"}}, ["C001"]),
        ({"rules": {"severity": {"G1": "loud"}, "select": [3]}}, ["C001", "C001"]),
        ({"gadget": {"schemas": {"!": ["a"], "": [], "\0": [], "# a": [], "a": "b"}}}, ["C001"] * 5),
        ({"gadget": {"schemas": {"a": ["", 3, "\0"]}}}, ["C001"] * 3),
        ({"files": {"languages": {"*.a": "stff", "!": "stf"}, "extendExclude": ["!", 3]}}, ["C001"] * 4),
        ({"rules": {"perFileIgnores": {"*": ["nonsense", 3], "#": []}}}, ["C001"] * 3),
        ({"tags": {"declared": {"": {}}}, "stf": {"defaultRole": 3}}, ["C001", "C001"]),
    ],
)
def test_what_is_wrong_is_said_and_the_default_holds(value: Any, codes: list[str]) -> None:
    assert sorted(codes_of(value)) == codes
    assert settings_of(value) == DEFAULTS


def test_the_right_items_of_a_list_hold_beside_the_wrong_ones() -> None:
    value = {"tags": {"names": [1, "a", 2, 3, "b", ""]}}
    assert settings_of(value).tags == ("a", "b")
    assert codes_of(value) == ["C001"] * 4
    assert settings_of({"tags": {"names": [1, ""]}}).tags == DEFAULTS.tags


def test_what_is_right_holds_beside_what_is_wrong() -> None:
    value = {"diagnostics": {"maxPerDocument": "many"}, "stf": {"dialect": ";", "dialct": 1}}
    assert settings_of(value) == Settings(dialect=";")
    (unknown,) = [each for each in checked(value).problems if each.rule.code == "C002"]
    assert str(unknown.message) == "unknown setting stf.dialct — it has no effect; did you mean dialect?"
    (wrong,) = [each for each in checked(value).problems if each.rule.code == "C001"]
    assert wrong.message.headline == "diagnostics.maxPerDocument is 'many'"
    assert wrong.message.help.startswith("it must be a valid integer")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"rules": {"ignore": "G101"}}, "rules.ignore is 'G101' — the default is used instead; it must be an array"),
        ({"rules": ["G101"]}, "rules is ['G101'] — the default is used instead; it must be an object"),
        ({"tags": {"names": ["a", ""]}}, "tags.names.1 is '' — it is left out; it must not be empty"),
        (
            {"files": {"languages": {"*.txt": "stff"}}},
            "files.languages.*.txt is 'stff' — it is left out; "
            "it must be 'gadget', 'request', 'stf', 'custom-blocks' or 'completion'",
        ),
        (
            {"gadget": {"schemas": {"!": ["a"]}}},
            "gadget.schemas.!: the name is '!' — it is left out; it must be a glob pattern as in .gitignore",
        ),
        (
            {"tags": {"declared": {"a": {"attributes": {"b": {"require": True}}}}}},
            "unknown setting tags.declared.a.attributes.b.require — it has no effect; did you mean required?",
        ),
        # of a name and a value that are both wrong, the name is reported
        ({"files": {"languages": {"": 1}}}, "files.languages.: the name is '' — it is left out; it must not be empty"),
    ],
)
def test_what_a_setting_must_be_is_said_in_the_words_of_settings(value: Any, message: str) -> None:
    assert [str(problem.message) for problem in checked(value).problems] == [message]


@pytest.mark.parametrize("depth", [16, 17, 900, 100_000])
def test_settings_that_are_nested_too_deeply_are_cut_off(depth: int) -> None:
    objects: Any = 1
    arrays: Any = 1
    for _ in range(depth):
        objects, arrays = {"a": objects}, [arrays]
    for value in (
        objects,
        arrays,
        {"stf": {"dialect": arrays}},
        {"rules": {"severity": {"G1": objects}}},
        {"tags": {"names": [arrays, objects]}},
        {"a." * depth: 1},
        {"a." * depth: objects, "rules": objects},
    ):
        assert codes_of(value)
        assert settings_of(value) == DEFAULTS


def test_only_the_top_of_the_settings_is_left_to_editors() -> None:
    assert as_given({"server": {"x": 1}, "trace.server": "off", "llmblocks.enable": True, "stf": {"trace": 1}}) == {
        "stf": {"trace": 1}
    }
    assert as_given({"llmblocks.stf": {"a": 1}, "stf": {"llmblocks.b": 2}}) == {"stf": {"a": 1, "llmblocks": {"b": 2}}}


def test_dots_in_names_that_users_choose_separate_nothing() -> None:
    value = {"gadget.schemas": {"*.response": ["a.json"]}, "tags.declared.a.attributes": {"b.c": {}, "d": {}}}
    assert as_given(value) == {
        "gadget": {"schemas": {"*.response": ["a.json"]}},
        "tags": {"declared": {"a": {"attributes": {"b.c": {}, "d": {}}}}},
    }
    file = read("[gadget.schemas]\n'*.response' = ['a.json', 3]\n")
    assert [file.text[each.start : each.end] for each in file.findings] == ["3"]


def test_settings_name_rules_in_any_way_and_rules_know_codes() -> None:
    named = {"ignore": ["Duplicate-Pointer", "g1", "s001"], "severity": {"array-index-gap": "hint"}}
    settings = settings_of({"rules": named})
    assert (settings.ignore, settings.severity) == (("G101", "G1", "S001"), (("G102", "hint"),))


def test_the_nearest_settings_file_within_the_workspace_holds(tmp_path: Path) -> None:
    inner, root = tmp_path / "w" / "a" / "b", tmp_path / "w"
    inner.mkdir(parents=True)
    (tmp_path / "llmblocks.toml").touch()
    assert find_settings_file(str(inner), [str(root)]) is None
    (root / "llmblocks.toml").touch()
    assert find_settings_file(str(inner), [str(root)]) == str(root / "llmblocks.toml")
    (inner / "llmblocks.toml").touch()
    assert find_settings_file(str(inner), [str(root)]) == str(inner / "llmblocks.toml")
    assert find_settings_file(str(tmp_path), [str(root)]) is None
    assert find_settings_file(str(root), [str(root)]) == str(root / "llmblocks.toml")


MARKED = [
    # the same name stands in a comment, in a string and in another table before
    "# dialct = 1\nx = 'dialct'\n^ C002\n[stf]\ndialct = 1\n^^^^^^ C002\n",
    'stf.gadgetRoles = ["""\nloud = 1 ""\\""""]\n[rules]\nloud = 1\n^^^^ C002\n',
    "stf.gadgetRoles = ['''\nloud = 1 ''''']\n[rules]\nloud = 1\n^^^^ C002\n",
    "[tags]\nnames = [ # names = [3]\n  'a', 3, # 4\n       ^ C001\n  '', 'b' ]\n  ^^ C001\n",
    "tags.names = [1.5, 2]\n              ^^^ C001\n                   ^ C001\n",
    "[ gadget . 'markers' ]\n           ^^^^^^^^^ C004\nstart = ''\n",
    "gadget.markers.start = ''\n       ^^^^^^^ C004\n",
    "gadget = { markers = { start = '' } }\n           ^^^^^^^ C004\n",
    "gadget = { markers = { }, x = 1 }\n                          ^ C002\n",
    "rules = { severity = { G101 = 'loud', S001 = \"off\" } }\n                       ^^^^ C001\n",
    "rules.severity.\"\\u0047101\" = 'loud'\n               ^^^^^^^^^^^ C001\n",
    '"llmblocks.stf.dialect" = 3\n^^^^^^^^^^^^^^^^^^^^^^^ C001\n',
    '"x.stf.dialect" = 3\n^^^^^^^^^^^^^^^ C002\n',
    "[[stf]]\n  ^^^ C001\na = 1\n[[stf]]\na = 2\n",
    "[diagnostics]\nmaxPerDocument = 0x" + "f" * 900 + "\n^^^^^^^^^^^^^^ C001\n",
    "diagnostics.maxPerDocument = " + "1" * 1001 + "\n" + " " * 12 + "^" * 14 + " C001\n",
    "files.maxSizeMB = nan\n      ^^^^^^^^^ C001\n",
    "stf.dialect = 1979-05-27 07:32:00\n    ^^^^^^^ C001\n",
    "[rules]\nignore = ['G101', 'nonsense']\n                  ^^^^^^^^^^ C001\n",
    "a = 1\nb = [1,\n^^^^^^^ C001\n\n",
    "x = 1979-02-31\n^^^^^^^^^^^^^^ C001\n",
    "." * 3 + "\n^^^ C001\n",
    "a." * 16 + "a = 1\n" + " " * 32 + "^ C001\n",
    "a = " + "[" * 17 + "]" * 17 + "\n" + " " * 20 + "^ C001\n",
    "a = " + "{a=" * 17 + "\n" + " " * 52 + "^ C001\n",
]


@pytest.mark.parametrize("marked", MARKED, ids=range(len(MARKED)))
def test_a_finding_is_at_its_exact_place(marked: str) -> None:
    lines: list[str] = []
    expected = []
    for line in marked.splitlines(keepends=True):
        if line.lstrip(" ").startswith("^"):
            above = sum(map(len, lines[:-1]))
            column, end = line.index("^"), line.rindex("^") + 1
            expected.append((above + column, above + end, line.split()[1]))
        else:
            lines.append(line)
    for newline in ("\n", "\r\n"):
        file = read("".join(lines).replace("\n", newline))
        assert [(each.start, each.end, each.code) for each in file.findings] == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gadget.markers.start = '" + "x" * 257 + "'", "it must not have more than 256 characters"),
        ("gadget.markers.start = '" + "x" * 1_000_000 + "'", "it must not have more than 256 characters"),
        ("tags.names = [" + "'a'," * 1001 + "]", "it must not have more than 1000 items"),
        ("tags.names = [" + "'a'," * 100_000 + "]", "it must not have more than 1000 items"),
        ("tags.names = ['" + "x" * 101 + "']", "it must not have more than 100 characters"),
        ("diagnostics.maxPerDocument = 1" + "0" * 5000, "Exceeds the limit (4300 digits)"),
        ("a." * 500 + "a = 1", "nested more than 16 levels"),
        ("[" + "a." * 300_000 + "a]", "nested more than 16 levels"),
        ("#" * (1 << 20) + "\n", ""),
    ],
    ids=range(9),
)
def test_what_is_too_much_is_one_finding(text: str, shown: str) -> None:
    found = read(text).findings
    assert len(found) == bool(shown)
    assert all(shown in str(each.message) and len(each.message) < 300 for each in found)
    assert read(text).given.get("tags", {}).get("names", DEFAULT_TAGS) == DEFAULT_TAGS


@pytest.mark.parametrize("item", ["'x{}'", "'G1'", "{}", "'a/../{}'"])
@pytest.mark.parametrize("key", ["rules.ignore", "files.exclude", "tags.names"])
def test_the_items_of_a_list_that_is_too_long_are_not_judged(key: str, item: str) -> None:
    steps = []
    for count in (1_001, 4_001):
        given = tomllib.loads(f"{key} = [{', '.join(item.format(number) for number in range(count))}]\n")
        (problem,) = check_settings(given, language_ids()).problems
        assert "it must not have more than 1000 items" in str(problem.message)
        steps.append(calls(partial(check_settings, given, language_ids())))
    assert steps[1] < steps[0] + 20 * 3_000, "an item is copied, and no more"


def test_the_findings_of_a_file_are_capped() -> None:
    file = read("".join(f"k{number} = 1\n" for number in range(5000)))
    assert len(file.findings) == MOST_PROBLEMS
    assert file.findings == read(file.text).findings


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("duplicat-pointer", "did you mean duplicate-pointer?"),
        ("G1O1", "did you mean G101?"),
        ("xyzzy", "`llmblocks explain` lists them"),
        ("G101 ,", "did you mean G101?"),
    ],
)
def test_an_unknown_rule_is_a_finding_with_the_nearest_one(rule: str, hint: str) -> None:
    for text in (f"rules.ignore = ['{rule}']", f"rules.select = ['{rule}']", f"rules.severity.'{rule}' = 'off'"):
        (found,) = read(text).findings
        assert (found.code, hint in str(found.message)) == ("C001", True), found.message
