-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer. `:help llmblocks`
local OPEN_LIST = "editor.action.triggerSuggest"

---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = vim.list_extend(require("llmblocks.embedded").filetypes(), require("llmblocks.languages").filetypes),
  root_markers = { "llmblocks.toml", ".git" },
  -- with a function, Neovim leaves the markers to it
  root_dir = function(buffer, start)
    local function begin() start(vim.fs.root(buffer, vim.lsp.config.llmblocks.root_markers)) end
    require("llmblocks.embedded").once_needed(buffer, begin)
  end,
  -- a completion opens the list of what comes behind it
  init_options = { commands = { OPEN_LIST } },
  commands = { [OPEN_LIST] = function() vim.schedule(vim.lsp.completion.get) end },
}
