"""Names in open documents and in the files of the workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lsp.log_editor import Editor, call

Json = Any


def found(editor: Editor, query: str) -> list[tuple[str, str, str, Json]]:
    """Return the name, its kind in words, the file and the place of each symbol."""
    return [
        (
            each["name"],
            each["containerName"],
            os.path.relpath(each["location"]["uri"].removeprefix("file://"), editor.folder),
            (each["location"]["range"]["start"]["line"], each["location"]["range"]["start"]["character"]),
        )
        for each in editor.ask("workspace/symbol", {"query": query})
    ]


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def test_names_of_closed_files_and_of_open_documents_are_found(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "a.gadget": "é🎉 " + call("report"),
            "deep/er/b.stf": "@user id=repo\nhi\n@ai\n<think>x</think>\n",
            "c.blocks": "<think>reports</think>",
            "logs/0001.response": call("report2") + "<answer>1</answer>",
            "logs/0001.request": call("report3"),
            "d.txt": call("report4"),
        },
    )
    editor = Editor(tmp_path, workspace=True)
    assert found(editor, "repo") == [
        ("repo", "message id", "deep/er/b.stf", (0, 9)),
        ("report", "invocation id", "a.gadget", (0, 25)),
        ("report2", "invocation id", "logs/0001.response", (0, 21)),
    ]
    assert [(each[0], each[2]) for each in found(editor, "think")] == [
        ("think", "c.blocks"),
        ("think", "deep/er/b.stf"),
    ]
    assert [each[2] for each in found(editor, "answer")] == ["logs/0001.response"]
    editor.open("a.gadget", "\n" + call("open_report"))
    assert [each[2:] for each in found(editor, "open_report")] == [("a.gadget", (1, 21))]
    assert [each[0] for each in found(editor, "report")] == ["report2", "open_report"]
    editor.close("a.gadget")
    assert found(editor, "open_report") == []
    assert [each[2] for each in found(editor, "report")] == ["a.gadget", "logs/0001.response"]


def test_an_edit_is_found_at_once(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a.gadget", call("a") + call("b"))
    editor.replace("a.gadget", 4, 21, 22, "longer")
    assert found(editor, "longer") == [("longer", "invocation id", "a.gadget", (4, 21))]
    assert found(editor, "b") == []


def test_what_settings_exclude_is_not_read(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "old/deep/a.gadget": call("old"),
            "old/0001.response": call("older"),
            "out/a.gadget": call("old"),
            "node_modules/a.gadget": call("old"),
            ".git/a.gadget": call("old"),
            "a.txt": call("gold"),
            "llmblocks.toml": """files.extendExclude = ["old", "out/", "!out/a.gadget"]
files.languages."*.txt" = "gadget"
""",
        },
    )
    editor = Editor(tmp_path, workspace=True)
    assert [each[2] for each in found(editor, "old")] == ["a.txt"]
    # as in git, no file of a folder that is passed over is read
    for name in ("old/deep/a.gadget", "out/a.gadget", "node_modules/a.gadget"):
        editor.touch(name)
    editor.wait()
    assert [each[2] for each in found(editor, "old")] == ["a.txt"]
    editor.write("llmblocks.toml", "")
    editor.touch("llmblocks.toml")
    editor.wait()
    assert [each[2] for each in found(editor, "old")] == ["old/deep/a.gadget", "out/a.gadget", "old/0001.response"]


def test_folders_of_the_workspace_are_added_and_removed(tmp_path: Path) -> None:
    written(tmp_path, {"w/a.gadget": call("a"), "v/b.gadget": call("b")})
    editor = Editor(tmp_path / "w", workspace=True)
    folder = {"uri": (tmp_path / "v").as_uri(), "name": "v"}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    editor.wait()
    assert [each[0] for each in found(editor, "b")] == ["b"]
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    editor.wait()
    assert found(editor, "b") == []
    assert [each[0] for each in found(editor, "a")][:1] == ["a"]


def test_a_search_can_be_cancelled(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a.gadget", "text\n" * 3000 + call("r"))
    assert editor.interrupted("workspace/symbol", {"query": "r"}, "$/cancelRequest")["code"] == -32800
    assert editor.ask("workspace/symbol", {"query": "r"})


def test_the_places_of_one_name_do_not_hide_the_other_names(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a.gadget", "".join(call(f"x{number}") for number in range(300)) + call("Readers"))
    names = [each[0] for each in found(editor, "Read")]
    assert names == ["Read"] * 20 + ["Readers"]


def test_a_search_in_closed_files_can_be_cancelled(tmp_path: Path) -> None:
    written(tmp_path, {f"{number}.gadget": call(f"a{number}") for number in range(60)})
    editor = Editor(tmp_path, workspace=True)
    assert editor.interrupted("workspace/symbol", {"query": "a5"}, "$/cancelRequest")["code"] == -32800
    assert [each[0] for each in found(editor, "a5")][:2] == ["a5", "a50"]
