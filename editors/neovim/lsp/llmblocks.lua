-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer.
--
-- Where `llmblocks` is not on the PATH:
--   vim.lsp.config("llmblocks", { cmd = { "/path/to/.venv/bin/llmblocks", "server" } })
---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = { "gadget", "stf", "custom-blocks" },
  root_markers = { "llmblocks.toml", ".git" },
}
