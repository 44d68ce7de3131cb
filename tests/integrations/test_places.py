"""The files with which other projects list us, each judged by the schema or the parser of the project that reads it."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

import places
from llmblocks.cli.arguments import COMMANDS, parser
from llmblocks.languages.registry import LANGUAGES

ROOT = Path(__file__).parents[2]
RELEASE = places.Release("1.2.3", "0" * 64, "f" * 40)
FILES = places.files(RELEASE)
PLUGIN = ROOT / "editors" / "claude-code"
OURS = [each for each in LANGUAGES if each.layers]
RENDER = "import sys; from rattler_build import Stage0Recipe; print(Stage0Recipe.from_yaml(sys.stdin.read()).render())"


def test_schemastore_accepts_the_right_settings_alone() -> None:
    (entry,) = [json.loads(text) for name, text in FILES.items() if name.endswith("catalog.json")]
    assert entry["fileMatch"] == ["llmblocks.toml"]
    path = entry["url"].removeprefix(f"{places.RAW}/main/")
    schema = json.loads((ROOT / path).read_text(encoding="utf-8"))
    judged = {name: tomllib.loads(text) for name, text in FILES.items() if "_test/" in name or "/test/" in name}
    assert len(judged) == 3
    for name, settings in judged.items():
        mistakes = [*jsonschema.Draft202012Validator(schema).iter_errors(settings)]
        assert bool(mistakes) == ("negative" in name), (name, mistakes)


def test_mason_installs_the_command_from_pypi() -> None:
    package = yaml.safe_load(FILES["mason-registry/packages/llmblocks/package.yaml"])
    assert package["source"]["id"] == "pkg:pypi/llmblocks@1.2.3"
    assert package["bin"] == {"llmblocks": "pypi:llmblocks"}
    assert package["languages"] == [each.title for each in OURS]
    assert package["neovim"]["lspconfig"] == Path(next(name for name in FILES if name.endswith(".lua"))).stem


def test_grammars_are_pinned_to_the_commit_of_the_release() -> None:
    zed = tomllib.loads(FILES["zed-extensions/extension.toml"])
    assert {each["rev"] for each in zed["grammars"].values()} == {RELEASE.commit}
    assert all((ROOT / each["path"] / "grammar.js").exists() for each in zed["grammars"].values())
    listed = tomllib.loads(FILES["zed-extensions/extensions.toml"])["llmblocks"]
    assert (ROOT / listed["path"] / "extension.toml").exists()
    assert (ROOT / listed["path"] / "LICENSE").exists()
    helix = tomllib.loads(FILES["helix/languages.toml"])
    assert {each["source"]["rev"] for each in helix["grammar"]} == {RELEASE.commit}
    assert all((ROOT / each["source"]["subpath"] / "grammar.js").exists() for each in helix["grammar"])
    assert {each["name"] for each in helix["language"]} >= {each.id for each in OURS}


def test_kakoune_lsp_lists_the_server_that_our_own_file_starts() -> None:
    def server(text: str) -> dict[str, dict[str, object]]:
        (found,) = re.findall(r"(?s)set-option buffer lsp_servers %\{(.*?)\n\s*\}", text)
        return tomllib.loads(found)

    ours = server((ROOT / "editors" / "kakoune" / "llmblocks.kak").read_text(encoding="utf-8"))["llmblocks"]
    listed = server(FILES["kakoune-lsp/rc/servers.kak"])["llmblocks"]
    # the command is that of the name, by default
    assert {"command": "llmblocks", "settings_section": "llmblocks", **listed} == ours


def test_conda_forge_renders_the_recipe() -> None:
    """With the program that builds it there."""
    done = subprocess.run(
        [str(ROOT / ".cache" / "release" / "bin" / "python"), "-c", RENDER],
        input=FILES["staged-recipes/recipes/llmblocks/recipe.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "version='1.2.3'" in done.stdout
    recipe = yaml.safe_load(FILES["staged-recipes/recipes/llmblocks/recipe.yaml"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(recipe["requirements"]["run"]) == 1 + len(project["dependencies"])


@pytest.mark.parametrize(
    ("name", "text", "broken"),
    [
        ("a.rb", FILES["homebrew-tap/Formula/llmblocks.rb"], "class A <\n"),
        ("Dockerfile", (ROOT / "Dockerfile").read_text(encoding="utf-8"), "FROM a\nRUNN b\n"),
    ],
)
def test_the_parser_of_the_language_reads_it(name: str, text: str, broken: str, tmp_path: Path) -> None:
    for written, status in ((text, 0), (broken, 1)):
        (tmp_path / name).write_text(written, encoding="utf-8")
        command = ["node", str(ROOT / "release" / "syntax.mjs"), str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr


def test_the_image_is_built_of_files_that_it_may_see_and_runs_without_root() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    seen = {name for line in lines if line.startswith("COPY ") and "/source" in line for name in line.split()[1:-1]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {path.strip("/") for path in project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]} <= seen
    (user,) = [line.split()[1] for line in lines if line.startswith("USER")]
    assert user.partition(":")[0] not in {"0", "root"}
    for extra in re.findall(r"/source\[(.*)\]", "\n".join(lines))[0].split(","):
        assert extra in project["project"]["optional-dependencies"]


def test_the_plug_in_for_claude_code_starts_our_server_for_our_files() -> None:
    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
    (server,) = plugin["lspServers"].values()
    assert server["extensionToLanguage"] == {suffix: each.id for each in OURS for suffix in each.suffixes}
    assert [server["command"], *server["args"]] == ["llmblocks", "server"]
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
    (listed,) = market["plugins"]
    assert (ROOT / listed["source"]).resolve() == PLUGIN
    assert listed["name"] == plugin["name"] == market["name"]


def test_the_skill_names_commands_and_options_that_exist() -> None:
    text = (PLUGIN / "skills" / "llmblocks" / "SKILL.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert (head["name"], len(head["description"]) < 1024) == ("llmblocks", True)
    used = re.findall(r"`llmblocks (\w+)[^`]*`", text)
    assert {*used} == {"check", "explain", "parse", "graph", "convert"}
    # `tests/test_pages_code.py` reads the commands
    for option in re.findall(r"`(--[\w-]+)`", text):
        parser(*COMMANDS).parse_args(["check", option, "a.stf"])
