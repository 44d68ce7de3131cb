"""The TextMate grammars: right by assertion and by snapshot, and at home in shiki."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from editors.grammars.textmate import HERE, ROOT, node, tokenize
from llmblocks.stf.syntax import AT_COMMANDS, SEMICOLON_COMMANDS, Command


@pytest.fixture(scope="session")
def foreign(modules: Path) -> list[str]:
    """The files of the grammars of other languages, for tools that read files."""
    listed = node("languages.mjs", str(ROOT / ".cache" / "grammars"))
    return [argument for path in listed.splitlines() for argument in ("--grammar", path)]


@pytest.mark.parametrize("case", sorted((HERE / "cases").iterdir()), ids=lambda path: path.name)
def test_scopes_are_as_asserted(case: Path, modules: Path, foreign: list[str]) -> None:
    tool = modules / "vscode-tmgrammar-test" / "dist" / "unit.js"
    node(tool, "--config", "tmgrammar.json", *foreign, str(case.relative_to(HERE)))


@pytest.mark.parametrize("name", ["session.gadget", "chat.stf"])
def test_scopes_are_those_of_the_snapshot(name: str, modules: Path, foreign: list[str]) -> None:
    # a wanted change: UPDATE_SNAPSHOTS=1 make test-grammars, and read the diff
    update = ["--updateSnapshot"] if os.environ.get("UPDATE_SNAPSHOTS") else []
    tool = modules / "vscode-tmgrammar-test" / "dist" / "snapshot.js"
    node(tool, "--config", "tmgrammar.json", *foreign, *update, f"snapshots/{name}")


def test_shiki_colours_every_grammar(modules: Path) -> None:
    colours = json.loads(node("shiki.mjs"))
    marker, value, code, tag, comment = (colours[key] for key in ("marker", "value", "code", "tag", "comment"))
    assert len({marker, value, code, tag, comment, colours["plain"]}) >= 5, colours
    assert comment == colours["typescript comment"]
    assert code == colours["typescript keyword"]
    # in the themes of VS Code and of the docs, light and dark, nothing of ours is louder than what it is like
    for theme in colours["calm"]:
        assert theme["key"] == theme["quoted"] == theme["key of JSON"], theme
        assert theme["sign"] == theme["comment of TypeScript"], theme


@pytest.mark.parametrize(("header", "commands"), [("@", AT_COMMANDS), (";", SEMICOLON_COMMANDS)])
def test_a_command_is_known_to_the_grammar_exactly_if_the_dialect_has_it(
    header: str, commands: dict[str, Command], modules: Path
) -> None:
    names = sorted({*AT_COMMANDS, *SEMICOLON_COMMANDS} - {"end"})
    # its own command before each name decides the dialect
    texts = [f"{header}user\n{header}{name}\n" for name in names]
    known = [
        any(scope.startswith("keyword.") for token in tokens if token.line == 1 for scope in token.scopes)
        for tokens in tokenize("source.stf", texts)
    ]
    assert dict(zip(names, known, strict=True)) == {name: name in commands for name in names}
