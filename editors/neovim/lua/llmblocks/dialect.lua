-- The dialect of a chat, and its comments: the comment sign of one dialect is message text in the other.
local M = {}

-- The number of lines searched for the dialect.
local LINES = 1000
local COMMANDS = {}
for header, dialect in pairs(require("llmblocks.languages").dialects) do
  COMMANDS[header] = {}
  for _, names in pairs(dialect) do
    for _, name in ipairs(names) do
      COMMANDS[header][name] = true
    end
  end
end

-- The dialect of the first valid command or comment, as in the server.
function M.of(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, LINES, false)) do
    local header, rest = line:match("^([@;])[ \t]*(.*)")
    if header then
      local name = rest:match("^%a%w*")
      if rest:find("^#") or rest:find("^//") or rest:find("^/%*") or rest:find("^%*/") or COMMANDS[header][name] then
        return header
      end
    end
  end
  return "@"
end

-- Update the options of a chat's buffer when its text changes.
function M.follow(buffer)
  local header
  local function check()
    if vim.bo[buffer].filetype ~= "stf" then
      return true
    end
    local now = M.of(buffer)
    if now ~= header then
      header = now
      vim.bo[buffer].commentstring = now .. "# %s"
      vim.bo[buffer].comments = (":%s#,:%s//"):format(now, now)
      -- colours, too, are those of one dialect
      if vim.bo[buffer].syntax == "stf" then
        vim.bo[buffer].syntax = "stf"
      end
    end
  end
  check()
  vim.api.nvim_buf_attach(buffer, false, { on_lines = check, on_reload = check })
end

-- Comment lines, or uncomment them if all are comments. Neovim's own command inserts the sign after the indentation, where
-- it would be message text.
function M.toggle(first, last)
  local lines = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  local sign = M.of(0) .. "#"
  local function signed(line) return vim.startswith(line, sign) or not line:find("%S") end
  local every = vim.iter(lines):all(signed)
  for at, line in ipairs(lines) do
    if every then
      lines[at] = vim.startswith(line, sign) and line:sub(3):gsub("^ ", "") or line
    elseif line:find("%S") then
      lines[at] = sign .. " " .. line
    end
  end
  vim.api.nvim_buf_set_lines(0, first - 1, last, false, lines)
end

-- For `operatorfunc`.
function M.operator() M.toggle(vim.fn.line("'["), vim.fn.line("']")) end

function M.operate(suffix)
  return function()
    vim.o.operatorfunc = "v:lua.require'llmblocks.dialect'.operator"
    return "g@" .. suffix
  end
end

return M
