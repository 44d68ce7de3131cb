"""The script for Kakoune in a real Kakoune, which draws through its JSON interface."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from threading import Timer
from typing import Any

from editors.debian import ROOT
from editors.dialects import CHATS, DIALECTS
from editors.programs import Program
from editors.terminal import PATIENCE_S

PAGE = (ROOT / "docs" / "editors" / "kakoune.md").read_text(encoding="utf-8")
FACES = ("keyword", "function", "variable", "attribute", "string", "comment", "type", "value")
CHAT = """@# note
@user name='Ada'
a List<String> or <think>
@/* off
@ai
@*/
!!!GADGET_START:Sum:total
!!!ARG:numbers/0
one
!!!GADGET_END
;user
"""


class Kakoune:
    """A Kakoune in another process, as a context manager. `home` is where it keeps everything."""

    def __init__(self, kakoune: Program, home: Path, *commands: str) -> None:
        [first] = re.findall(r"```kak\n(source .*?)\n```", PAGE, re.DOTALL)
        # colours that name the faces
        colours = [f"set-face global {face} rgb:0000{at:02x}" for at, face in enumerate(FACES, 1)]
        start = "; ".join([first.replace("/path/to/llmblocks", str(ROOT)), *colours, *commands])
        environment = os.environ | kakoune.environment | {"HOME": str(home), "TERM": "xterm"}
        environment |= {"XDG_RUNTIME_DIR": str(home), "XDG_CONFIG_HOME": str(home / "config")}
        self._process = subprocess.Popen(
            [*kakoune.command, "-ui", "json", "-e", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )

    def __enter__(self) -> Kakoune:
        self._send("resize", 60, 120)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def keys(self, *keys: str) -> None:
        """Press keys."""
        self._send("keys", *keys)

    def drawn(self, text: str) -> dict[str, str]:
        """Return the faces of what is drawn, once `text` is: stretches of text, by themselves.

        Raises `AssertionError` where Kakoune draws other stretches only, or nothing for two minutes.
        """
        assert self._process.stdout is not None
        found: dict[str, str] = {}
        # it draws once and waits
        waiting = Timer(PATIENCE_S, self._process.kill)
        waiting.start()
        try:
            for line in self._process.stdout:
                message = json.loads(line)
                if message["method"] == "draw":
                    found = {atom["contents"]: face(atom) for drawn in message["params"][0] for atom in drawn}
                    if text in found:
                        return found
        finally:
            waiting.cancel()
        raise AssertionError(f"Kakoune never drew {text!r}, but {found}")

    def end(self) -> None:
        """Leave, and wait for it."""
        self.keys(":quit!<ret>")
        # what it draws has to be read
        self._process.communicate(timeout=120)

    def _send(self, method: str, *parameters: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}) + "\n")
        self._process.stdin.flush()


def face(atom: dict[str, Any]) -> str:
    found = re.fullmatch(r"(?:#|rgb:)0000(\w\w)", atom["face"]["fg"])
    return FACES[int(found[1], 16) - 1] if found else ""


def test_a_chat_has_colours_and_its_comments(kakoune: Program, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text(f"x\n{CHAT}", encoding="utf-8")
    with Kakoune(kakoune, tmp_path, f"edit {file}", "execute-keys gg", "comment-line", "write") as editor:
        drawn = editor.drawn("!!!GADGET_START:")
        assert drawn["@# note"] == "comment"
        assert drawn["@user"] == "keyword"
        assert (drawn["name"], drawn["'Ada'"]) == ("attribute", "string")
        assert (drawn["Sum"], drawn["total"], drawn["numbers/0"]) == ("function", "variable", "attribute")
        assert (drawn["one\n"], drawn["!!!GADGET_END"]) == ("string", "keyword")
        assert drawn["think"] == "type"
        assert "String" not in drawn
        assert drawn["@ai\n"] == "comment"
        assert all("user" not in text for text, colour in drawn.items() if text.startswith(";") and colour)
        editor.end()
    assert file.read_text(encoding="utf-8").startswith("@# x\n@# note")


def test_all_attributes_and_data_have_colours(kakoune: Program, tmp_path: Path) -> None:
    file = tmp_path / "data.stf"
    file.write_text(
        "@user name='Ada' id=u1\n<note by=me to=\"all\">x</note> 2 <3\n@call {name: 'list'}\n"
        "{\"most\": 20, say: 'a: 1 b=2 true'}\n"
        "@call {name: 'none'}\n@embed type=image\nhttps://example.org?a=b\n"
        "@raw\n{role: 'tool',\n pinned: true}\n@end\n",
        encoding="utf-8",
    )
    with Kakoune(kakoune, tmp_path, f"edit {file}") as editor:
        drawn = editor.drawn("@end")
        assert (drawn["name"], drawn["id"], drawn["u1"]) == ("attribute", "attribute", "string")
        assert (drawn["note"], drawn["by"], drawn["me"], drawn["to"], drawn['"all"']) == (
            *("type", "attribute", "string", "attribute", "string"),
        )
        assert (drawn['"most"'], drawn["20"], drawn["'a: 1 b=2 true'"]) == ("attribute", "value", "string")
        assert drawn["@embed"] == "keyword"
        assert "a" not in drawn
        assert (drawn["role"], drawn["'tool'"], drawn["pinned"], drawn["true"]) == (
            *("attribute", "string", "attribute", "value"),
        )
        editor.end()


def test_every_chat_has_the_dialect_that_the_server_sees(kakoune: Program, tmp_path: Path) -> None:
    commands, expected = [], []
    for number, (chat, dialect) in enumerate(zip(CHATS, DIALECTS, strict=True)):
        file = tmp_path / f"{number}.stf"
        file.write_text(chat, encoding="utf-8")
        commands += [f"edit {file}", f'echo -to-file {file}.dialect "%opt{{comment_line}}"']
        expected.append(f"{dialect}#")
    with Kakoune(kakoune, tmp_path, *commands) as editor:
        editor.end()
    assert [(tmp_path / f"{number}.stf.dialect").read_text().strip() for number in range(len(CHATS))] == expected


def test_a_log_is_a_gadget_file_and_saving_keeps_its_end(kakoune: Program, tmp_path: Path) -> None:
    log = tmp_path / ".llmist" / "logs" / "otter" / "last.response"
    log.parent.mkdir(parents=True)
    log.write_text("text ", encoding="utf-8")
    asked = tmp_path / "asked"
    # a call has no comments
    typed = ("execute-keys 'imore <esc>'", "try comment-line", "write")
    with Kakoune(kakoune, tmp_path, f"edit {log}", f'echo -to-file {asked} "%opt{{filetype}}"', *typed) as editor:
        editor.end()
    assert asked.read_text().strip() == "gadget"
    assert log.read_text(encoding="utf-8") == "more text "


def test_a_raw_completion_has_the_colours_of_all_delimiters(kakoune: Program, tmp_path: Path) -> None:
    file = tmp_path / "a.completion"
    file.write_text("x <|channel|>analysis<|message|>a <b><|end|>\n", encoding="utf-8")
    with Kakoune(kakoune, tmp_path, f"edit {file}") as editor:
        drawn = editor.drawn("<|end|>")
        assert [text for text, colour in drawn.items() if colour == "keyword"] == [
            "<|channel|>",
            "<|message|>",
            "<|end|>",
        ]
        editor.end()
