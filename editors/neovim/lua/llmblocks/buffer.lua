-- What the buffers of all three languages have in common.
local M = {}

local OPTIONS = { "textwidth", "autoindent", "fixendofline", "foldmethod", "foldexpr", "foldlevel", "linebreak" }

-- Keep every character of the file unchanged, and fold.
function M.set_up()
  vim.opt_local.textwidth = 0
  -- prose
  vim.opt_local.linebreak = true
  -- spaces that nobody typed would be content, and a marker does not begin its line after them
  vim.opt_local.autoindent = false
  -- an added newline would be text that the model never wrote
  vim.opt_local.fixendofline = false
  -- an .editorconfig for code trims spaces and converts line ends: both are content here
  vim.b.editorconfig = false
  local undo = "setlocal " .. table.concat(OPTIONS, "< ") .. "< | unlet! b:editorconfig"
  if vim.g.llmblocks_folds ~= false then
    require("llmblocks.folds").set_up()
  end
  M.undo(undo)
  if require("llmblocks.parsers").start(vim.api.nvim_get_current_buf()) then
    -- `lua` alone would read what is undone after it as Lua
    M.undo('execute "lua vim.treesitter.stop()"')
  end
end

-- Add commands that run when the buffer gets another filetype.
function M.undo(commands)
  local before = vim.b.undo_ftplugin
  vim.b.undo_ftplugin = before and before ~= "" and before .. " | " .. commands or commands
end

return M
