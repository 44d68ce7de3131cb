-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer. `:help llmblocks`
local OPEN_LIST = "editor.action.triggerSuggest"

---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = vim.list_extend(require("llmblocks.embedded").filetypes(), require("llmblocks.languages").filetypes),
  root_dir = function(buffer, start)
    require("llmblocks.embedded").once_needed(buffer, function() start(vim.fs.root(buffer, { "llmblocks.toml", ".git" })) end)
  end,
  -- a completion opens the list of what comes behind it
  init_options = { commands = { OPEN_LIST } },
  commands = { [OPEN_LIST] = function() vim.schedule(vim.lsp.completion.get) end },
}
