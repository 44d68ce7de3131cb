"""Settings of a program, and those that depend on the path of a file: the same for library, commands and server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from commands import codes
from folders import write
from llmblocks import Settings, check
from llmblocks.cli.project import CommandProject
from llmblocks.languages.registry import language_of
from llmblocks.lsp.client.config import Config
from llmblocks.settings.globs import NOT_CHECKED, anchored, is_excluded, matches
from llmblocks.settings.schema import fields
from llmblocks.settings.values import ByGlob

DOUBLE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
CALL = "!!!GADGET_START:A:a2:a1\n!!!ARG:x\n1\n!!!ARG:x\n2\n!!!GADGET_END\n"
FIRST = "!!!GADGET_START:A:a1\n!!!ARG:x\n1\n!!!GADGET_END\n"
FILES = {
    ".llmist/logs/1/0001.response": FIRST,
    ".llmist/logs/1/0002.response": CALL,
    ".llmist/logs/1/foo.response": CALL,
    ".llmist/logs/1/foo.request": f"=== ASSISTANT ===\n{CALL}",
    "elsewhere/foo.response": CALL,
    "legacy/a.gadget": CALL,
    "notes/a.txt": CALL,
    "notes/legacy/a.stf": f"@embed url=b.png\n@ai\n{CALL}",
}
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "none": ("", {}),
    "ignored below a folder": (
        '[rules.perFileIgnores]\n"legacy/**" = ["G101"]\n',
        {"per_file_ignores": {"legacy/**": ("G101",)}},
    ),
    "selected more closely": (
        '[rules]\nselect = ["G1", "G101"]\n[rules.perFileIgnores]\n"*.gadget" = ["G"]\n',
        {"select": ("G1", "G101"), "per_file_ignores": {"*.gadget": ("G",)}},
    ),
    "everywhere else": (
        '[rules.perFileIgnores]\n"!legacy/**" = ["G1"]\n',
        {"per_file_ignores": {"!legacy/**": ("G1",)}},
    ),
    "languages": (
        '[files.languages]\n"notes/*.txt" = "gadget"\n"*.response" = "gadget"\n',
        {"languages": {"notes/*.txt": "gadget", "*.response": "gadget"}},
    ),
}


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


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("case", SETTINGS)
def test_a_file_is_the_same_for_all(case: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml, given = SETTINGS[case]
    settings = Settings(**given)
    write(tmp_path, {"llmblocks.toml": toml, **FILES})
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / name)
    command, config = CommandProject(), Config()
    config.take_roots([str(tmp_path)])
    of_server = language_of(path, config.settings_in(str(Path(path).parent)))
    assert command.language_of(name) == command.language_of(path) == of_server
    assert command.settings_for(name).ignore == config.of(Path(path).as_uri()).languages.settings.ignore
    if of_server is None:
        for each in (name, path):
            with pytest.raises(ValueError, match="does not determine a language"):
                check(FILES[name], None, settings, each)
        return
    told = codes(tmp_path, name).get(Path(name).name, [])
    assert codes(Path(path).parent, Path(name).name).get(Path(name).name, []) == told
    # a relative pattern of a program counts from its working directory
    for each in (name, path):
        assert [found.code for found in check(FILES[name], None, settings, each)] == told
    if not toml:
        monkeypatch.chdir(Path(path).parent)
        assert [found.code for found in check(FILES[name], None, settings, Path(name).name)] == told


PROJECTS: dict[str, tuple[dict[str, str], dict[str, dict[str, list[str]]]]] = {
    "rules are ignored in some files only; a pattern of a base counts from its own folder": (
        {
            "llmblocks.toml": "extend = 'shared/base.toml'\n[rules.perFileIgnores]\n'old/*' = ['duplicate-pointer']\n",
            "shared/base.toml": "[rules.perFileIgnores]\n'*.gadget' = ['S']\n'/a.gadget' = ['G101']\n",
            **dict.fromkeys(("shared/a.gadget", "a.gadget", "old/b.gadget"), DOUBLE),
        },
        {"a.gadget old": {"a.gadget": ["G101"]}, "shared": {}},
    ),
    "patterns that mean the same add up": (
        {
            "old/a.stf": "@user id=1 id=2\n@*/\n",
            "llmblocks.toml": "rules.perFileIgnores = { '/old/*.stf' = ['S105'], 'old/*.stf' = ['S001'] }\n",
        },
        {".": {}},
    ),
    "a file has the language that the settings give it, or somebody": (
        {
            "llmblocks.toml": "[files.languages]\n'prompts/*.txt' = 'gadget'\n'*.gadget' = 'stf'\n",
            "prompts/a.txt": DOUBLE,
            "b.txt": DOUBLE,
            "c.gadget": "@*/\n",
        },
        {
            ".": {"a.txt": ["G101"], "c.gadget": ["S001"]},
            "prompts/a.txt": {"a.txt": ["G101"]},
            "c.gadget --language gadget": {},
        },
    ),
}


@pytest.mark.parametrize(("files", "expected"), PROJECTS.values(), ids=PROJECTS)
def test_a_project_has_these_findings(
    tmp_path: Path, files: dict[str, str], expected: dict[str, dict[str, list[str]]]
) -> None:
    write(tmp_path, files)
    assert {asked: codes(tmp_path, *asked.split()) for asked in expected} == expected


def test_what_the_settings_exclude_is_passed_over_in_a_folder(tmp_path: Path) -> None:
    names = ("a.gadget", "old/b.gadget", ".hidden/c.gadget", "node_modules/d.gadget", ".llmist/e.gadget", "x/f.gadget")
    root = tmp_path / ".work"
    write(root, dict.fromkeys(names, DOUBLE))

    def found() -> str:
        return "".join(sorted(name[0] for name in codes(root)))

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
    assert codes(root, "x/f.gadget").keys() == {"f.gadget"}


@pytest.mark.parametrize("name", [".git", ".llmist", "node_modules", "__pycache__", "a", ".a.gadget", "x.llmist"])
@pytest.mark.parametrize("is_folder", [True, False])
def test_the_default_patterns_mean_what_is_done_without_them(name: str, is_folder: bool) -> None:
    path = os.path.join("/home/.me/w/x", name)
    default = is_excluded(NOT_CHECKED, path, "/home/.me/w", is_folder=is_folder)
    more = (*NOT_CHECKED, "/home/.me/w/never")
    assert is_excluded(more, path, "/home/.me/w", is_folder=is_folder) is default


def test_an_editor_applies_settings_by_path(tmp_path: Path) -> None:
    schemas = "[gadget.schemas]\n'*' = ['own.json', 'models-1:Search', 'models:Search']\n"
    write(tmp_path, {"two/llmblocks.toml": schemas})
    config, one, two = Config(), tmp_path / "one", tmp_path / "two"
    config.take_roots([str(one), str(two)])
    config.take_client(
        {
            "rules.perFileIgnores": {"/a.gadget": ["G101"]},
            "files.languages": {"*.txt": "gadget"},
            "gadget.schemas": {"*.gadget": ["~/all.json", "tools.json"]},
        }
    )

    def of(path: Path) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        settings = config.of(path.as_uri()).languages.settings
        return settings.ignore, [each.values for each in settings.schemas]

    client = os.path.expanduser("~/all.json")
    assert of(one / "a.gadget") == (("G101",), [(client, str(one / "tools.json"))])
    of_file = str(two / "own.json"), str(two / "models-1:Search"), "models:Search"
    assert of(two / "a.gadget") == (("G101",), [(client, str(two / "tools.json")), of_file])
    assert "models:Search" not in config.project.named_files()
    assert config.project.reads(str(two / "own.json"))
    assert of(one / "x" / "a.gadget") == of(one / "b.gadget")
    assert of(one / "b.gadget")[0] == ()
    ids = [
        config.of(uri).language_id for uri in ((one / "a.txt").as_uri(), (one / "a.gadget").as_uri(), "untitled:a.txt")
    ]
    assert ids == ["gadget", None, None]


FIELDS = {schema["field"]: schema for _, _, schema in fields()}
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
