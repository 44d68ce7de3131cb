"""The syntaxes of Sublime Text in bat, and the settings beside them."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from editors.debian import ROOT

HOME = ROOT / "editors" / "sublime"
CHAT = "@# note\n@user name='Ada'\na List<String> or <think>\n@/* off\n@ai\n@*/\n"
CALL = "!!!GADGET_START:Sum\n!!!ARG:numbers\none\n!!!GADGET_END\n"


@pytest.fixture(scope="module")
def environment(bat: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which bat knows the syntaxes."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    (source / "syntaxes").mkdir()
    shutil.copytree(HOME, source / "syntaxes" / "llmblocks")
    command = [str(bat), "cache", "--build", "--source", str(source), "--target", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "rror" not in done.stderr
    return os.environ | {"BAT_CACHE_PATH": str(target), "BAT_CONFIG_PATH": os.devnull}


def coloured(bat: Path, environment: dict[str, str], file: Path) -> dict[str, str]:
    """Return the colours of a file: stretches of text, each with its escape sequence."""
    command = [str(bat), "--color=always", "--plain", "--theme=ansi", "--paging=never", str(file)]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True).stdout
    return {text: colour for colour, text in re.findall(r"\x1b\[([1-9][0-9;]*)m([^\x1b\n]+)", shown)}


@pytest.mark.parametrize("header", ["@", ";"])
def test_a_chat_has_the_colours_of_its_dialect(
    bat: Path, environment: dict[str, str], tmp_path: Path, header: str
) -> None:
    file = tmp_path / "chat.stf"
    other = ";" if header == "@" else "@"
    file.write_text(CHAT.replace("@", header) + CALL + f"{header}ai\n{other}user\n", encoding="utf-8")
    found = coloured(bat, environment, file)
    comment, keyword, string = found[f"{header}# note"], found["user"], found["'Ada'"]
    assert len({comment, keyword}) == 2
    assert found[f"{header}/* off"] == found[f"{header}ai"] == comment
    assert found["!!!GADGET_START:"] == found["!!!ARG:"] == found["!!!GADGET_END"] == found["ai"] == keyword
    assert found["one"] == string
    assert found["Sum"] not in (keyword, string)
    assert "think" in found
    assert "String" not in found
    assert f"{other}user" not in found


def test_calls_and_blocks_alone_have_colours(bat: Path, environment: dict[str, str], tmp_path: Path) -> None:
    call, blocks, completion = (tmp_path / f"a.{suffix}" for suffix in ("gadget", "blocks", "completion"))
    call.write_text(f"<think>\n{CALL}", encoding="utf-8")
    blocks.write_text("a List<String> is <b c='d'>old</b>\n", encoding="utf-8")
    found = coloured(bat, environment, call)
    assert found["!!!ARG:"] != found["numbers"] != found["one"]
    assert "think" in found
    assert {"b", "c", "'d'"} <= set(coloured(bat, environment, blocks))
    completion.write_text("<|channel|>analysis<|message|>a <b><|end|>\n", encoding="utf-8")
    assert set(coloured(bat, environment, completion)) == {"<|channel|>", "<|message|>", "<|end|>"}


def test_settings_keep_the_end_of_files_and_name_the_server() -> None:
    for language in ("gadget", "stf", "custom-blocks", "completion"):
        settings = json.loads((HOME / f"{language}.sublime-settings").read_text(encoding="utf-8"))
        assert settings["ensure_newline_at_eof_on_save"] is False
        assert f"scope: source.{language}" in (HOME / f"{language}.sublime-syntax").read_text(encoding="utf-8")
    client = json.loads((HOME / "LSP.sublime-settings").read_text(encoding="utf-8"))["clients"]["llmblocks"]
    assert client["command"] == ["llmblocks", "server"]
    comments = plistlib.loads((HOME / "Comments.tmPreferences").read_bytes())
    assert comments["settings"]["shellVariables"][0] == {"name": "TM_COMMENT_START", "value": "@# "}


def test_the_messages_of_a_request_have_colours_and_what_the_assistant_calls(
    bat: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "run.request"
    text = f"=== USER ===\n!!!GADGET_START:Name:id\n=== ASSISTANT ===\n{CALL}=== USER ===\nResult (s1): done\n"
    file.write_text(text, encoding="utf-8")
    command = [str(bat), "--language", "Requests of an Agent", "--color=always", "--plain", "--theme=ansi", str(file)]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True).stdout
    found = {text: colour for colour, text in re.findall(r"\x1b\[([1-9][0-9;]*)m([^\x1b\n]+)", shown)}
    assert found["!!!GADGET_START:"] == found["!!!ARG:"] == found["Result ("]
    assert {"ASSISTANT", "USER", "one"} <= found.keys()
    assert "done" not in found
