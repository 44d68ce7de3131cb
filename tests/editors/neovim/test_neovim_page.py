"""The Lua of the pages, run by a real Neovim: what tests of features do not take from there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from editors.neovim.asking import ROOT, environment_of

PAGES = ("docs/editors/neovim.md", "docs/server.md", "README.md")


def test_each_program_of_the_pages_runs(neovim: Path, tmp_path: Path) -> None:
    """A table is what a plugin manager takes."""
    texts = [(ROOT / page).read_text("utf-8") for page in PAGES]
    programs = [found for text in texts for found in re.findall(r"^```lua\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]
    assert len(programs) > len(PAGES)
    lines = []
    for program in programs:
        table = re.fullmatch(r"(?:--[^\n]*\n)*(\{.*\})\n", program, re.DOTALL)
        lines.append(
            f"do\nlocal given = {table[1]}\nassert(vim.fn.isdirectory(given.dir) == 1)\nend" if table else program
        )
    # the result of a command is shown, as docs/server.md says
    lines += [
        "vim.lsp.handlers['workspace/executeCommand'](nil, { kind = 'document', text = 'a\\nb', languageId = 'json' })",
        "assert(vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), { 'a', 'b' }))",
        "assert(vim.bo.filetype == 'json')",
        "assert(vim.lsp.config.llmblocks.settings.llmblocks.tags.names[2] == 'citation')",
    ]
    script = tmp_path / "pages.lua"
    script.write_text("\n".join(lines).replace("/path/to/llmblocks", str(ROOT)), encoding="utf-8")
    command = [str(neovim), "-n", "-i", "NONE", "-u", "NONE", "--headless", "-l", str(script)]
    done = subprocess.run(
        command,
        env=environment_of(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
