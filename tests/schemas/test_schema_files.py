"""Schema files that settings name: on the command line, and in the server while they change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.gadget.test_gadget_hostile_schemas import calls
from llmblocks.cli.commands import main
from llmblocks.lsp.client.config import Config
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
    (tmp_path / "a.gadget").write_text(CALL)
    (tmp_path / "chat.stf").write_text(f"@ai\n{CALL.replace('Read', 'Nothing')}")
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main(["check", *map(str, arguments)])
    return status, capsys.readouterr().out


def test_the_files_of_a_glob_define_the_gadgets_of_the_documents_of_a_glob(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys, project) == (0, "")
    (project / "tools" / "read.json").write_text(json.dumps(OPEN))
    status, out = check(capsys, project)
    assert (status, out.count("G202"), out.count("G203"), out.count("G201")) == (1, 1, 1, 0)
    (project / "tools" / "other.json").write_text(json.dumps([{**READ, "name": "Other"}, READ]))
    assert check(capsys, project)[1].count("G20") == 2, "of two definitions the later file's counts: read.json"
    (project / "tools" / "read.json").write_text(json.dumps({"name": "Now", "description": ""}))
    assert check(capsys, project) == (0, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"name": "Read",', "invalid JSON"),
        ("{}", "no gadget is defined"),
        ('{"name": "Read", "schema": {"type": 3}}', "the schema of Read is unusable"),
        ("\xff", "the schemas cannot be read"),
    ],
)
def test_what_cannot_be_read_is_reported_and_nothing_is_said_of_gadgets_that_may_be_in_it(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    (project / "tools" / "read.json").write_bytes(text.encode("latin-1"))
    (project / "tools" / "now.json").write_text('{"name": "Now", "description": "The time"}')
    status, out = check(capsys, project)
    assert status == 2
    assert reason in out
    assert "read.json:1:" in out
    assert out.count("C003") == 1
    assert "G20" not in out


@pytest.mark.parametrize(("severity", "status"), [("error", 2), ("warning", 1), ("off", 0)])
def test_the_settings_that_name_a_file_grade_what_is_wrong_in_it(
    project: Path, capsys: pytest.CaptureFixture[str], severity: str, status: int
) -> None:
    (project / "tools" / "read.json").write_text('{"name": ')
    settings = (project / "llmblocks.toml").read_text()
    (project / "llmblocks.toml").write_text(f'{settings}\n[rules.severity]\nC003 = "{severity}"\n')
    found, out = check(capsys, project)
    client = Client(project)
    client.open("a.gadget", CALL)
    assert found == status
    assert client.shown("tools/read.json") == (["C003"] if status else [])
    assert (f"{severity} C003" in out) is bool(status)


@pytest.mark.parametrize("name", ["missing.json", "tools", "nothing/*.json"])
def test_a_file_that_is_not_there_is_reported(project: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (project / "llmblocks.toml").write_text(f'gadget.schemas."*" = ["{name}"]\n')
    status, out = check(capsys, project)
    assert (status, out.count("C003")) == (2, 1)
    assert "the schemas cannot be read — " in out
    assert "llmblocks.toml:1:23: error C003 " in out, "where the settings name it"


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
    watched = [
        watcher["globPattern"]
        for message in client.sent
        if message.get("method") == "client/registerCapability"
        for each in message["params"]["registrations"]
        for watcher in each["registerOptions"].get("watchers", ())
    ]
    assert {"baseUri": (project / "tools").as_uri(), "pattern": "*.json"} in watched


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
    first = files.with_gadgets(settings, str(tmp_path)).gadgets.find("Read")
    for _ in range(3):
        files = files.renewed()
        assert files.with_gadgets(settings, str(tmp_path)).gadgets.find("Read") is first
    file.write_text(json.dumps(OPEN))
    assert files.with_gadgets(settings, str(tmp_path)).gadgets.find("Read") is first, "not before it is looked at again"
    now = files.renewed().with_gadgets(settings, str(tmp_path)).gadgets.find("Read")
    assert now is not None
    assert now.parameters is not None
    assert [*now.parameters["properties"]] == ["file"]


def test_a_large_schema_file_is_read_and_its_schemas_prepared_beside_the_thread_that_serves(project: Path) -> None:
    properties = {f"p{number}": {"type": "string", "pattern": "^x"} for number in range(8000)}
    big = {"name": "Read", "schema": {"properties": properties, "required": ["p1"]}}
    path, uri = project / "tools" / "read.json", (project / "a.gadget").as_uri()
    path.write_text(json.dumps(big))
    config = Config()
    config.take_roots([str(project)])
    assert calls(lambda: config.of(uri).languages) < 20_000
    assert config.project.schemas.imports
    settings = config.of(uri).languages.settings
    assert settings.gadgets.find("Read") is None
    assert not settings.gadgets.complete
    while not config.import_models(1.0):
        assert config.project.schemas.imports
    assert not config.project.schemas.imports
    settings = config.of(uri).languages.settings
    found = settings.gadgets.find("Read")
    assert found is not None
    assert found.prepared is not None
    ready = found.prepared
    first, second = (calls(lambda: ready.check({"p1": "x"})) for _ in range(2))
    assert first < second + 1000, "nothing is left to prepare"
    # until it is read again, a changed file is what it was
    path.write_text(json.dumps({**big, "name": "Other"}))
    config.forget_files()
    assert config.of(uri).languages.settings.gadgets.find("Read") is found
    while not config.import_models(1.0):
        assert config.project.schemas.imports
    assert config.of(uri).languages.settings.gadgets.names == ("Other",)


def test_an_editor_shows_what_a_large_schema_file_says_once_it_is_read(project: Path) -> None:
    client = Client(project)
    client.open("a.gadget", CALL)
    (project / "tools" / "read.json").write_text(json.dumps(OPEN) + " " * 300_000)
    client.changed("tools/read.json")
    assert client.shown("a.gadget") == ["G203", "G202"]
    (project / "tools" / "read.json").write_text('{"name": ' + " " * 300_000)
    client.changed("tools/read.json")
    assert (client.shown("a.gadget"), client.shown("tools/read.json")) == ([], ["C003"])
