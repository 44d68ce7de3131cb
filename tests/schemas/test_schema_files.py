"""Schema files and pydantic models that settings name, while they change; `tests/cli/schemas.md` has their errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from llmblocks import check
from llmblocks.gadget import Gadgets
from llmblocks.gadget.schemas import models
from llmblocks.gadget.schemas.reading import ReadGadgets
from llmblocks.lsp.session.session import ServerSession
from llmblocks.settings.gadgets import SchemaFiles
from llmblocks.settings.values import ByGlob, Settings
from lsp.log_editor import Editor

Json = Any
CALL = "!!!GADGET_START:Read\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
READ: Json = {"name": "Read", "schema": {"properties": {"path": {"type": "string"}}, "required": ["path"]}}
OPEN: Json = {"name": "Read", "schema": {"properties": {"file": {"type": "string"}}, "required": ["file"]}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"*.gadget" = ["tools/*.json"]\n')
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "read.json").write_text(json.dumps(READ))
    return tmp_path


@pytest.mark.parametrize(("severity", "codes"), [("error", ["C003"]), ("warning", ["C003"]), ("off", [])])
def test_the_settings_that_name_a_file_grade_what_is_wrong_in_it(
    project: Path, severity: str, codes: list[str]
) -> None:
    (project / "tools" / "read.json").write_bytes(b"\xff")
    with (project / "llmblocks.toml").open("a") as settings:
        settings.write(f'\n[rules.severity]\nC003 = "{severity}"\n')
    client = Client(project)
    client.open("a.gadget", CALL)
    assert client.shown("tools/read.json") == codes


def test_a_file_that_is_not_there_is_reported_in_the_settings_until_it_is(project: Path) -> None:
    (project / "llmblocks.toml").write_text('[gadget.schemas]\n"*" = [\n  "tools/read.json",\n  "soon.json",\n]\n')
    client = Client(project)
    client.open("a.gadget", CALL)
    assert (client.shown("llmblocks.toml"), client.shown("soon.json")) == (["C003"], [])
    (found,) = client.told[client.uri("llmblocks.toml")]
    assert found["range"] == {"start": {"line": 3, "character": 2}, "end": {"line": 3, "character": 13}}
    (project / "soon.json").write_text('{"name": ')
    client.changed("soon.json")
    assert (client.shown("llmblocks.toml"), client.shown("soon.json")) == ([], ["C003"])


class Client(Editor):
    """A client that watches files."""

    def __init__(self, folder: Path, options: Json = None) -> None:
        files = {"dynamicRegistration": True, "relativePatternSupport": True}
        super().__init__(folder, workspace=True, options=options, of_workspace={"didChangeWatchedFiles": files})

    def open(self, name: str, text: str | None = None, language_id: str = "gadget") -> None:
        super().open(name, text, language_id)
        self.wait()

    def changed(self, name: str) -> None:
        self.touch(name)
        self.wait()

    def shown(self, name: str) -> list[str]:
        return self.codes(name) if self.uri(name) in self.told else []


def test_a_changed_schema_file_shows_at_once_in_all_open_documents(project: Path) -> None:
    client = Client(project)
    for name in ("a.gadget", "b.gadget"):
        client.open(name, CALL)
        assert client.shown(name) == []
    (project / "tools" / "read.json").write_text(json.dumps(OPEN))
    client.changed("tools/read.json")
    assert client.shown("a.gadget") == client.shown("b.gadget") == ["G203", "G202"]
    (project / "tools" / "read.json").write_text('{"name": ')
    client.changed("tools/read.json")
    assert (client.shown("a.gadget"), client.shown("tools/read.json")) == ([], ["C003"])
    (project / "tools" / "read.json").write_text(json.dumps({"name": "Now", "description": ""}))
    client.changed("tools/read.json")
    assert (client.shown("a.gadget"), client.shown("tools/read.json")) == (["G201"], [])
    (project / "tools" / "new.json").write_text(json.dumps(READ))
    client.changed("tools/new.json")
    assert client.shown("a.gadget") == []
    client.changed("tools/nothing.txt")
    (project / "tools" / "new.json").unlink()
    client.changed("tools/new.json")
    assert client.shown("a.gadget") == ["G201"]


def test_the_client_is_asked_to_watch_schema_files(project: Path) -> None:
    client = Client(project)
    client.open("a.gadget", CALL)
    watched = json.dumps(client.requests("client/registerCapability"))
    assert json.dumps({"globPattern": {"baseUri": (project / "tools").as_uri(), "pattern": "*.json"}})[1:-1] in watched


def test_an_editor_names_schema_files_from_the_folder_of_the_workspace(project: Path) -> None:
    (project / "llmblocks.toml").unlink()
    client = Client(project, {"gadget": {"schemas": {"*.gadget": ["tools/read.json"]}}})
    client.open("a.gadget", CALL.replace("Read", "Write"))
    assert client.shown("a.gadget") == ["G201"]
    client.open("a.txt", CALL.replace("Read", "Write"))
    assert client.shown("a.txt") == []


MODEL = "from pydantic import BaseModel\n\n\nclass Read(BaseModel):\n    path: str\n"


@pytest.fixture
def with_model(tmp_path: Path) -> Path:
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"*" = ["tools:Read"]\n')
    (tmp_path / "tools.py").write_text(MODEL)
    return tmp_path


@pytest.mark.slow
def test_models_are_imported_in_trusted_workspaces_and_again_when_they_change(with_model: Path) -> None:
    client = Client(with_model, {"trusted": True})
    client.open("a.gadget", CALL.replace("path", "pth"))
    assert client.shown("a.gadget") == ["G203", "G202"]
    (with_model / "tools.py").write_text(MODEL.replace("path", "pth"))
    client.changed("tools.py")
    assert client.shown("a.gadget") == []
    (with_model / "tools.py").write_text("1 / 0")
    client.changed("tools.py")
    assert (client.shown("a.gadget"), client.shown("llmblocks.toml")) == ([], ["C003"])
    (with_model / "tools.py").write_text(MODEL)
    client.changed("tools.py")
    assert (client.shown("a.gadget"), client.shown("llmblocks.toml")) == (["G203", "G202"], [])


@pytest.mark.slow
def test_a_model_that_only_the_editor_names_is_reported_of_in_the_documents(with_model: Path) -> None:
    (with_model / "llmblocks.toml").unlink()
    (with_model / "tools.py").write_text("1 / 0")
    client = Client(with_model, {"trusted": True, "gadget": {"schemas": {"*": ["tools:Read"]}}})
    client.open("a.gadget", CALL)
    assert client.shown("a.gadget") == ["C003"]


@pytest.mark.parametrize(
    "options", [None, {}, {"trusted": False}, {"trusted": "true"}, {"settings": {"trusted": True}}]
)
def test_no_model_is_imported_without_trust(with_model: Path, options: Json) -> None:
    (with_model / "tools.py").write_text(f"open({str(with_model / 'run')!r}, 'w').close()\n{MODEL}")
    client = Client(with_model, options)
    client.open("a.gadget", CALL.replace("path", "pth"))
    assert client.shown("a.gadget") == []
    assert not (with_model / "run").exists()


def test_a_session_that_ends_ends_the_imports(with_model: Path) -> None:
    (with_model / "tools.py").write_text("import time\ntime.sleep(100)\n")
    session = ServerSession("0", lambda _: None)
    config = session.config
    config.project.schemas.trusted = True
    config.take_roots([str(with_model)])
    config.of((with_model / "a.gadget").as_uri())
    assert config.project.schemas.imports
    config.project.schemas.end()
    assert not config.project.schemas.imports


def test_a_schema_file_with_the_same_text_is_read_once_however_often_settings_are_saved(tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(READ))
    settings = Settings(schemas=(ByGlob("*", (str(file),)),))
    files = SchemaFiles()

    def found(files: SchemaFiles) -> Json:
        return files.with_gadgets(settings, str(tmp_path)).gadgets.find("Read")

    first = found(files)
    for _ in range(3):
        files = files.renewed()
        assert found(files) is first
    file.write_text(json.dumps(OPEN))
    assert found(files) is first, "not before it is looked at again"
    assert [*found(files.renewed()).parameters["properties"]] == ["file"]


def test_an_editor_shows_what_a_large_schema_file_says_once_it_is_read(project: Path) -> None:
    client = Client(project)
    client.open("a.gadget", CALL)
    (project / "tools" / "read.json").write_text(json.dumps(OPEN) + " " * 300_000)
    client.changed("tools/read.json")
    assert client.shown("a.gadget") == ["G203", "G202"]
    (project / "tools" / "read.json").write_text('{"name": ' + " " * 300_000)
    client.changed("tools/read.json")
    assert (client.shown("a.gadget"), client.shown("tools/read.json")) == ([], ["C003"])


MODELS = '''\
from enum import Enum
from pydantic import BaseModel, ConfigDict, Field
print("hello from the module")

class Order(Enum):
    NEWEST = "newest"
    OLDEST = "oldest"

class Search(BaseModel):
    """Searches files."""
    query: str
    limit: int = Field(default=3, ge=1)
    order: Order | None = None

class Renamed(BaseModel):
    model_config = ConfigDict(title="Find", extra="allow")
'''


def read(folder: Path, path: str) -> ReadGadgets:
    reading = models.ModelImport(path, [str(folder)])
    while (found := reading.wait(0.05)) is None:
        pass
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.py").write_text(MODELS, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_model_is_a_definition_with_its_place(folder: Path) -> None:
    found = read(folder, "tools:Search")
    (gadget,) = found.gadgets
    assert (gadget.name, gadget.description, found.findings) == ("Search", "Searches files.", ())
    assert gadget.source is not None
    assert gadget.source.file == str(folder / "tools.py")
    assert MODELS[gadget.source.start : gadget.source.end] == "Search"
    assert MODELS[: gadget.source.start].count("\n") == gadget.source.line
    assert getattr(sys.modules.get("tools"), "__file__", None) != str(folder / "tools.py")
    text = "!!!GADGET_START:Search\n!!!ARG:limit\n0\n!!!ARG:order\nnew\n!!!ARG:more\n1\n!!!GADGET_END\n"
    chosen = Settings(gadgets=Gadgets(found.gadgets))
    codes = [each.code for each in check(text, "gadget", chosen) if each.code[1] == "2"]
    assert codes == ["G203", "G206", "G205", "G202"]
    (renamed,) = read(folder, "tools:Renamed").gadgets
    assert (renamed.name, (renamed.parameters or {})["additionalProperties"]) == ("Find", True)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["while True: pass", "import subprocess, sys\nsubprocess.run([sys.executable])"])
def test_an_import_that_takes_too_long_is_ended(folder: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "SECONDS", 1.0)
    (folder / "tools.py").write_text(module.replace("[sys.executable]", "[sys.executable, '-c', 'while True: pass']"))
    (finding,) = read(folder, "tools:Search").findings
    assert "its import takes longer than 1 second" in str(finding.message)
