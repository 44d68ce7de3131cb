"""Standard streams that are closed, full, or of another encoding: no traceback, and a status that tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import COMMAND, run_process
from llmblocks import __version__

ROOT = Path(__file__).parents[2]
MODULE = " ".join(COMMAND)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big.stf"
    path.write_text("@user\nHello\n" + "@*/\n" * 5000, encoding="utf-8")
    return path


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes it")
@pytest.mark.parametrize(
    "arguments",
    ["stream --language stf", *[f"{name} - --language stf" for name in ("check", "format", "parse", "graph")]],
)
def test_closed_standard_input_is_reported_in_one_line(arguments: str) -> None:
    done = shell(f"{MODULE} {arguments} <&-")
    assert (done.returncode, done.stderr.splitlines()[0].endswith("standard input is closed")) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", ["check --output-format concise {}", "check --output-format json {}", "explain", "--help", ""]
)
def test_output_that_cannot_be_written_is_reported_in_one_line(arguments: str, unbuffered: str, big: Path) -> None:
    done = shell(f"{MODULE} {arguments.format(big)} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    told = [line for line in done.stderr.splitlines() if not line.startswith(str(big))]
    assert (done.returncode, told) == (2, ["llmblocks: No space left on device"])


@pytest.mark.parametrize("arguments", ["check {}", "explain", "--version"])
def test_a_closed_output_is_reported_in_one_line(arguments: str, big: Path) -> None:
    done = shell(f"{MODULE} {arguments.format(big)} >&-")
    assert (done.returncode, done.stderr) == (2, "llmblocks: standard output is closed\n")


@pytest.mark.slow
@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full"])
def test_messages_that_nobody_reads_change_nothing(to: str, big: Path) -> None:
    done = shell(f"{MODULE} check {big} {to}")
    assert done.returncode in (1, 2)
    assert done.stdout.count("\n") == 1000


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_not_a_reason_to_complain(big: Path) -> None:
    done = shell(f"{MODULE} check {big} | head -1; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.splitlines()[1:] == ["2"]
    assert [line for line in done.stderr.splitlines() if not line.startswith(str(big))] == []


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-16", "cp1252", "utf-8"])
def test_json_is_valid_and_files_are_utf_8_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "é🎉.gadget").write_text("!!!GADGET_START:A\n" + "!!!ARG:é🎉\n1\n" * 2 + "!!!GADGET_END\n", "utf-8")
    (tmp_path / "b.gadget").write_text("!!!GADGET_START:Grüße→😀:g1\n!!!GADGET_END\n", "utf-8")
    (tmp_path / "llmblocks.toml").write_text('stf.defaultRole = "Grüße→"\n', "utf-8")

    def output(*arguments: str, encoded: str = "utf-8") -> str:
        return run_process(tmp_path, *arguments, PYTHONIOENCODING=encoding).stdout.decode(encoded)

    (found,) = json.loads(output("check", "--output-format", "json", "é🎉.gadget", encoded=encoding))
    assert found["path"] == "é🎉.gadget"
    assert found["message"].startswith("Duplicate pointer: é🎉 — ")
    assert "::Duplicate pointer: é🎉%0Anote: " in output("check", "--output-format", "github", "é🎉.gadget")
    drawing = ElementTree.fromstring(output("graph", "b.gadget", "--output-format", "svg"))
    assert "Grüße→😀" in "".join(drawing.itertext())
    assert "Grüße" in output("graph", "b.gadget", "--output-format", "mermaid")
    for shown in (["config"], ["check", "--show-settings"]):
        assert tomllib.loads(output(*shown))["stf"]["defaultRole"] == "Grüße→"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
@pytest.mark.parametrize("output", ["concise", "json", "github"])
def test_a_name_that_is_not_utf_8_is_escaped(output: str, tmp_path: Path) -> None:
    path = os.fsdecode(b"\xe9.gadget")
    (tmp_path / path).write_bytes(b"!!!GADGET_START:A\n" + b"!!!ARG:x\n1\n" * 2 + b"!!!GADGET_END\n")
    done = run_process(tmp_path, "check", "--output-format", output, path)
    assert (done.returncode, done.stderr) == (1, b"1 file checked: 1 error\n")
    assert "\\udce9.gadget" in done.stdout.decode("utf-8")


@pytest.mark.slow
def test_the_command_runs_from_a_checkout_that_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "a.stf").write_text("@user\nHello\n", encoding="utf-8")
    program = (
        "import importlib.metadata, runpy, sys\n"
        "found = importlib.metadata.version\n"
        "def version(name):\n"
        "    if name == 'llmblocks': raise importlib.metadata.PackageNotFoundError(name)\n"
        "    return found(name)\n"
        "importlib.metadata.version = version\n"
        "runpy.run_module('llmblocks', run_name='__main__')\n"
    )
    for arguments in (["check", str(tmp_path)], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout == f"llmblocks {__version__}\n"
