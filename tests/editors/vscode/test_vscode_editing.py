"""Text that VS Code writes by itself: comment signs, and the end of the file."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.dialects import CHATS, DIALECTS
from editors.vscode.studio import Studio

AT = "@user\nhello\n  indented\n"
SEMICOLON = "\ufeff;user\nhello\n  indented\n"


def opened(studio: Studio, file: Path, text: str, line: int) -> str:
    studio.opened(file, text)
    studio.probe("cursor", file=str(file), position=[line, 0])
    return str(file)


def becomes(studio: Studio, file: str, text: str) -> None:
    """Wait for the text that a key leaves behind."""
    studio.probe("textBecomes", file=file, text=text)


def test_a_comment_is_toggled_in_the_dialect_of_its_document(studio: Studio, folder: Path) -> None:
    semicolon = opened(studio, folder / "semicolon.stf", SEMICOLON, 1)
    studio.probe("command", name="editor.action.commentLine")
    becomes(studio, semicolon, ";user\n;# hello\n  indented\n")
    studio.browser("press", key="Control+/")
    becomes(studio, semicolon, ";user\nhello\n  indented\n")
    at = opened(studio, folder / "at.stf", AT, 1)
    studio.browser("press", key="Control+/")
    becomes(studio, at, "@user\n@# hello\n  indented\n")
    studio.probe("cursor", file=semicolon, position=[2, 4])
    studio.probe("command", name="editor.action.addCommentLine")
    # a sign behind spaces would be message text
    becomes(studio, semicolon, ";user\nhello\n;#   indented\n")


CODE_VALUE = "!!!GADGET_START:Write\n!!!ARG:path\na.ts\n!!!ARG:content\nconst a = (1);\n!!!GADGET_END\n"
PROSE = (
    ("prose.gadget", f"So :) and b) or 3 < 4 }}\n{CODE_VALUE}", "("),
    ("prose.stf", "@user\n:) b) ] 3 > 2\n@raw\n{role: 'user', content: [1]}\n@end\n", "{"),
    ("prose.blocks", "<think>\n:) b) } 3 > 2\n</think>\n", ""),
)


@pytest.mark.parametrize(("name", "text", "bracket"), PROSE, ids=[name for name, *_ in PROSE])
def test_brackets_are_coloured_in_code_and_json_only(
    studio: Studio, folder: Path, name: str, text: str, bracket: str
) -> None:
    file = opened(studio, folder / name, text, 0)
    # its colours are there
    studio.inspect(Path(file), (0, 1))
    if bracket:
        active = ".editor-group-container.active .view-lines"
        assert studio.browser("text", selector=f"{active} [class*='bracket-highlighting']") == bracket
    assert studio.browser("count", selector=".unexpected-closing-bracket") == 0


@pytest.mark.parametrize(
    ("language", "typed"), [("gadget", ':( say "a'), ("custom-blocks", '<think a="b'), ("stf", '@user name="Ada\n:(')]
)
def test_brackets_and_quotes_are_not_closed_in_prose(studio: Studio, language: str, typed: str) -> None:
    uri = studio.probe("untitled", language=language, text="")
    studio.probe("running")
    studio.browser("text", selector=".editor-group-container.active .monaco-editor.focused")
    studio.browser("type", text=typed)
    # what is closed by itself comes with the key
    studio.probe("holds", file=uri, part=typed)
    assert studio.probe("text", file=uri) == typed


def test_the_sign_follows_the_dialect_while_it_is_typed(studio: Studio) -> None:
    uri = studio.probe("untitled", language="stf", text="")
    studio.browser("type", text=";dev\nx")
    becomes(studio, uri, ";dev\nx")
    studio.probe("command", name="editor.action.commentLine")
    becomes(studio, uri, ";dev\n;# x")


def test_the_setting_decides_before_the_text(studio: Studio, folder: Path) -> None:
    studio.probe("configure", section="llmblocks.stf.dialect", value=";")
    file = opened(studio, folder / "set.stf", AT, 1)
    studio.probe("command", name="editor.action.commentLine")
    becomes(studio, file, "@user\n;# hello\n  indented\n")


def test_every_chat_has_the_dialect_that_the_server_sees() -> None:
    extension = ROOT / "editors" / "vscode"
    if not (extension / "node_modules").exists():
        pytest.skip("the extension's npm packages are not installed")
    script = """
        const built = require("esbuild").buildSync({
          entryPoints: ["src/languages.ts"], format: "cjs", platform: "node", bundle: true, write: false });
        const loaded = { exports: {} };
        new Function("module", "exports", built.outputFiles[0].text)(loaded, loaded.exports);
        const chats = JSON.parse(require("fs").readFileSync(0, "utf-8")).map((chat) => chat.split("\\n"));
        const { dialectOf } = loaded.exports;
        console.log(JSON.stringify(chats.map((lines) => dialectOf(lines.length, (line) => lines[line]))));
    """
    done = subprocess.run(
        ["node", "-e", script], cwd=extension, input=json.dumps(CHATS), capture_output=True, text=True, check=True
    )
    assert tuple(json.loads(done.stdout)) == DIALECTS


@pytest.fixture(scope="module")
def tidy(studio: Studio) -> Iterator[None]:
    """A user who wants every other file tidied when it is saved."""
    names = ("files.insertFinalNewline", "files.trimFinalNewlines", "files.trimTrailingWhitespace")
    for name in names:
        studio.probe("configure", section=name, value=True)
    yield
    for name in names:
        studio.probe("configure", section=name, value=None)


@pytest.mark.usefixtures("tidy")
@pytest.mark.parametrize("suffix", ["gadget", "stf", "blocks"])
@pytest.mark.parametrize("end", ["", " ", "\n", "\n \n\n"], ids=repr)
def test_saving_keeps_the_end_of_the_file(studio: Studio, folder: Path, suffix: str, end: str) -> None:
    path = folder / f"end-{end.encode().hex()}.{suffix}"
    file = opened(studio, path, f"text{end}", 0)
    studio.browser("type", text="more ")
    becomes(studio, file, f"more text{end}")
    studio.probe("command", name="workbench.action.files.save")
    assert path.read_bytes().decode() == f"more text{end}"


@pytest.mark.usefixtures("tidy")
def test_another_file_is_tidied_as_its_user_wants(studio: Studio, folder: Path) -> None:
    path = folder / "end.txt"
    file = opened(studio, path, "text ", 0)
    studio.browser("type", text="more ")
    becomes(studio, file, "more text ")
    studio.probe("command", name="workbench.action.files.save")
    assert path.read_bytes() == b"more text\n"
