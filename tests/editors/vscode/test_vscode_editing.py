"""Text that VS Code writes by itself: comment signs, and the end of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.dialects import CHATS, DIALECTS
from editors.programs import output
from editors.vscode.studio import Studio

AT = "@user\nhello\n  indented\n"
SEMICOLON = "\ufeff;user\nhello\n  indented\n"


def opened(studio: Studio, file: Path, text: str, line: int) -> str:
    studio.opened(file, text)
    studio.focus(file, (line, 0))
    return str(file)


def test_a_comment_is_toggled_in_the_dialect_of_its_document(studio: Studio, folder: Path) -> None:
    semicolon = opened(studio, folder / "semicolon.stf", SEMICOLON, 1)
    studio.probe("command", name="editor.action.commentLine")
    studio.becomes(semicolon, ";user\n;# hello\n  indented\n")
    studio.browser("press", key="Control+/")
    studio.becomes(semicolon, ";user\nhello\n  indented\n")
    at = opened(studio, folder / "at.stf", AT, 1)
    studio.browser("press", key="Control+/")
    studio.becomes(at, "@user\n@# hello\n  indented\n")
    studio.probe("cursor", file=semicolon, position=[2, 4])
    studio.probe("command", name="editor.action.addCommentLine")
    # a sign behind spaces would be message text
    studio.becomes(semicolon, ";user\nhello\n;#   indented\n")


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
    studio.focused()
    studio.browser("type", text=typed)
    # what is closed by itself comes with the key
    studio.probe("holds", file=uri, part=typed)
    assert studio.probe("text", file=uri) == typed


def test_the_sign_follows_the_dialect_while_it_is_typed(studio: Studio) -> None:
    uri = studio.probe("untitled", language="stf", text="")
    studio.browser("type", text=";dev\nx")
    studio.becomes(uri, ";dev\nx")
    studio.probe("command", name="editor.action.commentLine")
    studio.becomes(uri, ";dev\n;# x")


def test_the_setting_decides_before_the_text(studio: Studio, folder: Path) -> None:
    studio.probe("configure", section="llmblocks.stf.dialect", value=";")
    file = opened(studio, folder / "set.stf", AT, 1)
    studio.probe("command", name="editor.action.commentLine")
    studio.becomes(file, "@user\n;# hello\n  indented\n")


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
    found = json.loads(output("node", "-e", script, cwd=extension, stdin=json.dumps(CHATS)))
    assert tuple(found) == DIALECTS


TIDY = ("files.insertFinalNewline", "files.trimFinalNewlines", "files.trimTrailingWhitespace")


def test_saving_keeps_the_end_of_our_files_for_a_user_who_wants_every_file_tidied(studio: Studio, folder: Path) -> None:
    for name in TIDY:
        studio.probe("configure", section=name, value=True)
    ends = [(suffix, end) for suffix in ("gadget", "stf", "blocks") for end in ("", " ", "\n", "\n \n\n")]
    for suffix, end in [*ends, ("txt", " ")]:
        path = folder / f"end-{end.encode().hex()}.{suffix}"
        file = opened(studio, path, f"text{end}", 0)
        studio.browser("type", text="more ")
        studio.becomes(file, f"more text{end}")
        studio.probe("command", name="workbench.action.files.save")
        assert path.read_bytes().decode() == ("more text\n" if suffix == "txt" else f"more text{end}")
