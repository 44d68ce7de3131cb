"""The Emacs Lisp of docs/editors/emacs.md, all of it, in a real Emacs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

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
    script = tmp_path / "pages.el"
    script.write_text("".join(programs).replace("/path/to/llmblocks", str(ROOT)) + HOLDS, encoding="utf-8")
    done = subprocess.run(
        [*emacs.command, "-Q", "--batch", "-l", str(script)],
        env=environment_of(emacs, tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
