"""The Neovim files in a real Neovim, set up as docs/editors/neovim.md says, with the real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from editors.dialects import CHATS, DIALECTS
from editors.neovim.asking import EXAMPLES, ROOT, ask


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


@pytest.mark.parametrize(
    ("name", "text", "filetype", "code"),
    [
        ("chat.stf", "@/* open\n", "stf", "S002"),
        (".llmist/logs/brave-otter/0007.response", "!!!GADGET_END\n", "gadget", "G005"),
        ("a.blocks", "<think>open\n", "custom-blocks", "T001"),
        ("a.completion", '<tool_call>{"name": "get" "arguments": {}}</tool_call>\n', "completion", "M005"),
    ],
)
def test_a_file_has_its_type_and_its_server(
    neovim: Path, tmp_path: Path, name: str, text: str, filetype: str, code: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    known, found = ask(neovim, tmp_path, file, {"ask": "filetype"}, {"ask": "diagnostics", "count": 1})
    assert (known, found[0]["code"]) == (filetype, code)


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
    # a sign behind spaces would be message text
    assert all_of_them == "hi\n;user\n;# one\n;#   two\n"
    assert typed == "@ai\n;user\none\n  two\n"
    assert switched == "@ai\n;user\none\n@#   two\n"
    assert other == ["@# %s", ":@#,:@//"]


def test_a_buffer_that_is_not_a_chat_any_more_has_its_own_comments(neovim: Path, tmp_path: Path) -> None:
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


def test_saving_keeps_the_end_of_the_file(neovim: Path, tmp_path: Path) -> None:
    files = {
        tmp_path / f"end-{number}.{suffix}": end
        for number, end in enumerate(("", "\n", " \n\n"))
        for suffix in ("gadget", "stf", "blocks")
    }
    plan: list[dict[str, Any]] = []
    for file, end in files.items():
        file.write_text(f"text{end}", encoding="utf-8")
        plan += [{"ask": "press", "keys": f":edit {file}<CR>ggImore <Esc>"}, {"ask": "client"}, {"ask": "save"}]
    ask(neovim, tmp_path, next(iter(files)), *plan)
    for file, end in files.items():
        assert file.read_bytes().decode() == f"more text{end}"
