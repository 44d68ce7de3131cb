"""The script for Kakoune in a real Kakoune in a terminal."""

from __future__ import annotations

from pathlib import Path

from editors.dialects import CHATS, DIALECTS
from editors.homes import environment_of, programs_of
from editors.programs import Program
from editors.screen import coloured
from editors.terminal import Terminal
from folders import written

[SOURCE, *_] = programs_of("docs/editors/kakoune.md", "kak")
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


class Kakoune(Terminal):
    """A Kakoune that keeps everything in its home, and has done some commands."""

    def __init__(self, kakoune: Program, home: Path, *commands: str) -> None:
        # colours that name the faces
        colours = [f"set-face global {face} rgb:0000{at:02x}" for at, face in enumerate(FACES, 1)]
        start = "; ".join([SOURCE, *colours, *commands])
        environment = environment_of(home, server=True, TERM="xterm", **kakoune.environment)
        super().__init__([*kakoune.command, "-e", start], environment | {"XDG_RUNTIME_DIR": str(home)}, home)

    def leave(self) -> None:
        """Leave, once all commands are done."""
        self.until(lambda: bool(self.drawn))
        self.press(":quit!\r")
        self.end()

    def faces(self, text: str) -> dict[str, str]:
        """Return the faces of what is on the screen, once `text` is: stretches of text, by themselves."""
        self.until(lambda: text in dict(coloured(self)), text)
        return {each: FACES[int(colour, 16) - 1] if colour[:4] == "0000" else "" for each, colour in coloured(self)}


def test_a_chat_has_colours_and_its_comments(kakoune: Program, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.stf", f"x\n{CHAT}")
    with Kakoune(kakoune, tmp_path, f"edit {file}", "execute-keys gg", "comment-line", "write") as editor:
        faces = editor.faces("!!!GADGET_START:")
        editor.leave()
    expected = {"@# note": "comment", "@user": "keyword", "name": "attribute", "'Ada'": "string", "Sum": "function"}
    expected |= {"total": "variable", "numbers/0": "attribute", "one": "string", "!!!GADGET_END": "keyword"}
    expected |= {"think": "type", "@ai": "comment", ";user": "", "!!!GADGET_START:": "keyword"}
    assert {text: faces[text] for text in expected} == expected
    assert "String" not in faces
    assert file.read_text(encoding="utf-8").startswith("@# x\n@# note")


DATA = """\
@user name='Ada' id=u1
<note by=me to="all">x</note> 2 <3
@call {name: 'list'}
{"most": 20, say: 'a: 1 b=2 true'}
@call {name: 'none'}
@embed type=image
https://example.org?a=b
@raw
{role: 'tool',
 pinned: true}
@end
"""


def test_all_attributes_and_data_have_colours(kakoune: Program, tmp_path: Path) -> None:
    file = written(tmp_path / "data.stf", DATA)
    with Kakoune(kakoune, tmp_path, f"edit {file}") as editor:
        faces = editor.faces("@end")
    attributes = ("name", "id", "by", "to", '"most"', "role", "pinned")
    expected = dict.fromkeys(attributes, "attribute") | {"note": "type", "@embed": "keyword", "true": "value"}
    expected |= dict.fromkeys(("u1", "me", '"all"', "'a: 1 b=2 true'", "'tool'"), "string") | {"20": "value"}
    assert {text: faces[text] for text in expected} == expected
    assert "a" not in faces


def test_every_chat_has_the_dialect_that_the_server_sees(kakoune: Program, tmp_path: Path) -> None:
    files = [written(tmp_path / f"{number}.stf", chat) for number, chat in enumerate(CHATS)]
    commands = [f'edit {file}; echo -to-file {file}.dialect "%opt{{comment_line}}"' for file in files]
    with Kakoune(kakoune, tmp_path, *commands) as editor:
        editor.leave()
    said = [Path(f"{file}.dialect").read_text().strip() for file in files]
    assert said == [f"{dialect}#" for dialect in DIALECTS]


def test_a_log_is_a_gadget_file_and_saving_keeps_its_end(kakoune: Program, tmp_path: Path) -> None:
    log = written(tmp_path / ".llmist" / "logs" / "otter" / "last.response", "text ")
    asked = tmp_path / "asked"
    # a call has no comments
    typed = ("execute-keys 'imore <esc>'", "try comment-line", "write")
    with Kakoune(kakoune, tmp_path, f"edit {log}", f'echo -to-file {asked} "%opt{{filetype}}"', *typed) as editor:
        editor.leave()
    assert asked.read_text().strip() == "gadget"
    assert log.read_text(encoding="utf-8") == "more text "


def test_a_raw_completion_has_the_colours_of_all_delimiters(kakoune: Program, tmp_path: Path) -> None:
    file = written(tmp_path / "a.completion", "x <|channel|>analysis<|message|>a <b><|end|>\n")
    with Kakoune(kakoune, tmp_path, f"edit {file}") as editor:
        faces = editor.faces("<|end|>")
    assert [text for text, face in faces.items() if face == "keyword"] == ["<|channel|>", "<|message|>", "<|end|>"]
