"""Settings files, the files that they build on, and the levels of settings."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from folders import write
from formats.gadget.test_gadget_hostile_schemas import calls
from llmblocks.gadget import Markers
from llmblocks.gadget.rules import RULES
from llmblocks.languages.registry import language_ids
from llmblocks.rules.checker import severity_of
from llmblocks.settings.check import check_settings
from llmblocks.settings.files import TABLE, find_settings_file
from llmblocks.settings.given import DEEPEST, SettingsLayer, combined
from llmblocks.settings.sources import Sources, read_settings_file, read_settings_text
from llmblocks.settings.values import Settings


def settings_of(sources: Sources, path: Path) -> Settings:
    return check_settings(combined(sources.layers_of_file(str(path))).given, language_ids()).settings


def told(sources: Sources, root: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the findings of each file: the code, and what is marked."""
    return {
        Path(path).relative_to(root).as_posix(): [
            (each.code, file.text[each.start : each.end]) for each in file.findings
        ]
        for path, file in sources.files().items()
        if file.findings
    }


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[tool.llmblocks]\n", True),
        ("[tool.llmblocks.stf]\ndialect = '@'\n", True),
        ("tool.llmblocks.stf.dialect = '@'\n", True),
        ("tool = { llmblocks = {} }\n", True),
        ("[ \"tool\" . 'llmblocks' ]\n", True),
        ("[tool]\nllmblocks = 3\n", True),
        ("[project]\nname = ?\n[tool.llmblocks]\n", True),
        ("[project]\nname = 'llmblocks'\n", False),
        ("[tool.ruff]\nx = '''\n[tool.llmblocks]\n'''\n", False),
        ("[tool.ruff.llmblocks]\n", False),
        ("[llmblocks]\n", False),
        ("# [tool.llmblocks]\n", False),
        ("= llmblocks", False),
        ("", False),
        (b"\xff\xfellmblocks", False),
        (None, False),
    ],
)
def test_a_pyproject_file_counts_if_it_has_our_table(tmp_path: Path, text: str | bytes | None, counts: bool) -> None:
    write(tmp_path, {"llmblocks.toml": "", "inner/file": ""})
    file = tmp_path / "inner" / "pyproject.toml"
    if text is None:
        file.mkdir()
    else:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    expected = str(file if counts else tmp_path / "llmblocks.toml")
    assert find_settings_file(str(tmp_path / "inner"), [str(tmp_path)]) == expected
    # no system can have this folder
    assert find_settings_file(str(tmp_path / ("x" * 1000)), [str(tmp_path)]) is None
    (tmp_path / "inner" / "llmblocks.toml").touch()
    assert find_settings_file(str(tmp_path / "inner"), [str(tmp_path)]) == str(tmp_path / "inner" / "llmblocks.toml")


def test_our_own_file_is_found_whatever_it_is_and_told_if_it_cannot_be_read(tmp_path: Path) -> None:
    for name in ("folder", "pipe", "large", "utf16"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder" / "llmblocks.toml").mkdir()
    os.mkfifo(tmp_path / "pipe" / "llmblocks.toml")
    (tmp_path / "large" / "llmblocks.toml").write_bytes(b"#" * ((1 << 20) + 1))
    (tmp_path / "utf16" / "llmblocks.toml").write_bytes("tags.names = ['a']".encode("utf-16"))
    reasons = {"folder": "a folder", "pipe": "not a regular file", "large": "larger than 1 MiB", "utf16": "not UTF-8"}
    for name, reason in reasons.items():
        path = tmp_path / name / "llmblocks.toml"
        assert find_settings_file(str(tmp_path / name), [str(tmp_path)]) == str(path)
        (found,) = read_settings_file(str(path), language_ids()).findings
        assert found.code == "C001"
        assert reason in str(found.message)
    largest = tmp_path / "large" / "llmblocks.toml"
    largest.write_bytes(b"#" * (1 << 20))
    assert read_settings_file(str(largest), language_ids()).findings == ()


def test_the_findings_of_our_table_stand_at_their_places_in_a_pyproject_file() -> None:
    text = "[tool.x.stf]\ndialct = 1\n[tool.llmblocks.stf]\ndialct = 1\ndialect = '%'\n"
    file = read_settings_text(text, language_ids(), TABLE)
    assert [(each.code, each.start) for each in file.findings] == [
        ("C002", text.rindex("dialct")),
        ("C001", text.index("dialect =")),
    ]
    file = read_settings_text("[tool]\nllmblocks = 3\n", language_ids(), TABLE)
    assert [file.text[each.start : each.end] for each in file.findings] == ["llmblocks"]


CLI = """
[base]
gadget-start-prefix = "<<base"
gadget-arg-prefix = "<<arg"
[other]
gadget-start-prefix = "<<other"
[agent]
inherits = ["base", "other"]
gadget-end-prefix = "<<end"
"""
FROM = "gadget.markersFrom = 'cli.toml'\n"
CYCLE = [("C001", "extend")]
DEFAULTS = Settings().markers
BUILT: dict[str, tuple[dict[str, str], dict[str, dict[str, Any]], dict[str, list[tuple[str, str]]]]] = {
    "a file builds on the file that it extends": (
        {
            "base.toml": "stf.dialect = ';'\nfiles.maxSizeMB = 3\n[rules]\nignore = ['G1']\nseverity.S001 = 'hint'\n",
            "a/llmblocks.toml": "extend = '../base.toml'\nfiles.maxSizeMB = 4\nrules.severity.S002 = 'off'\n",
            "a/b/pyproject.toml": "[tool.llmblocks]\nextend = '../llmblocks.toml'\nrules.ignore = []\n",
        },
        {
            "a/llmblocks.toml": {
                "dialect": ";",
                "max_size_mb": 4,
                "ignore": ("G1",),
                "severity": (("S001", "hint"), ("S002", "off")),
            },
            "a/b/pyproject.toml": {"dialect": ";", "max_size_mb": 4, "ignore": ()},
        },
        {},
    ),
    "an extended file has its own findings": (
        {
            "llmblocks.toml": "extend = 'base.toml'\n",
            "base.toml": "stf.dialct = 3\nstf.dialect = ';'\nextend = 'broken.toml'\n",
            "broken.toml": "a =\n",
        },
        {"llmblocks.toml": {"dialect": ";"}},
        {"base.toml": [("C002", "dialct")], "broken.toml": [("C001", "a =")]},
    ),
    "files that extend one another are reported in the one that extends an earlier one": (
        {
            "llmblocks.toml": "extend = 'a.toml'\n",
            "a.toml": "extend = 'in/b.toml'\nstf.dialect = ';'\n",
            "in/b.toml": "\nextend = '../a.toml'\nfiles.maxSizeMB = 3\n",
            "own.toml": "extend = 'own.toml'\n",
        },
        {"llmblocks.toml": {"dialect": ";", "max_size_mb": 3}, "own.toml": {}},
        {"in/b.toml": CYCLE, "own.toml": CYCLE},
    ),
    "a long row of files ends": (
        {f"{number}.toml": f"extend = '{number + 1}.toml'\n" for number in range(17)},
        {"0.toml": {}},
        {"15.toml": CYCLE},
    ),
    "valid files that are wrong together are a finding in the one that extends": (
        {
            "llmblocks.toml": "extend = 'base.toml'\n[gadget.markers]\nend = '<<<'\n",
            "base.toml": "gadget.markers.start = '<<'\n",
        },
        {"llmblocks.toml": {"markers": DEFAULTS}},
        {"llmblocks.toml": [("C004", "markers")]},
    ),
    "markers are read from the configuration of llmist": (
        {
            "home/.llmist/cli.toml": CLI,
            "llmblocks.toml": "[gadget]\nmarkersFrom = '~/.llmist/cli.toml'\nmarkers.arg = '--'\n",
            "x/llmblocks.toml": "extend = '../llmblocks.toml'\ngadget.markers.start = '<<own'\n",
        },
        {
            "llmblocks.toml": {"markers": ("<<other", "<<end", "--")},
            "x/llmblocks.toml": {"markers": ("<<own", "<<end", "--")},
        },
        {},
    ),
    "a file may extend another and take the markers of llmist": (
        {
            "cli.toml": "[agent]\ngadget-start-prefix = '<<start'\n",
            "base.toml": "stf.dialect = ';'\n[gadget.markers]\nstart = '<<base'\narg = '--'\n",
            "llmblocks.toml": f"extend = 'base.toml'\n{FROM}",
        },
        {"llmblocks.toml": {"dialect": ";", "markers": ("<<start", DEFAULTS.end, "--")}},
        {},
    ),
    "a section of llmist takes precedence over those that it inherits from": (
        {
            "llmblocks.toml": FROM,
            "cli.toml": "[agent]\ninherits = ['far', 'near']\ngadget-arg-prefix = '--own'\n"
            "[near]\ninherits = 'far'\ngadget-start-prefix = '<<near'\ngadget-arg-prefix = '--near'\n"
            "[far]\ngadget-start-prefix = '<<far'\ngadget-end-prefix = '<<end'\n",
        },
        {"llmblocks.toml": {"markers": ("<<near", "<<end", "--own")}},
        {},
    ),
    **{
        f"a configuration of llmist without markers leaves the defaults: {text!r}": (
            {"llmblocks.toml": FROM, "cli.toml": text},
            {"llmblocks.toml": {"markers": DEFAULTS}},
            {},
        )
        for text in ("", "agent = 3\n", "[agent]\ninherits = ['agent', 'x', 3]\n", "[agent]\ninherits = 3\n")
    },
}


@pytest.mark.parametrize(("files", "expected", "findings"), BUILT.values(), ids=BUILT)
def test_a_file_builds_on_those_that_it_names(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    expected: dict[str, dict[str, Any]],
    findings: dict[str, list[tuple[str, str]]],
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path, files)
    sources = Sources(language_ids())
    for name, fields in expected.items():
        settings = settings_of(sources, tmp_path / name)
        assert {field: getattr(settings, field) for field in fields} == fields
    assert told(sources, tmp_path) == findings
    # an editor watches them
    assert {str(tmp_path / name) for name in files.keys() - expected.keys()} <= sources.named


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.toml", "no such file or directory"),
        ("folder", "it is a folder"),
        ("pipe", "it is not a regular file"),
        ("llmblocks.toml/x", "not a directory"),
        ("llmblocks.toml", "the files extend one another: llmblocks.toml → llmblocks.toml"),
    ],
)
def test_a_file_that_cannot_be_extended_is_a_finding_and_the_rest_holds(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path, {"llmblocks.toml": f"stf.dialect = ';'\nextend = '{name}'\n"})
    sources = Sources(language_ids())
    assert settings_of(sources, tmp_path / "llmblocks.toml").dialect == ";"
    assert told(sources, tmp_path)["llmblocks.toml"] == CYCLE
    (found,) = sources.files()[str(tmp_path / "llmblocks.toml")].findings
    assert str(found.message) == f"extend is '{name}' — {reason}; it is left out; correct the name, or that file"
    assert str(tmp_path / name) in sources.named


def test_sections_of_llmist_inherit_over_as_many_others_as_settings_may_be_deep(tmp_path: Path) -> None:
    for count, start in ((DEEPEST, "<<last"), (DEEPEST + 1, Markers().start)):
        names = ["agent", *[f"s{number}" for number in range(count)]]
        chain = "".join(f"[{name}]\ninherits = '{near}'\n" for name, near in pairwise(names))
        last = f"[{names[-1]}]\ngadget-start-prefix = '<<last'\n"
        write(tmp_path, {"llmblocks.toml": FROM, "cli.toml": chain + last})
        assert settings_of(Sources(language_ids()), tmp_path / "llmblocks.toml").markers.start == start


def test_sections_of_llmist_that_inherit_from_one_another_are_each_read_once(tmp_path: Path) -> None:
    names = ["agent", *[f"s{number}" for number in range(12)]]
    text = "".join(f"[{name}]\ninherits = {names}\ngadget-arg-prefix = '--{name}'\n" for name in names)
    write(tmp_path, {"llmblocks.toml": FROM, "cli.toml": text})
    assert settings_of(Sources(language_ids()), tmp_path / "llmblocks.toml").markers.arg == "--agent"
    assert calls(lambda: settings_of(Sources(language_ids()), tmp_path / "llmblocks.toml")) < 100_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file"),
        ("[agent", "Expected"),
        ("[agent]\ngadget-start-prefix = 3\n", "gadget-start-prefix is not a string"),
        ("[agent]\ngadget-start-prefix = ''\n", "start marker"),
        ("[agent]\ngadget-start-prefix = 'a'\ngadget-end-prefix = 'ab'\n", "prefix"),
        ("a." * 500 + "a = 1", "nested"),
    ],
)
def test_a_configuration_of_llmist_that_cannot_be_used_is_a_finding(
    tmp_path: Path, text: str | None, reason: str
) -> None:
    write(tmp_path, {"llmblocks.toml": f"{FROM}gadget.markers.arg = '--'\n"})
    if text is not None:
        write(tmp_path, {"cli.toml": text})
    sources = Sources(language_ids())
    assert settings_of(sources, tmp_path / "llmblocks.toml").markers.arg == "--"
    assert told(sources, tmp_path) == {"llmblocks.toml": [("C001", "markersFrom")]}
    (found,) = sources.files()[str(tmp_path / "llmblocks.toml")].findings
    assert reason in str(found.message)


def rules(*layers: dict[str, Any]) -> Settings:
    valid = [check_settings({"rules": each}, language_ids()).given for each in layers]
    given = combined([SettingsLayer(str(number), each) for number, each in enumerate(valid)]).given
    return check_settings(given, language_ids()).settings


def on(settings: Settings) -> set[str]:
    return {rule.code for rule in RULES if rule.code[:2] == "G1" and severity_of(rule, settings)}


G1 = on(Settings())


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([{"ignore": ["G101"]}, {}], G1 - {"G101"}),
        ([{"ignore": ["G101"]}, {"ignore": ["G102"]}], G1 - {"G102"}),
        ([{"ignore": ["G101"]}, {"extendIgnore": ["G102"]}], G1 - {"G101", "G102"}),
        ([{"extendIgnore": ["G101"]}, {"extendIgnore": ["G102"]}], G1 - {"G101", "G102"}),
        ([{"extendIgnore": ["G101"]}, {"ignore": ["G102"]}], G1 - {"G102"}),
        ([{"ignore": ["G101"]}, {"ignore": []}], G1),
        ([{"select": ["G101"]}, {"select": ["G102"]}], {"G102"}),
        ([{"select": ["G101"]}, {"extendSelect": ["array-index-gap"]}], {"G101", "G102"}),
        ([{"select": ["G101"]}, {"select": []}], G1),
        ([{"extendSelect": ["G101"]}], G1),
        # at one level, the more specific decides
        ([{"select": ["G101"], "ignore": ["G1"]}], {"G101"}),
        ([{"select": ["G1"], "ignore": ["G101"]}], G1 - {"G101"}),
        ([{"select": ["G101"], "ignore": ["G101"]}], set()),
        ([{"ignore": ["G1"], "extendSelect": ["G101"]}], {"G101"}),
        # and a level decides over lower ones
        ([{"ignore": ["duplicate-pointer"]}, {"extendSelect": ["G1"]}], G1),
        ([{"ignore": ["G1"]}, {"select": ["G101"]}], {"G101"}),
        ([{"select": ["G101", "G102"]}, {"extendIgnore": ["G10"]}], set()),
        ([{"select": ["G101", "G102"]}, {"ignore": ["G101"]}], {"G102"}),
        ([{"select": ["G101"]}, {"ignore": ["G1"]}, {"extendSelect": ["G101"]}], {"G101"}),
        # what a level selects again is decided there: nothing of lower ones is left to ignore
        ([{"select": ["G101"]}, {"select": ["G101"], "ignore": ["G1"]}], {"G101"}),
    ],
)
def test_levels_of_rules(layers: list[dict[str, Any]], expected: set[str]) -> None:
    before = repr(layers)
    assert on(rules(*layers)) == expected
    assert repr(layers) == before


def test_the_origin_of_each_setting_is_known() -> None:
    editor = {"stf": {"dialect": "@"}, "rules": {"extendIgnore": ["G101"], "severity": {"G1": "hint"}}}
    file = {"stf": {"dialect": ";"}, "rules": {"extendIgnore": ["G102"], "severity": {"G2": "off"}}}
    layers = [SettingsLayer("editor", editor), SettingsLayer("file", file)]
    layers.append(SettingsLayer("flag", {"rules": {"select": ["G"]}}))
    assert combined(layers).origins == {
        ("stf", "dialect"): ("file",),
        ("rules", "extendIgnore"): ("editor", "file"),
        ("rules", "severity", "G1"): ("editor",),
        ("rules", "severity", "G2"): ("file",),
        ("rules", "select"): ("flag",),
    }
    layers.append(SettingsLayer("last", {"rules": {"ignore": []}}))
    assert ("rules", "extendIgnore") not in combined(layers).origins
