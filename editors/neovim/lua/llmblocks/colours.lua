-- The colours of the server's semantic tokens, which lie over those of the syntax files and of tree-sitter.
local M = {}

-- By the type of a token: where Neovim's own link has another colour than these files have without the server.
local LINKS = {
  -- the name of a tag
  type = "Tag",
  -- the id of a call
  variable = "Identifier",
}

-- The colour of plain text, which covers what only looks like a tag or a marker. A link to Normal would draw its
-- background over the line of the cursor.
local function plain()
  local normal = vim.api.nvim_get_hl(0, { name = "Normal", link = false })
  return { fg = normal.fg, ctermfg = normal.ctermfg }
end

function M.set_up()
  for _, filetype in ipairs(require("llmblocks.languages").filetypes) do
    for type, group in pairs(LINKS) do
      vim.api.nvim_set_hl(0, ("@lsp.type.%s.%s"):format(type, filetype), { link = group, default = true })
    end
    vim.api.nvim_set_hl(0, "@lsp.type.text." .. filetype, plain())
  end
end

return M
