"""The names of rules mean the same wherever somebody writes them, and settings decide about their own findings."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from llmblocks import Settings, check, fix
from llmblocks.cli.commands import main
from llmblocks.lsp.client.config import Config
from llmblocks.settings.rule_names import NAMES
from llmblocks.settings.values import ByGlob

TWICE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
RIGHT = ["G101", "g101", "G1", "g", "G10", "duplicate-pointer", "Duplicate-Pointer", " G101 "]
UNKNOWN = ["G999", "G1011", "duplicate", "X", "?", " "]


def is_clean(folder: Path, settings: str = "", *options: str) -> bool:
    (folder / "llmblocks.toml").write_text(settings, "utf-8")
    return main(["check", "-q", *options, str(folder / "a.gadget")]) == 0


PLACES: dict[str, Callable[[str, Path], object]] = {
    "settings": lambda name, _: not check(TWICE, "gadget", Settings(ignore=(name,))),
    "a program": lambda name, _: fix(TWICE, "gadget", unsafe=True, select=(name,)).applied,
    "a settings file": lambda name, folder: is_clean(folder, f"rules.ignore = [{json.dumps(name)}]\n"),
    "the ignores of a file": lambda name, folder: is_clean(
        folder, f'[rules.perFileIgnores]\n"*.gadget" = [{json.dumps(name)}]\n'
    ),
    "an option": lambda name, folder: is_clean(folder, "", f"--ignore={name}"),
    "a comment": lambda name, _: not check(f"@# llmblocks: ignore-file[{name}]\n@ai\n{TWICE}", "stf"),
    "explain": lambda name, _: main(["explain", name]) == 0,
    "rules": lambda name, _: main(["rules", name]) == 0,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_rule_is_named_in_the_same_way_everywhere(place: str, tmp_path: Path) -> None:
    def known(name: str) -> bool:
        try:
            return bool(PLACES[place](name, tmp_path))
        except (ValueError, SystemExit):
            return False

    (tmp_path / "a.gadget").write_text(TWICE, "utf-8")
    assert [name for name in (*RIGHT, *UNKNOWN) if known(name)] == RIGHT


@pytest.mark.parametrize("code", NAMES)
def test_settings_take_every_rule_by_its_name_and_keep_its_code(code: str) -> None:
    made = Settings(
        select=NAMES[code],  # type: ignore[arg-type]
        ignore=(code.lower(), code),
        severity={NAMES[code]: "hint"},  # type: ignore[arg-type]
        per_file_ignores={"*.stf": NAMES[code]},  # type: ignore[arg-type]
    )
    assert (made.select, made.ignore, made.severity) == ((code,), (code,), ((code, "hint"),))
    assert made.per_file_ignores == (ByGlob("*.stf", (code,)),)
    assert Settings(*made) == made == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"ignore": ("G999",)}, "no rule has the code or name 'G999'"),
        ({"select": "duplicat-pointer"}, "did you mean duplicate-pointer"),
        ({"select": ""}, "no rule given"),
        ({"ignore": ("",)}, "no rule has the code or name ''"),
        ({"severity": {"G101": "loud"}}, "the severity of G101 is 'loud'; use off, hint, information, warning, error"),
        ({"severity": {"G999": "hint"}}, "no rule has the code or name 'G999'"),
        ({"per_file_ignores": {"*": ("G999",)}}, "no rule has the code or name 'G999'"),
        ({"dialect": "$"}, "dialect is '\\$'; it must be 'auto', '@' or ';'"),
        ({"max_diagnostics": -1}, "max_diagnostics is -1; it must be greater than or equal to 1"),
        ({"max_diagnostics": 1.5}, "max_diagnostics is 1.5; it must be a valid integer"),
        ({"max_size_mb": "2"}, "max_size_mb is '2'; it must be a valid number"),
        ({"max_size_mb": float("nan")}, "max_size_mb is nan; it must be a valid number"),
        ({"tags": ("1x",)}, "'1x' is not a tag name: it must begin with a letter or _"),
    ],
)
def test_settings_that_cannot_be_are_an_error_at_once(given: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Settings(**given)  # type: ignore[arg-type]


def test_a_pattern_that_begins_with_its_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "llmblocks.toml").write_text(f"files.exclude = ['{tmp_path}/a.stf', '!{tmp_path}/a.stf']\n", "utf-8")
    (tmp_path / "a.stf").touch()
    assert main(["check", str(tmp_path)]) == 2
    told = capsys.readouterr().out
    assert told.count(f"patterns count from {tmp_path}; it is left out; leave that out") == 2


def test_settings_decide_about_findings_in_their_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "llmblocks.toml"
    (tmp_path / "a.gadget").touch()
    config = Config()
    config.take_roots([str(tmp_path)])
    for rules, status, severities in (
        ("", 2, [1, 2]),
        ("ignore = ['unknown-setting']", 2, [1]),
        ("severity.C001 = 'hint'", 1, [4, 2]),
        ("ignore = ['C0']", 0, []),
    ):
        file.write_text(f"stf.dialect = '%'\nx = 1\n[rules]\n{rules}\n", encoding="utf-8")
        assert main(["check", str(tmp_path)]) == status
        assert len([line for line in capsys.readouterr().out.splitlines() if " C00" in line]) == len(severities)
        config.forget_files()
        config.of((tmp_path / "a.gadget").as_uri())
        assert [each.severity for each in config.files()[file].findings] == severities


def test_a_client_can_turn_findings_about_its_settings_off() -> None:
    config = Config()
    config.take_client({"stff": 1, "rules": {"severity": {"C002": "information"}}})
    assert [each.severity for each in config.of("untitled:a").findings] == [3]
    config.take_client({"stff": 1, "rules": {"ignore": ["C002"]}})
    assert config.of("untitled:a").findings == ()
