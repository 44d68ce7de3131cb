-- Folds: those of the server, and calls, messages and comment blocks where there is no server,
-- found by tree-sitter where its parsers are.
local M = {}

local OWN = "v:lua.require'llmblocks.folds'.expr()"
local SERVER = "v:lua.vim.lsp.foldexpr()"
-- Neovim asks about every line of a file before it shows it.
local LINES = 20000

-- For `foldexpr`, where no server runs.
function M.expr()
  local buffer, line = vim.api.nvim_get_current_buf(), vim.v.lnum
  if vim.treesitter.highlighter.active[buffer] then
    return vim.treesitter.foldexpr(line)
  end
  return M.of_line(vim.fn.getline(line), vim.bo[buffer].filetype)
end

-- Fold the current buffer, with nothing closed at first.
function M.set_up()
  if vim.fn.line("$") > LINES then
    return
  end
  vim.opt_local.foldmethod = "expr"
  local served = #vim.lsp.get_clients({ bufnr = 0, name = "llmblocks" }) > 0
  vim.opt_local.foldexpr = served and SERVER or OWN
  vim.opt_local.foldlevel = 99
end

-- Take the folds of the server, or give them up.
function M.follow(buffer, served)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    if vim.wo[window][0].foldexpr == (served and OWN or SERVER) then
      vim.wo[window][0].foldexpr = served and SERVER or OWN
    end
  end
end

local messages = { ["@"] = { raw = true }, [";"] = { raw = true } }
for header, dialect in pairs(require("llmblocks.languages").dialects) do
  for _, name in ipairs(dialect.messages) do
    messages[header][name] = true
  end
end

local function fold_of_command(text, header)
  local rest = text:match("^" .. header .. "[ \t]*(.*)")
  if not rest then
    return "="
  elseif vim.startswith(rest, "/*") then
    return "a1"
  elseif vim.startswith(rest, "*/") then
    return "s1"
  end
  return messages[header][rest:match("^%a%w*")] and ">1" or "="
end

-- The fold that a line begins or ends: messages around calls around comment blocks.
function M.of_line(text, filetype)
  local calls = (filetype == "stf" or filetype == "request") and 2 or 1
  if vim.startswith(text, "!!!GADGET_START:") then
    return ">" .. calls
  elseif text:find("!!!GADGET_END", 1, true) then
    return "<" .. calls
  elseif filetype == "request" then
    local role = text:match("^=== (%u+) ===%s*$")
    return (role == "SYSTEM" or role == "USER" or role == "ASSISTANT") and ">1" or "="
  elseif filetype == "stf" then
    -- the comment sign follows the dialect
    return fold_of_command(text, vim.bo.commentstring:sub(1, 1))
  elseif filetype == "custom-blocks" then
    if text:find("^%s*<[%a_][^<>/]*>%s*$") then
      return "a1"
    elseif text:find("^%s*</[%a_][%w_-]*>%s*$") then
      return "s1"
    end
  end
  return "="
end

return M
