"""Texts of ours in Markdown and code in a real Emacs, set up as docs/editors/emacs.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from editors.emacs.asking import PAGE, values
from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.programs import Program

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
