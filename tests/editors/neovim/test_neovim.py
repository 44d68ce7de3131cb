"""The Neovim files in a real Neovim, set up as docs/editors/neovim.md says, with the real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def test_a_raw_completion_gets_a_client_and_colours(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.completion"
    file.write_text('<tool_call>{"name": "get" "arguments": {}}</tool_call>\n', encoding="utf-8")
    filetype, found = ask(neovim, tmp_path, file, {"ask": "filetype"}, {"ask": "diagnostics", "count": 1})
    assert (filetype, [each["code"] for each in found]) == ("completion", ["M005"])


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
