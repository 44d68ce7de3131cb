"""The settings that a client gives: for all documents, for folders, for one document, and with a project's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from llmblocks.lsp.client.client import read_client
from llmblocks.lsp.client.config import Config

STF: Any = {"stf": {"dialect": ";"}}


def dialect(config: Config, path: Path | str) -> str:
    return config.of(path if isinstance(path, str) else path.as_uri()).languages.settings.dialect


def config_of(*folders: Path) -> Config:
    config = Config()
    config.take_roots(map(str, folders))
    return config


def test_the_nearest_folder_of_the_workspace_decides(tmp_path: Path) -> None:
    outer, inner = tmp_path / "w", tmp_path / "w" / "inner"
    config = config_of(outer, inner)
    config.take_client({}, {outer.as_uri(): STF, inner.as_uri(): {"stf": {"dialect": "@"}}})
    paths = (
        outer / "a.stf",
        inner / "deep/a.stf",
        tmp_path / "a.stf",
        f"{outer.as_uri()}/inner/../a.stf",
        "untitled:a",
    )
    assert [dialect(config, path) for path in paths] == [";", "@", "auto", ";", "auto"]
    config.take_client({}, {})
    assert dialect(config, outer / "a.stf") == "auto"
    # null for a folder leaves what holds for all
    config.take_client(STF, {outer.as_uri(): None})
    assert dialect(config, outer / "a.stf") == dialect(config, "untitled:a") == ";"


def test_what_is_wrong_is_reported_where_it_holds(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    config.take_client({}, {tmp_path.as_uri(): {"stff": 1}})
    (found,) = config.of((tmp_path / "a.stf").as_uri()).findings
    assert str(found.message) == "unknown setting stff — in the editor's settings: it has no effect; did you mean stf?"
    assert config.of("untitled:a").findings == ()


def test_halves_that_are_wrong_together_are_a_finding(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("gadget.markers.start = '<<'\n", encoding="utf-8")
    config = config_of(tmp_path)
    config.take_client({"gadget": {"markers": {"end": "<<<"}}})
    (found,) = config.of((tmp_path / "a.gadget").as_uri()).findings
    assert found.code == "C004"
    assert found.message.note.startswith("in the editor's settings and llmblocks.toml together: the start marker '<<'")


def test_only_files_in_the_workspace_and_unsaved_documents_have_the_settings_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("stf.dialect = ';'\n", encoding="utf-8")
    assert dialect(config_of(tmp_path), "untitled:a") == ";"
    assert dialect(config_of(), "untitled:a") == "auto"
    config = config_of(tmp_path / "project")
    assert dialect(config, f"{(tmp_path / 'project').as_uri()}/../a.stf") == "auto"
    assert config.files() == {}


@pytest.mark.parametrize(
    "params",
    [
        *({"rootPath": each} for each in ("w", "", "/w\0")),
        *({"rootUri": each} for each in ("file:w", "untitled:w")),
        {"workspaceFolders": [{"uri": "file:w"}, {"uri": 3}, None]},
        {"workspaceFolders": 3, "rootUri": 3, "rootPath": 3},
    ],
    ids=str,
)
def test_a_root_that_is_not_an_absolute_path_is_none(params: Any) -> None:
    assert read_client(params).folders == ()


def test_a_root_is_normalised_and_given_once() -> None:
    folders = [{"uri": "file:///w/x/.."}, {"uri": "file:///w"}, {"uri": "file:///v/"}]
    client = read_client({"workspaceFolders": folders})
    assert client.folders == ("/w", "/v")
    assert client.with_folders({"added": [{"uri": "file:///w"}, {"uri": "file:///u"}]}).folders == ("/v", "/u", "/w")
    assert client.with_folders({"removed": [{"uri": "file:///w/."}]}).folders == ("/v",)
