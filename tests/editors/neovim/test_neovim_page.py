"""The Lua of pages, the entry of nvim-lspconfig, and the colours on a screen, in a real Neovim."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

import places
from editors.homes import environment_of, programs_of
from editors.neovim.conftest import Neovim
from editors.screen import coloured
from editors.terminal import Terminal
from folders import written
from llmblocks.languages.registry import LANGUAGES

PAGES = ("docs/editors/neovim.md", "docs/server.md", "README.md")


def printed(nvim: Neovim, script: str, *options: str) -> str:
    """Return what a script prints in a Neovim without the configuration of the page, and complains of."""
    file = written(nvim.home / "script.lua", script)
    command = [str(nvim.program), "-n", "-i", "NONE", *options, "--headless", "-l", str(file)]
    environment = environment_of(nvim.home)
    done = subprocess.run(command, cwd=nvim.home, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_each_program_of_the_pages_runs(nvim: Neovim) -> None:
    """A table is what a plugin manager takes."""
    programs = [program for page in PAGES for program in programs_of(page, "lua")]
    assert len(programs) > len(PAGES)
    lines = []
    for program in programs:
        table = re.fullmatch(r"(?:--[^\n]*\n)*(\{.*\})\n", program, re.DOTALL)
        is_there = "assert(vim.fn.isdirectory(given.dir) == 1)"
        lines.append(f"do\nlocal given = {table[1]}\n{is_there}\nend" if table else program)
    # the result of a command is shown, as docs/server.md says
    lines += [
        "vim.lsp.handlers['workspace/executeCommand'](nil, { kind = 'document', text = 'a\\nb', languageId = 'json' })",
        "assert(vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), { 'a', 'b' }))",
        "assert(vim.bo.filetype == 'json')",
        "assert(vim.lsp.config.llmblocks.settings.llmblocks.tags.names[2] == 'citation')",
    ]
    assert printed(nvim, "\n".join(lines), "-u", "NONE") == ""


SCRIPT = """
for code in page:gmatch("```lua\\n(.-)```") do
  assert(loadstring(code))()
end
vim.lsp.config("llmblocks", dofile(config))
vim.lsp.enable("llmblocks")
local seen = {}
for _, file in ipairs(files) do
  vim.cmd.edit(file)
  -- without a plugin that says so, a script's buffer gets no type
  vim.bo.filetype = vim.filetype.match({ buf = 0 })
  vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  local codes = vim.tbl_map(function(found) return found.code end, vim.diagnostic.get(0))
  table.insert(seen, { vim.bo.filetype, codes })
end
io.stdout:write(vim.json.encode(seen))
"""


def test_the_listed_configuration_serves_every_language(nvim: Neovim) -> None:
    text = places.lspconfig()
    config = written(nvim.home / "llmblocks.lua", text)
    texts = {
        "a.gadget": "!!!ARG:a\n",
        "0001.request": "=== ASSISTANT ===\n!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n",
        "a.stf": "@/* open\n",
        "a.blocks": "<think>open\n",
        "a.completion": "<think>open\n",
    }
    page = "".join(line[3:].removeprefix(" ") for line in text.splitlines(keepends=True) if line.startswith("---"))
    files = [str(written(nvim.home / name, broken)) for name, broken in texts.items()]
    given = {"config": str(config), "page": page, "files": files}
    setup = "".join(f"local {name} = vim.json.decode([==[{json.dumps(value)}]==])\n" for name, value in given.items())
    seen = json.loads(printed(nvim, setup + SCRIPT, "--clean"))
    assert [kind for kind, _ in seen] == [each.id for each in LANGUAGES if each.layers]
    assert all(codes for _, codes in seen), seen


CHAT = "@user\nSee <think>now</think> or <thing>.\n!!!GADGET_START:Sum:total:total\n!!!GADGET_END\n"


# draws everything once the colours of the server are there; the typed line is not what it prints
DRAW = """vim.wait(60000, function() return #(vim.lsp.semantic_tokens.get_at_pos(0, 1, 28) or {}) > 0 end)
vim.cmd.mode() print("all", "drawn")""".replace("\n", " ")


def colour_of(terminal: Terminal, text: str) -> str:
    return [colour for drawn, colour in coloured(terminal) if text in drawn][-1]


@pytest.mark.parametrize("scheme", ["default", "habamax"])
def test_the_server_takes_no_colours_away(nvim: Neovim, scheme: str) -> None:
    file = written(nvim.home / "chat.stf", CHAT)
    written(nvim.home / "llmblocks.toml", '[tags]\nnames = ["thing"]\n')
    environment = environment_of(nvim.home, TERM="xterm-256color", COLORTERM="truecolor")
    command = [*nvim.command(f'vim.o.termguicolors = true\nvim.cmd.colorscheme("{scheme}")\n'), str(file)]
    with Terminal([*command, "+lua vim.lsp.enable('llmblocks', false)"], environment, nvim.home) as terminal:
        terminal.shows("GADGET_END")
        plain, *without = (colour_of(terminal, text) for text in ("See", "think", "thing", "total"))
    with Terminal(command, environment, nvim.home) as terminal:
        terminal.shows("GADGET_END")
        terminal.press(f":lua {DRAW}\r")
        terminal.shows("all drawn")
        think, thing, total = (colour_of(terminal, text) for text in ("think", "thing", "total"))
    assert [thing, total] == without[1:]
    # the settings register another tag
    assert think == plain != without[0]
