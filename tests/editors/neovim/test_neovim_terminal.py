"""The screen of a Neovim in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.neovim.asking import command_of, environment_of
from editors.terminal import Terminal

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
