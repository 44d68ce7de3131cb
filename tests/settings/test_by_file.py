"""Settings that depend on the path of a file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import llmblocks
from llmblocks.cli.commands import main
from llmblocks.lsp.client.config import Config
from llmblocks.settings.globs import NOT_CHECKED, anchored, is_excluded, matches
from llmblocks.settings.values import ByGlob, Settings

DOUBLE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def codes(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, list[str]]:
    """Return the findings of `check`, by file."""
    main(["check", "--output-format", "json", *arguments])
    found: dict[str, list[str]] = {}
    for each in json.loads(capsys.readouterr().out):
        found.setdefault(Path(each["path"]).name, []).append(each["code"])
    return found


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.response", "/w/a.response", True),
        ("*.response", "/w/x/y/a.response", True),
        ("*.response", "/a.response", False),
        ("/*.response", "/w/a.response", True),
        ("/*.response", "/w/x/a.response", False),
        ("x/*.response", "/w/x/a.response", True),
        ("x/*.response", "/w/y/x/a.response", False),
        ("x/**/*.response", "/w/x/y/z/a.response", True),
        ("x/", "/w/y/x/a.response", True),
        ("x", "/w/x/a.response", True),
        ("a[0-9].stf", "/w/a7.stf", True),
        ("a\\*.stf", "/w/ab.stf", False),
    ],
)
def test_a_pattern_counts_from_its_folder(pattern: str, path: str, expected: bool) -> None:
    assert matches([anchored(pattern, "/w")], path) is expected
    odd = "/[w]*/\\ !a #b"
    assert matches([anchored(pattern, odd)], path.replace("/w", odd, 1)) is expected
    assert ByGlob(anchored(f"!{pattern}", "/w"), ()).applies_to(path) is not expected


def test_the_settings_of_one_file_depend_on_no_path() -> None:
    settings = Settings(
        ignore=("G101",),
        per_file_ignores=(ByGlob("*.gadget", ("G102",)), ByGlob("!*.gadget", ("S",)), ByGlob("a/*", ("T",))),
        schemas=(ByGlob("*.gadget", ("one.json",)), ByGlob("*", ("all.json",)), ByGlob("b/*", ("b.json",))),
        languages=(ByGlob("*.txt", ("stf",)), ByGlob("b.txt", ("gadget",))),
        exclude=("x",),
    )
    of_file = settings.for_file("/a/b.gadget")
    assert of_file.ignore == ("G101", "G102", "T")
    assert [each.values for each in of_file.schemas] == [("one.json",), ("all.json",)]
    assert of_file.for_file("/elsewhere").ignore == of_file.ignore
    assert (of_file.languages, of_file.per_file_ignores, of_file.exclude) == ((), (), NOT_CHECKED)
    assert [settings.language_of(f"/a/{name}") for name in ("a.txt", "b.txt", "c.stf")] == ["stf", "gadget", None]
    assert Settings().for_file("/a") == Settings()


def test_python_checks_a_text_as_the_file_that_it_names() -> None:
    settings = Settings(per_file_ignores=(ByGlob("logs/*", ("G101",)),), languages=(ByGlob("*.txt", ("gadget",)),))
    assert [each.code for each in llmblocks.check(DOUBLE, None, settings, "a.txt")] == ["G101"]
    assert llmblocks.check(DOUBLE, None, settings, "logs/a.txt") == ()
    assert [each.code for each in llmblocks.check(DOUBLE, "gadget", settings)] == ["G101"]


def test_rules_are_ignored_in_some_files_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path,
        {
            "llmblocks.toml": "extend = 'shared/base.toml'\n[rules.perFileIgnores]\n'old/*' = ['duplicate-pointer']\n",
            "shared/base.toml": "[rules.perFileIgnores]\n'*.gadget' = ['S']\n'/a.gadget' = ['G101']\n",
            "shared/a.gadget": DOUBLE,
            "a.gadget": DOUBLE,
            "old/b.gadget": DOUBLE,
        },
    )
    assert codes(capsys, str(tmp_path / "a.gadget"), str(tmp_path / "old")) == {"a.gadget": ["G101"]}
    # the pattern of the base counts from its own folder
    assert codes(capsys, str(tmp_path / "shared")) == {}


def test_patterns_that_mean_the_same_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = "'/old/*.stf' = ['S105']\n'old/*.stf' = ['S001']\n"
    write(tmp_path, {"old/a.stf": "@user id=1 id=2\n@*/\n", "llmblocks.toml": f"[rules.perFileIgnores]\n{two}"})
    assert codes(capsys, str(tmp_path)) == {}


def test_a_file_has_the_language_that_the_settings_give_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path,
        {
            "llmblocks.toml": "[files.languages]\n'prompts/*.txt' = 'gadget'\n'*.gadget' = 'stf'\n",
            "prompts/a.txt": DOUBLE,
            "b.txt": DOUBLE,
            "c.gadget": "@*/\n",
        },
    )
    assert codes(capsys, str(tmp_path)) == {"a.txt": ["G101"], "c.gadget": ["S001"]}
    assert codes(capsys, str(tmp_path / "prompts" / "a.txt")) == {"a.txt": ["G101"]}
    assert codes(capsys, str(tmp_path / "c.gadget"), "--language", "gadget") == {}


def test_what_the_settings_exclude_is_passed_over_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("a.gadget", "old/b.gadget", ".hidden/c.gadget", "node_modules/d.gadget", ".llmist/e.gadget", "x/f.gadget")
    root = tmp_path / ".work"
    write(root, dict.fromkeys(names, DOUBLE))

    def found() -> str:
        return "".join(sorted(name[0] for name in codes(capsys, str(root))))

    assert found() == "abef"
    write(root, {"llmblocks.toml": "files.extendExclude = ['old', '/a.*']\n"})
    assert found() == "ef"
    write(root, {"llmblocks.toml": "files.exclude = ['/old/']\n"})
    assert found() == "acdef"
    write(root, {"x/llmblocks.toml": "files.exclude = ['*.gadget', '!f*']\n"})
    assert found() == "acdef"
    write(root, {"x/llmblocks.toml": "extend = '../llmblocks.toml'\nfiles.extendExclude = ['*.gadget']\n"})
    assert found() == "acde"
    # a file that is named is always checked
    assert set(codes(capsys, str(root / "x" / "f.gadget"))) == {"f.gadget"}


@pytest.mark.parametrize("name", [".git", ".llmist", "node_modules", "__pycache__", "a", ".a.gadget", "x.llmist"])
@pytest.mark.parametrize("is_folder", [True, False])
def test_the_default_patterns_mean_what_is_done_without_them(name: str, is_folder: bool) -> None:
    path = os.path.join("/home/.me/w/x", name)
    default = is_excluded(NOT_CHECKED, path, "/home/.me/w", is_folder=is_folder)
    more = (*NOT_CHECKED, "/home/.me/w/never")
    assert is_excluded(more, path, "/home/.me/w", is_folder=is_folder) is default


def test_an_editor_applies_settings_by_path(tmp_path: Path) -> None:
    write(
        tmp_path, {"two/llmblocks.toml": "[gadget.schemas]\n'*' = ['own.json', 'models-1:Search', 'models:Search']\n"}
    )
    config = Config()
    config.take_roots([str(tmp_path / "one"), str(tmp_path / "two")])
    config.take_client(
        {
            "rules.perFileIgnores": {"/a.gadget": ["G101"]},
            "files.languages": {"*.txt": "gadget"},
            "gadget.schemas": {"*.gadget": ["~/all.json", "tools.json"]},
        }
    )
    one, two = ((tmp_path / name / "a.gadget").as_uri() for name in ("one", "two"))
    settings = config.of(one).languages.settings
    home = os.path.expanduser("~")
    assert settings.ignore == ("G101",)
    assert [each.values for each in settings.schemas] == [
        (os.path.join(home, "all.json"), str(tmp_path / "one" / "tools.json"))
    ]
    settings = config.of(two).languages.settings
    assert settings.ignore == ("G101",)
    assert [each.values for each in settings.schemas] == [
        (os.path.join(home, "all.json"), str(tmp_path / "two" / "tools.json")),
        (str(tmp_path / "two" / "own.json"), str(tmp_path / "two" / "models-1:Search"), "models:Search"),
    ]
    assert "models:Search" not in config.project.named_files()
    assert config.project.reads(str(tmp_path / "two" / "own.json"))
    inner = (tmp_path / "one" / "x" / "a.gadget").as_uri()
    assert config.of(inner).languages.settings.ignore == ()
    assert config.of(inner).languages.settings == config.of(inner.replace("a.g", "b.g")).languages.settings
    assert (config.of((tmp_path / "one" / "a.txt").as_uri()).language_id, config.of(one).language_id) == (
        "gadget",
        None,
    )
    assert config.of("untitled:a.txt").language_id is None
