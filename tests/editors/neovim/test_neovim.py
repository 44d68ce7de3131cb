"""The Neovim files in a real Neovim, set up as the README says, with the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from editors.debian import UnavailableError
from editors.dialects import CHATS, DIALECTS
from editors.neovim.neovim_install import install

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PROBE = Path(__file__).with_name("probe.lua")


@pytest.fixture(scope="session")
def neovim() -> Path:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


def configuration() -> str:
    """What the README tells users to put into their init.lua, for this checkout."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("### Neovim")[1].split("\n### ")[0]
    found = re.search(r"```lua\n(.*?)```", section, re.DOTALL)
    assert found, "the README's section on Neovim has no lua"
    assert "/path/to/llmblocks" in found[1]
    return found[1].replace("/path/to/llmblocks", str(ROOT))


def ask(neovim: Path, folder: Path, file: Path, *plan: dict[str, Any]) -> list[Any]:
    """Open a file in a new Neovim and ask it these things; everything it keeps stays inside `folder`."""
    init, out = folder / "init.lua", folder / "answers.json"
    init.write_text(configuration(), encoding="utf-8")
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = os.environ | homes | {"HOME": str(folder), "PATH": path, "LLMBLOCKS_PROBE_OUT": str(out)}
    environment["LLMBLOCKS_PROBE_PLAN"] = json.dumps([*plan, {"ask": "children"}])
    command = [str(neovim), "--headless", "-n", "-i", "NONE", "-u", str(init), str(file), "-c", f"luafile {PROBE}"]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False
    )
    assert out.exists(), f"Neovim ended with {done.returncode}: {done.stdout}{done.stderr}"
    answers: list[Any]
    *answers, children = json.loads(out.read_text(encoding="utf-8"))
    gone_with_the_editor(children)
    return answers


def gone_with_the_editor(children: Sequence[int]) -> None:
    """Whatever Neovim had started, the server first of all, has ended with it."""
    left = [psutil.Process(each) for each in children if psutil.pid_exists(each)]
    _, alive = psutil.wait_procs(left, timeout=10)
    for process in alive:
        process.kill()
    assert not alive


def test_a_response_gets_its_diagnostics_hover_and_folds(neovim: Path, tmp_path: Path) -> None:
    client, filetype, diagnostics, hover, fold = ask(
        neovim,
        tmp_path,
        EXAMPLES / "session.gadget",
        {"ask": "client"},
        {"ask": "filetype"},
        {"ask": "diagnostics", "count": 3},
        {"ask": "hover", "line": 4, "column": 5},
        {"ask": "fold", "line": 5},
    )
    assert (client["name"], client["root"], filetype) == ("llmblocks", str(ROOT), "gadget")
    assert [(each["code"], each["text"], each["severity"]) for each in diagnostics] == [
        ("G102", "3", "ERROR"),
        ("G101", "filePath", "ERROR"),
        ("G103", "last", "ERROR"),
    ]
    assert all(each["source"] == "llmblocks" for each in diagnostics)
    assert diagnostics[1]["message"].startswith("Duplicate pointer: filePath")
    assert "ReadFile" in hover
    assert fold == [4, 7]


def test_a_chat_gets_its_diagnostics_and_folds(neovim: Path, tmp_path: Path) -> None:
    filetype, diagnostics, fold = ask(
        neovim,
        tmp_path,
        EXAMPLES / "chat.stf",
        {"ask": "filetype"},
        {"ask": "diagnostics", "count": 2},
        {"ask": "fold", "line": 4},
    )
    assert filetype == "stf"
    assert [(each["code"], each["text"][:4]) for each in diagnostics] == [("S001", "@*/"), ("S002", "@/* ")]
    assert fold[0] == 3


def test_a_squiggle_comes_and_goes_while_typing(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "typed.gadget"
    file.write_text("!!!GADGET_START:Sum\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/\n2\n!!!GADGET_END\n", encoding="utf-8")
    wrong, found, right, left = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "type", "line": 4, "keys": "A5<Esc>"},
        {"ask": "diagnostics", "count": 1},
        {"ask": "type", "line": 4, "keys": "A<BS>1<Esc>"},
        {"ask": "diagnostics", "count": 0},
    )
    assert (wrong, right) == ("!!!ARG:🎉é/5", "!!!ARG:🎉é/1")
    assert [(each["code"], each["line"], each["text"]) for each in found] == [("G102", 4, "5")]
    assert not left


def test_a_session_log_of_llmist_is_a_gadget_file(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / ".llmist" / "logs" / "brave-otter" / "0007.response"
    file.parent.mkdir(parents=True)
    file.write_text("!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nBob\n!!!GADGET_END\n", encoding="utf-8")
    filetype, diagnostics = ask(neovim, tmp_path, file, {"ask": "filetype"}, {"ask": "diagnostics", "count": 1})
    assert filetype == "gadget"
    assert [each["code"] for each in diagnostics] == ["G101"]


def test_a_text_with_custom_blocks_gets_a_client(neovim: Path, tmp_path: Path) -> None:
    filetype, client = ask(neovim, tmp_path, EXAMPLES / "answer.blocks", {"ask": "filetype"}, {"ask": "client"})
    assert (filetype, client["name"]) == ("custom-blocks", "llmblocks")


def test_a_comment_is_toggled_in_the_dialect_of_its_buffer(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text("hi\n;user\none\n  two\n\n", encoding="utf-8")
    options, one, none, all_of_them, again, typed, switched, other = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "comments"},
        {"ask": "press", "keys": "3Ggcc"},
        {"ask": "press", "keys": "gcc"},
        {"ask": "press", "keys": "3GgcG"},
        {"ask": "press", "keys": "3GVGgc"},
        {"ask": "press", "keys": "1Gcc@ai<Esc>"},
        {"ask": "press", "keys": "4G2gcc"},
        {"ask": "comments"},
    )
    assert options == [";# %s", ":;#,:;//"]
    assert one == "hi\n;user\n;# one\n  two\n"
    assert none == again == "hi\n;user\none\n  two\n"
    # a sign behind blanks would be message text
    assert all_of_them == "hi\n;user\n;# one\n;#   two\n"
    assert typed == "@ai\n;user\none\n  two\n"
    assert switched == "@ai\n;user\none\n@#   two\n"
    assert other == ["@# %s", ":@#,:@//"]


def test_a_buffer_that_is_no_chat_any_more_has_its_own_comments(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text("@user\n", encoding="utf-8")
    _, _, comments = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "press", "keys": ":setfiletype lua<CR>:set filetype=lua<CR>"},
        {"ask": "press", "keys": "1Gcc;user<Esc>"},
        {"ask": "comments"},
    )
    assert comments[0] == "-- %s"


def test_every_chat_has_the_dialect_that_the_server_sees(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.touch()
    (found,) = ask(neovim, tmp_path, file, {"ask": "dialects", "chats": CHATS})
    assert tuple(found) == DIALECTS


@pytest.mark.parametrize("suffix", ["gadget", "stf", "blocks"])
@pytest.mark.parametrize("end", ["", "\n", " \n\n"], ids=repr)
def test_saving_keeps_the_end_of_the_file(neovim: Path, tmp_path: Path, suffix: str, end: str) -> None:
    file = tmp_path / f"end.{suffix}"
    file.write_text(f"text{end}", encoding="utf-8")
    ask(neovim, tmp_path, file, {"ask": "press", "keys": "ggImore <Esc>"}, {"ask": "save"})
    assert file.read_bytes().decode() == f"more text{end}"
