"""All Emacs Lisp of docs/editors/emacs.md in a real Emacs with the real server, and texts of ours in other files."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import places
from editors.dialects import CHATS, DIALECTS
from editors.emacs.asking import EXAMPLES, PAGE, ROOT, environment_of, show, values
from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.programs import Program


def test_files_get_their_modes_and_diagnostics(emacs: Program, tmp_path: Path) -> None:
    log = tmp_path / ".llmist" / "logs" / "brave-otter" / "0007.response"
    log.parent.mkdir(parents=True)
    log.write_text("!!!GADGET_START:Sum\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n", encoding="utf-8")
    names = (("session.gadget", 3), ("chat.stf", 2), ("answer.blocks", 0))
    response, chat, blocks, log_shown = show(
        emacs, tmp_path, *[(EXAMPLES / name, count) for name, count in names], (log, 1)
    )
    assert [(each["managed"], each["mode"]) for each in (response, chat, blocks, log_shown)] == [
        (True, f"llmblocks-{name}-mode") for name in ("gadget", "stf", "custom-blocks", "gadget")
    ]
    assert [(line, text) for line, text, _ in log_shown["diagnostics"]] == [(4, "5")]
    assert [(line, text) for line, text, _ in response["diagnostics"]] == [(15, "3"), (107, "filePath"), (117, "last")]
    assert "[G101]: Duplicate pointer: filePath\nnote: llmist rejects" in response["diagnostics"][1][2]
    assert [(line, text[:3]) for line, text, _ in chat["diagnostics"]] == [(43, "@*/"), (63, "@/*")]


def test_a_raw_completion_has_a_mode_a_server_and_colours(emacs: Program, tmp_path: Path) -> None:
    file = tmp_path / "a.completion"
    file.write_text('<tool_call>{"name": "get" "arguments": {}}</tool_call>\n', encoding="utf-8")
    (shown,) = show(emacs, tmp_path, (file, 1))
    assert shown["mode"] == "llmblocks-completion-mode"
    assert [(line, text) for line, text, _ in shown["diagnostics"]] == [(1, '"')]
    (face,) = values(emacs, tmp_path, (file, "(progn (font-lock-ensure) (get-text-property (point-min) 'face))"))
    assert face == "font-lock-keyword-face"


# As a user's key does: what Emacs does before each command is what keeps the sign right.
COMMENT = """(progn (goto-char (point-min)) (forward-line %d) (run-hooks 'pre-command-hook)
                    (call-interactively 'comment-line) (buffer-substring-no-properties (point-min) (point-max)))"""


def test_a_comment_is_toggled_in_the_dialect_of_its_buffer(emacs: Program, tmp_path: Path) -> None:
    semicolon, at = tmp_path / "semicolon.stf", tmp_path / "at.stf"
    semicolon.write_text(";user\none\n  two\n", encoding="utf-8")
    at.write_text("@user\none\n", encoding="utf-8")
    first, second, other, back, indented = values(
        emacs,
        tmp_path,
        (semicolon, COMMENT % 1),
        (at, COMMENT % 1),
        (semicolon, f'(progn (goto-char (point-min)) (insert "@ai\\n") {COMMENT % 3})'),
        (at, COMMENT % 1),
        (at, f'(progn (goto-char (point-max)) (insert "  three\\n") {COMMENT % 2})'),
    )
    assert first == ";user\n;# one\n  two\n"
    assert second == "@user\n@# one\n"
    # a sign behind spaces would be message text
    assert other == "@ai\n;user\n;# one\n@#   two\n"
    assert back == "@user\none\n"
    assert indented == "@user\none\n@#   three\n"


def test_every_chat_has_the_dialect_that_the_server_sees(emacs: Program, tmp_path: Path) -> None:
    quoted = " ".join(json.dumps(chat).replace("\\t", "\t") for chat in CHATS)
    look = "(erase-buffer) (insert chat) (run-hooks 'pre-command-hook) (substring comment-start 0 1)"
    (found,) = values(emacs, tmp_path, (tmp_path / "chat.stf", f'(mapconcat (lambda (chat) {look}) \'({quoted}) "")'))
    assert tuple(found) == DIALECTS


def test_saving_keeps_the_end_of_the_file(emacs: Program, tmp_path: Path) -> None:
    """Also for a user who has Emacs end every other file with a newline."""
    ends = ("", "\n", " \n\n")
    files = {
        tmp_path / f"end-{number}.{suffix}": end
        for number, end in enumerate(ends)
        for suffix in ("gadget", "stf", "blocks", "txt")
    }
    for file, end in files.items():
        file.write_text(f"text{end}", encoding="utf-8")
    change = '(progn (goto-char (point-min)) (insert "more ") (save-buffer))'
    wants = ["--eval", "(setq require-final-newline t mode-require-final-newline t)"]
    values(emacs, tmp_path, *((file, change) for file in files), more=wants)
    for file, end in files.items():
        kept = f"more text{end}"
        tidied = kept if kept.endswith("\n") else f"{kept}\n"
        assert file.read_bytes().decode() == (tidied if file.suffix == ".txt" else kept)


HOLDS = """(unless (and (memq 'outline-minor-mode llmblocks-mode-hook)
                        (memq 'llmblocks-embedded markdown-mode-hook) (fboundp 'llmblocks-embedded)
                        (eq llmblocks-client 'lsp-mode) (custom-variable-p 'llmblocks-client)
                        (equal llmblocks-server-command '("/path/to/.venv/bin/llmblocks" "server"))
                        (custom-variable-p 'llmblocks-server-command)
                        (equal eglot-workspace-configuration '(:llmblocks (:tags (:names ["think" "citation"])))))
             (error "a program of the page had no effect"))"""


def test_each_program_of_the_page_runs(emacs: Program, tmp_path: Path) -> None:
    programs = re.findall(r"^```elisp\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(programs) > 5
    assert evaluated(emacs, tmp_path, "".join(programs).replace("/path/to/llmblocks", str(ROOT)) + HOLDS) == ""


def test_the_recipe_for_melpa_is_one_form_that_names_our_files(emacs: Program, tmp_path: Path) -> None:
    recipe = places.files(places.Release("1.2.3", "0" * 64, "f" * 40))["melpa/recipes/llmblocks"]
    told = evaluated(
        emacs, tmp_path, f"(require 'json) (let ((r '{recipe})) (princ (json-encode (list (car r) (cdr r)))))"
    )
    name, files = json.loads(told)
    assert (name, files["fetcher"], files["repo"]) == ("llmblocks", "github", "llmblocks/llmblocks")
    assert [*ROOT.glob(files["files"][0])]


def evaluated(emacs: Program, folder: Path, program: str) -> str:
    """Return the output of a new Emacs that runs a program."""
    script = folder / "program.el"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [*emacs.command, "-Q", "--batch", "-l", str(script)],
        env=environment_of(emacs, folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


[HOOK] = re.findall(r"\(add-hook 'markdown-mode-hook .*\)", PAGE.read_text(encoding="utf-8"))


def test_eglot_serves_a_document_once_it_holds_a_fence(emacs: Program, tmp_path: Path, packaged: list[str]) -> None:
    plain, notes = tmp_path / "plain.md", tmp_path / "notes.md"
    plain.write_text(PLAIN, encoding="utf-8")
    notes.write_text(NOTES, encoding="utf-8")
    add = '(progn (run-hooks \'post-command-hook) (goto-char (point-max)) (insert "```gadget\\n```\\n") %s)'
    unserved, served, found, hover, renamed = values(
        emacs,
        tmp_path,
        (plain, add % "(list major-mode (eglot-current-server))"),
        (plain, add % "(save-buffer) (probe-connect) (and (eglot-managed-p) t)"),
        (notes, '(progn (probe-connect) (flymake-start) (format "%S" (probe-diagnostics 1)))'),
        (notes, '(progn (probe-go "Read") (probe-hover))'),
        (
            notes,
            '(progn (probe-go "r1") (eglot-rename "first") (buffer-substring-no-properties (point-min) (point-max)))',
        ),
        more=[*packaged, "--eval", HOOK],
    )
    assert unserved == "(markdown-mode nil)"
    assert served == "t"
    assert '(7 "2" "' in found
    assert "G102" in found
    assert "Read" in hover
    assert renamed == NOTES.replace("r1", "first", 1)


def test_eglot_serves_a_marked_string_of_code(emacs: Program, tmp_path: Path, packaged: list[str]) -> None:
    for mode in ("python", "js"):
        name, text = CODE["python" if mode == "python" else "typescript"]
        file = tmp_path / name.replace(".ts", ".js")
        file.write_text(text.replace("export ", ""), encoding="utf-8")
        [found] = values(
            emacs,
            tmp_path,
            (file, '(progn (probe-connect) (flymake-start) (format "%S" (probe-diagnostics 1)))'),
            more=[*packaged, "--eval", HOOK.replace("markdown-mode", f"{mode}-mode")],
        )
        assert re.search(r'\(\d+ "2" ".*G102', found), found


def test_eglot_serves_the_settings_file_of_a_project(emacs: Program, tmp_path: Path) -> None:
    settings, other = tmp_path / "llmblocks.toml", tmp_path / "other.toml"
    for file in (settings, other):
        file.write_text("[stf]\ndialct = ';'\n", encoding="utf-8")
    look = '(progn (probe-connect) (flymake-start) (format "%S" (probe-diagnostics {})))'
    # without somebody at the keys, no timer tells the server of a change
    change = '(progn (probe-go "dialct") (delete-char 6) (insert "dialect") (eglot--signal-textDocument/didChange))'
    hover_of = '(progn (probe-go "dialect") (probe-hover))'
    complete = """(progn (goto-char (point-max)) (insert "defau") (setq this-command 'completion-at-point)
                         (completion-at-point) (buffer-substring-no-properties (pos-bol) (pos-eol)))"""
    found, _, corrected, hover, completed, unserved = values(
        emacs,
        tmp_path,
        (settings, look.format(1)),
        (settings, change),
        (settings, look.format(0)),
        (settings, hover_of),
        (settings, complete),
        # to Eglot, a server is that of a mode
        (other, "(progn (run-hooks 'post-command-hook) (list major-mode (eglot-current-server)))"),
    )
    assert '(2 "dialct" ' in found
    assert (corrected, unserved) == ("[]", "(conf-toml-mode nil)")
    assert "The dialect of STF files" in hover
    assert completed.startswith("defaultRole = ")


def test_lsp_mode_runs_both_servers(emacs: Program, tmp_path: Path, packaged: list[str]) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    command = " ".join(map(json.dumps, BESIDE))
    wants = f"""(progn
      (require 'lsp-mode)
      (setq llmblocks-client 'lsp-mode lsp-auto-guess-root t lsp-enable-file-watchers nil
            lsp-enabled-clients '(beside llmblocks-embedded))
      (lsp-register-client (make-lsp-client :new-connection (lsp-stdio-connection '({command}))
                                            :activation-fn (lsp-activate-on "markdown") :server-id 'beside))
      {HOOK})"""
    # lsp-mode waits for the buffer to be on the screen
    look = """(progn (switch-to-buffer (current-buffer)) (lsp)
                     (probe-wait (lambda () (= (length (car (hash-table-values (lsp-diagnostics)))) 2)))
                     (mapconcat (lambda (each)
                                  (format "%s %s" (gethash "source" each)
                                          (car (split-string (gethash "message" each) "\n"))))
                                (car (hash-table-values (lsp-diagnostics))) "\\n"))"""
    [found] = values(emacs, tmp_path, (file, look), more=[*packaged, "--eval", wants])
    ours, beside = sorted(found.splitlines(), reverse=True)
    assert beside == "beside from beside"
    assert ours.startswith("llmblocks Array index gap")
