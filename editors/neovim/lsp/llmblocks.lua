-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer. `:help llmblocks`
---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = require("llmblocks.languages").filetypes,
  root_markers = { "llmblocks.toml", ".git" },
}
