-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer. `:help llmblocks`
local OPEN_LIST = "editor.action.triggerSuggest"

---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = require("llmblocks.languages").filetypes,
  root_markers = { "llmblocks.toml", ".git" },
  -- a completion opens the list of what comes behind it
  init_options = { commands = { OPEN_LIST } },
  commands = { [OPEN_LIST] = function() vim.schedule(vim.lsp.completion.get) end },
}
