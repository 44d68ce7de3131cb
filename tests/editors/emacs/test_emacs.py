"""A real Emacs, set up as docs/editors/emacs.md says: the Lisp of the page, colours, features, and other files."""

from __future__ import annotations

import json
import re

import places
from editors.debian import ROOT
from editors.dialects import CHATS, DIALECTS
from editors.emacs.conftest import Emacs
from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.homes import EXAMPLES, programs_of
from folders import written

PAGE = "docs/editors/emacs.md"


def test_files_get_their_modes_and_diagnostics(editor: Emacs) -> None:
    text = "!!!GADGET_START:Sum\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n"
    log = written(editor.home / ".llmist" / "logs" / "brave-otter" / "0007.response", text)
    raw = written(editor.home / "a.completion", '<tool_call>{"name": "get" "arguments": {}}</tool_call>\n')
    counts = {EXAMPLES / "session.gadget": 3, EXAMPLES / "chat.stf": 2, EXAMPLES / "answer.blocks": 0, log: 1, raw: 1}
    colour = "(progn (font-lock-ensure) (get-text-property (point-min) 'face))"
    *told, face = editor.values(*((file, f"(probe-shown {count})") for file, count in counts.items()), (raw, colour))
    shown = [json.loads(each) for each in told]
    assert [(each["managed"], each["mode"]) for each in shown] == [
        (True, f"llmblocks-{name}-mode") for name in ("gadget", "stf", "custom-blocks", "gadget", "completion")
    ]
    assert [[(line, words[:8]) for line, words, _ in each["diagnostics"]] for each in shown] == [
        [(15, "3"), (107, "filePath"), (117, "last")],
        [(43, "@*/"), (63, "@/* Wher")],
        [],
        [(4, "5")],
        [(1, '"')],
    ]
    assert "[G101]: Duplicate pointer: filePath\nnote: llmist rejects" in shown[0]["diagnostics"][1][2]
    assert face == "font-lock-keyword-face"


# As a user's key does: what Emacs does before each command is what keeps the sign right.
COMMENT = """(progn (goto-char (point-min)) (forward-line %d) (run-hooks 'pre-command-hook)
                    (call-interactively 'comment-line) (buffer-substring-no-properties (point-min) (point-max)))"""


def test_a_comment_is_toggled_in_the_dialect_of_its_buffer(editor: Emacs) -> None:
    semicolon = written(editor.home / "semicolon.stf", ";user\none\n  two\n")
    at = written(editor.home / "at.stf", "@user\none\n")
    first, second, other, back, indented = editor.values(
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


def test_every_chat_has_the_dialect_that_the_server_sees(editor: Emacs) -> None:
    quoted = " ".join(json.dumps(chat).replace("\\t", "\t") for chat in CHATS)
    look = "(erase-buffer) (insert chat) (run-hooks 'pre-command-hook) (substring comment-start 0 1)"
    (found,) = editor.of(editor.home / "chat.stf", f'(mapconcat (lambda (chat) {look}) \'({quoted}) "")')
    assert tuple(found) == DIALECTS


def test_saving_keeps_the_end_of_the_file(editor: Emacs) -> None:
    """Also for a user who has Emacs end every other file with a newline."""
    files = {
        written(editor.home / f"end-{number}.{suffix}", f"text{end}"): end
        for number, end in enumerate(("", "\n", " \n\n"))
        for suffix in ("gadget", "stf", "blocks", "txt")
    }
    change = '(progn (goto-char (point-min)) (insert "more ") (save-buffer))'
    wants = ["--eval", "(setq require-final-newline t mode-require-final-newline t)"]
    editor.values(*((file, change) for file in files), more=wants)
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


def test_each_program_of_the_page_runs(editor: Emacs) -> None:
    programs = programs_of(PAGE, "elisp")
    assert len(programs) > 5
    assert editor.batch("-l", written(editor.home / "program.el", "".join(programs) + HOLDS)) == ""


def test_the_recipe_for_melpa_is_one_form_that_names_our_files(editor: Emacs) -> None:
    recipe = places.files(places.Release("1.2.3", "0" * 64, "f" * 40))["melpa/recipes/llmblocks"]
    look = f"(progn (require 'json) (let ((r '{recipe})) (princ (json-encode (list (car r) (cdr r))))))"
    name, files = json.loads(editor.batch("--eval", look))
    assert (name, files["fetcher"], files["repo"]) == ("llmblocks", "github", "llmblocks/llmblocks")
    assert [*ROOT.glob(files["files"][0])]


[HOOK] = re.findall(r"\(add-hook 'markdown-mode-hook .*\)", "".join(programs_of(PAGE, "elisp")))


def test_eglot_serves_a_document_once_it_holds_a_fence(editor: Emacs, packaged: list[str]) -> None:
    plain, notes = written(editor.home / "plain.md", PLAIN), written(editor.home / "notes.md", NOTES)
    add = '(progn (run-hooks \'post-command-hook) (goto-char (point-max)) (insert "```gadget\\n```\\n") %s)'
    unserved, served, found, hover, renamed = editor.values(
        (plain, add % "(list major-mode (eglot-current-server))"),
        (plain, add % "(save-buffer) (probe-connect) (and (eglot-managed-p) t)"),
        (notes, "(probe-shown 1)"),
        (notes, '(progn (probe-go "Read") (probe-hover))'),
        (notes, '(progn (probe-go "r1") (eglot-rename "first") (buffer-string))'),
        more=[*packaged, "--eval", HOOK],
    )
    assert (unserved, served) == ("(markdown-mode nil)", "t")
    [[line, text, message]] = json.loads(found)["diagnostics"]
    assert (line, text, "G102" in message) == (7, "2", True)
    assert "Read" in hover
    assert renamed == NOTES.replace("r1", "first", 1)


def test_eglot_serves_a_marked_string_of_code(editor: Emacs, packaged: list[str]) -> None:
    for mode, language in (("python", "python"), ("js", "typescript")):
        name, text = CODE[language]
        file = written(editor.home / name.replace(".ts", ".js"), text.replace("export ", ""))
        more = [*packaged, "--eval", HOOK.replace("markdown-mode", f"{mode}-mode")]
        [found] = editor.of(file, "(probe-shown 1)", more=more)
        assert re.search(r'"2",".*G102', found), found


def test_eglot_serves_the_settings_file_of_a_project(editor: Emacs) -> None:
    text = "[stf]\ndialct = ';'\n"
    settings, other = written(editor.home / "llmblocks.toml", text), written(editor.home / "other.toml", text)
    # without somebody at the keys, no timer tells the server of a change
    change = '(progn (probe-go "dialct") (delete-char 6) (insert "dialect") (eglot--signal-textDocument/didChange))'
    complete = """(progn (goto-char (point-max)) (insert "defau") (setq this-command 'completion-at-point)
                         (completion-at-point) (buffer-substring-no-properties (pos-bol) (pos-eol)))"""
    hover = '(progn (probe-go "dialect") (probe-hover))'
    found, _, corrected, told, completed, unserved = editor.values(
        *((settings, each) for each in ("(probe-shown 1)", change, "(probe-shown 0)", hover, complete)),
        # to Eglot, a server is that of a mode
        (other, "(progn (run-hooks 'post-command-hook) (list major-mode (eglot-current-server)))"),
    )
    assert [words for _, words, _ in json.loads(found)["diagnostics"]] == ["dialct"]
    assert (json.loads(corrected)["diagnostics"], unserved) == ([], "(conf-toml-mode nil)")
    assert "The dialect of STF files" in told
    assert completed.startswith("defaultRole = ")


def test_lsp_mode_runs_both_servers(editor: Emacs, packaged: list[str]) -> None:
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
    file = written(editor.home / "notes.md", NOTES)
    [found] = editor.of(file, look, more=[*packaged, "--eval", wants])
    ours, beside = sorted(found.splitlines(), reverse=True)
    assert beside == "beside from beside"
    assert ours.startswith("llmblocks Array index gap")


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
