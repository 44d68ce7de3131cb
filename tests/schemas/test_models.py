"""Pydantic models by import path: read in another, bounded process; `tests/cli/schemas.md` has their errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from llmblocks import Settings, check
from llmblocks.gadget import Gadgets
from llmblocks.gadget.schemas import models
from llmblocks.gadget.schemas.models import ModelImport
from llmblocks.gadget.schemas.reading import ReadGadgets

MODELS = '''\
"""Models."""
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
    reading = ModelImport(path, [str(folder)])
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
def test_an_import_that_takes_too_much_memory_is_ended(folder: Path) -> None:
    (folder / "tools.py").write_text("x = bytearray(1 << 33)", "utf-8")
    found = read(folder, "tools:Search")
    assert (found.gadgets, found.complete) == ((), False)
    assert "the model tools:Search cannot be used — MemoryError" in str(found.findings[0].message)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["while True: pass", "import subprocess, sys\nsubprocess.run([sys.executable])"])
def test_an_import_that_takes_too_long_is_ended(folder: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "SECONDS", 1.0)
    (folder / "tools.py").write_text(module.replace("[sys.executable]", "[sys.executable, '-c', 'while True: pass']"))
    (finding,) = read(folder, "tools:Search").findings
    assert "its import takes longer than 1 second" in str(finding.message)
