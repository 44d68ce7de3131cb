"""The Lua of pages, the entry of nvim-lspconfig, and the colours on a screen, in a real Neovim."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import places
from editors.neovim.asking import ROOT, command_of, environment_of
from editors.terminal import Terminal
from llmblocks.languages.registry import LANGUAGES

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
for _, client in ipairs(vim.lsp.get_clients()) do
  client:stop()
end
vim.wait(60000, function() return #vim.lsp.get_clients() == 0 end, 20)
io.stdout:write(vim.json.encode(seen))
"""


def test_the_listed_configuration_serves_every_language(neovim: Path, tmp_path: Path) -> None:
    text = places.lspconfig()
    config = tmp_path / "llmblocks.lua"
    config.write_text(text, encoding="utf-8")
    texts = {
        "a.gadget": "!!!ARG:a\n",
        "0001.request": "=== ASSISTANT ===\n!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n",
        "a.stf": "@/* open\n",
        "a.blocks": "<think>open\n",
        "a.completion": "<think>open\n",
    }
    for name, broken in texts.items():
        (tmp_path / name).write_text(broken, encoding="utf-8")
    page = "".join(line[3:].removeprefix(" ") for line in text.splitlines(keepends=True) if line.startswith("---"))
    given = {"config": str(config), "page": page, "files": [str(tmp_path / name) for name in texts]}
    setup = "".join(f"local {name} = vim.json.decode([==[{json.dumps(value)}]==])\n" for name, value in given.items())
    script = tmp_path / "script.lua"
    script.write_text(setup + SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [str(neovim), "--clean", "--headless", "-l", str(script)],
        cwd=tmp_path,
        env=environment_of(tmp_path),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert [kind for kind, _ in seen] == [each.id for each in LANGUAGES if each.layers]
    assert all(codes for _, codes in seen), seen


CHAT = "@user\nSee <think>now</think> or <thing>.\n!!!GADGET_START:Sum:total:total\n!!!GADGET_END\n"


# draws everything once the colours of the server are there; the typed line is not what it prints
DRAW = """vim.wait(60000, function() return #(vim.lsp.semantic_tokens.get_at_pos(0, 1, 28) or {}) > 0 end)
vim.cmd.mode() print("all", "drawn")""".replace("\n", " ")


def colour_of(terminal: Terminal, text: str) -> str:
    return [colour for drawn, colour in terminal.coloured if text in drawn][-1]


@pytest.mark.parametrize("scheme", ["default", "habamax"])
def test_the_server_takes_no_colours_away(neovim: Path, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "chat.stf"
    file.write_text(CHAT, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('[tags]\nnames = ["thing"]\n', encoding="utf-8")
    environment = environment_of(tmp_path) | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    more = f'vim.o.termguicolors = true\nvim.cmd.colorscheme("{scheme}")\n'
    command = [*command_of(neovim, tmp_path, more), str(file)]
    with Terminal([*command, "+lua vim.lsp.enable('llmblocks', false)"], environment, tmp_path) as terminal:
        terminal.shows("GADGET_END")
        plain, *without = (colour_of(terminal, text) for text in ("See", "think", "thing", "total"))
    with Terminal(command, environment, tmp_path) as terminal:
        terminal.shows("GADGET_END")
        terminal.press(f":lua {DRAW}\r")
        terminal.shows("all drawn")
        think, thing, total = (colour_of(terminal, text) for text in ("think", "thing", "total"))
    assert [thing, total] == without[1:]
    # the settings register another tag
    assert think == plain != without[0]
