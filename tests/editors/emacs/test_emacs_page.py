"""The Emacs Lisp of docs/editors/emacs.md, all of it, and what MELPA reads, in a real Emacs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import places
from editors.emacs.asking import PAGE, ROOT, environment_of
from editors.emacs.emacs_install import Emacs

HOLDS = """(unless (and (memq 'outline-minor-mode llmblocks-mode-hook)
                        (memq 'llmblocks-embedded markdown-mode-hook) (fboundp 'llmblocks-embedded)
                        (eq llmblocks-client 'lsp-mode) (custom-variable-p 'llmblocks-client)
                        (equal llmblocks-server-command '("/path/to/.venv/bin/llmblocks" "server"))
                        (custom-variable-p 'llmblocks-server-command)
                        (equal eglot-workspace-configuration '(:llmblocks (:tags (:names ["think" "citation"])))))
             (error "a program of the page had no effect"))"""


def test_each_program_of_the_page_runs(emacs: Emacs, tmp_path: Path) -> None:
    programs = re.findall(r"^```elisp\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(programs) > 5
    assert evaluated(emacs, tmp_path, "".join(programs).replace("/path/to/llmblocks", str(ROOT)) + HOLDS) == ""


def test_the_recipe_for_melpa_is_one_form_that_names_our_files(emacs: Emacs, tmp_path: Path) -> None:
    recipe = places.files(places.Release("1.2.3", "0" * 64, "f" * 40))["melpa/recipes/llmblocks"]
    told = evaluated(
        emacs, tmp_path, f"(require 'json) (let ((r '{recipe})) (princ (json-encode (list (car r) (cdr r)))))"
    )
    name, files = json.loads(told)
    assert (name, files["fetcher"], files["repo"]) == ("llmblocks", "github", "llmblocks/llmblocks")
    assert [*ROOT.glob(files["files"][0])]


def evaluated(emacs: Emacs, folder: Path, program: str) -> str:
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
