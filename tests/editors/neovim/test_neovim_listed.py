"""The entry of nvim-lspconfig, in a real Neovim without our plugin, with the filetypes of its page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import places
from editors.neovim.asking import environment_of
from llmblocks.languages.registry import LANGUAGES

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
