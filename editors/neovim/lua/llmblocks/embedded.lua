-- Documents of other languages that may hold texts of ours: the server starts once one does.
local M = {}

local NAMES = table.concat(require("llmblocks.languages").embedded, [[\|]])
local FENCE = ([[\c\%%(```\|\~\~\~\)\s*\%%(llmblocks\|%s\)]]):format(NAMES)
-- the comment before a string, `# llmblocks: gadget` or `/* gadget */`
local MARK = ([[\%%(#\|//\|/\*\)\s*llmblocks:\s*\%%(%s\)\>\|/\*\s*\%%(%s\)\s*\*/]]):format(NAMES, NAMES)
-- what begins a text of ours, by the filetype of the document
local LOOKS = {
  markdown = FENCE,
  mdx = FENCE,
  python = MARK,
  typescript = MARK,
  typescriptreact = MARK,
  javascript = MARK,
  javascriptreact = MARK,
  -- a data set for fine-tuning
  jsonl = [["\%(role\|from\)"\s*:]],
}

-- The filetypes of such documents, and that of settings.
function M.filetypes()
  return vim.list_extend({ "toml" }, vim.g.llmblocks_embedded == false and {} or vim.tbl_keys(LOOKS))
end

local function holds(buffer)
  local look = LOOKS[vim.bo[buffer].filetype]
  return look == nil or vim.api.nvim_buf_call(buffer, function() return vim.fn.search(look, "cnw") > 0 end)
end

-- Start the server for a buffer: at once, or when it holds a text of ours.
function M.once_needed(buffer, start)
  if vim.bo[buffer].filetype == "toml" then
    if vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) == "llmblocks.toml" then
      start()
    end
    return
  end
  if holds(buffer) then
    start()
    return
  end
  vim.api.nvim_create_autocmd({ "InsertLeave", "BufWritePost" }, {
    buffer = buffer,
    desc = "Start llmblocks once there is a text for it",
    callback = function()
      if not holds(buffer) then
        return false
      end
      start()
      return true
    end,
  })
end

-- Leave `gq` in prose unchanged: the server formats nothing there.
function M.keep_formatting(buffer)
  if not LOOKS[vim.bo[buffer].filetype] then
    return
  end
  local others = vim.lsp.get_clients({ bufnr = buffer, method = "textDocument/rangeFormatting" })
  if #others < 2 and vim.bo[buffer].formatexpr == "v:lua.vim.lsp.formatexpr()" then
    vim.bo[buffer].formatexpr = ""
  end
end

return M
