"""Colours, names, fixes and outlines in a real Emacs, with Eglot, with lsp-mode, and without a server."""

from __future__ import annotations

import json

from editors.debian import ROOT
from editors.emacs.conftest import Emacs
from editors.homes import written

SOURCE = ROOT / "editors" / "emacs" / "llmblocks.el"

CALL = "!!!GADGET_START:Sum:total\n!!!ARG:numbers/0\n1\n!!!ARG:numbers/2\n1e5\n!!!GADGET_END\n"
CHAT = (
    f"@# note\n@user name='Ada'\nsee List<String> or <think>\n@/* off\n@ai\n@*/\n{CALL}@ai {{id: 0x1}}\n;user\n@ende\n"
)


def test_colours_outline_and_index_need_no_server(editor: Emacs) -> None:
    lines = (2, 3, 5, 7, 8, 9, 11, 12, 13, 14, 15)
    outline = """(let (found) (goto-char (point-min))
                   (while (outline-next-heading) (push (funcall outline-level) found)) found)"""
    index = "(mapcar (lambda (each) (length (ensure-list (cdr each)))) (cdr (imenu--make-index-alist t)))"
    warnings = '(with-current-buffer "*Warnings*" (buffer-string))'
    asked = [*(f"(probe-faces {line})" for line in lines), outline, index, warnings]
    *coloured, levels, indexed, warned = editor.of(written(editor.home / "chat.stf", CHAT), *asked, server=False)
    user, text, comment, marker, pointer, number, string, end, ai, other, unknown = map(json.loads, coloured)
    assert user[0] == ["@user", "font-lock-keyword-face"]
    assert [text for text, face in user if face == "font-lock-property-name-face"] == ["name"]
    assert [text for text, face in user if face == "font-lock-string-face"] == ["'Ada'"]
    # a type of code is not a tag
    assert [each for each, face in text if face == "font-lock-type-face"] == ["think"]
    assert comment == [["@ai", "font-lock-comment-face"]]
    assert [each for each in marker if each[1] != "nil"] == [
        ["!!!GADGET_START:", "font-lock-keyword-face"],
        ["Sum", "font-lock-function-name-face"],
        ["total", "font-lock-variable-name-face"],
    ]
    assert ["numbers", "font-lock-property-name-face"] in pointer
    assert ["0", "font-lock-number-face"] in pointer
    assert number == [["1", "font-lock-number-face"]]
    # to llmist, this is text
    assert end == [["!!!GADGET_END", "font-lock-keyword-face"]]
    assert string == [["1e5", "font-lock-string-face"]]
    assert ["0x1", "font-lock-number-face"] in ai
    assert other == [[";user", "nil"]]
    assert unknown == [["@ende", "font-lock-warning-face"]]
    assert (levels, indexed) == ("(1 2 1)", "(1 2)")
    assert warned.count("there is no program") == 1


def test_colours_and_headings_follow_the_dialect(editor: Emacs) -> None:
    chat = written(editor.home / "chat.stf", "x\n;user\n@user\n")
    change = '(progn (goto-char (point-min)) (insert "@# y\\n") (run-hooks \'pre-command-hook) (probe-faces 4))'
    before, after = editor.of(chat, "(probe-faces 3)", change, server=False)
    assert json.loads(before) == [["@user", "nil"]]
    assert json.loads(after) == [["@user", "font-lock-keyword-face"]]


def test_a_value_that_is_typed_further_keeps_its_colour(editor: Emacs) -> None:
    file = written(editor.home / "a.gadget", "!!!GADGET_START:A\n!!!ARG:x\none\ntwo\n!!!GADGET_END\nthree\n")
    typed = '(progn (font-lock-ensure) (probe-go "two") (insert "more ") (probe-faces %d))'
    inside, behind = editor.of(file, typed % 4, typed % 6, server=False)
    assert json.loads(inside) == [["more two", "font-lock-string-face"]]
    assert json.loads(behind) == [["three", "nil"]]


def test_hover_completion_names_and_fixes_come_through_eglot(editor: Emacs) -> None:
    _, options, wraps, hover, completed, fixed, renamed = editor.of(
        written(editor.home / "a.gadget", f"{CALL}!!!GADGET_START:Show:s:total\n!!!GADGET_END\n"),
        "(probe-connect)",
        '(format "%S" (eglot-initialization-options (eglot-current-server)))',
        "word-wrap",
        '(progn (probe-go "Sum") (probe-hover))',
        '(progn (goto-char (point-max)) (insert "!!!") (probe-complete))',
        '(progn (probe-go "2") (probe-fix "Change"))',
        '(progn (probe-go "total") (eglot-rename "sum") (buffer-string))',
    )
    assert (options, wraps) == ("(:calmTyping t)", "t")
    assert "Sum" in hover
    # Emacs shows raw Markdown without a mode for it
    assert "**" not in hover
    assert "```" not in hover
    assert "!!!GADGET_START:" in completed
    assert "!!!ARG:numbers/1\n1e5" in fixed
    assert "Sum:sum\n" in renamed
    assert "Show:s:sum\n" in renamed


def test_an_outline_hides_and_shows_a_call(editor: Emacs) -> None:
    press = '(call-interactively (key-binding (kbd "C-c @ %s")))'
    hide = f'(progn (outline-minor-mode) (probe-go "Sum") {press % "C-c"} (probe-hidden "numbers/0"))'
    show = f'(progn (probe-go "Sum") {press % "C-e"} (probe-hidden "numbers/0"))'
    assert editor.of(written(editor.home / "a.gadget", CALL), hide, show, server=False) == ["t", "nil"]


def test_the_session_of_a_log_is_shown_beside(editor: Emacs, packaged: list[str]) -> None:
    file = written(editor.home / "calm-newt" / "0001.response", "!!!GADGET_START:A:a\n!!!GADGET_END\n")
    written(file.with_name("0002.request"), "=== USER ===\nResult (a): found\n")
    look = """(progn %s (llmblocks-session)
                     (with-current-buffer "*llmblocks session: calm-newt*"
                       (format "%%s %%s" (derived-mode-p 'special-mode) (buffer-string))))"""
    wants = "(setq llmblocks-client 'lsp-mode lsp-auto-guess-root t lsp-enable-file-watchers nil)"
    connected = """(switch-to-buffer (current-buffer)) (lsp)
                   (probe-wait (lambda () (lsp-feature? "workspace/executeCommand")))"""
    for connect, more in (("(probe-connect)", []), (connected, [*packaged, "--eval", wants])):
        [shown] = editor.of(file, look % connect, more=more)
        assert shown.startswith("special-mode ")
        assert "      A a: returned 5 B in 0002.request" in shown.splitlines()


def test_the_package_compiles_and_has_no_remarks(editor: Emacs, packaged: list[str]) -> None:
    copy = written(editor.home / "llmblocks.el", SOURCE.read_text("utf-8"))
    check = f"""(progn
      (require 'package-lint)
      (setq byte-compile-error-on-warn t)
      (unless (byte-compile-file "{copy}") (error "does not compile"))
      (checkdoc-file "{copy}")
      (with-current-buffer (find-file-noselect "{copy}")
        (princ (format "LINT %S\\n" (package-lint-buffer)))))"""
    said = editor.batch(*packaged, "--eval", check)
    assert "LINT nil" in said
    assert "Warning" not in said


def test_the_package_can_be_installed_as_one(editor: Emacs) -> None:
    said = editor.batch("--eval", f'(progn (package-initialize) (package-install-file "{SOURCE}"))')
    assert "rror" not in said
    [folder] = (editor.home / ".emacs.d" / "elpa").glob("llmblocks-0*")
    assert "llmblocks-stf-mode" in (folder / "llmblocks-autoloads.el").read_text(encoding="utf-8")
