-- Runs inside a real Neovim, behind the user's configuration and an opened file. Each question is asked as a user would,
-- the answers go to a file as JSON.
local out = assert(vim.env.LLMBLOCKS_PROBE_OUT)
local plan = vim.json.decode(assert(vim.env.LLMBLOCKS_PROBE_PLAN))
local patience = 20000
local answers = {}

local function diagnostics()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local text = vim.api.nvim_buf_get_text(0, each.lnum, each.col, each.end_lnum, each.end_col, {})
    table.insert(found, {
      code = each.code,
      line = each.lnum + 1,
      text = table.concat(text, "\n"),
      source = each.source,
      severity = vim.diagnostic.severity[each.severity],
      message = each.message,
    })
  end
  table.sort(found, function(a, b) return a.line < b.line end)
  return found
end

local function count_becomes(number)
  vim.wait(patience, function() return #vim.diagnostic.get(0) == number end, 10)
  return diagnostics()
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end

local ask = {}

function ask.filetype() return vim.bo.filetype end

function ask.client()
  vim.wait(patience, function()
    local client = vim.lsp.get_clients({ bufnr = 0 })[1]
    return client ~= nil and client.initialized
  end, 10)
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client and { name = client.name, root = client.root_dir, encoding = client.offset_encoding }
end

function ask.diagnostics(step) return count_becomes(step.count) end

function ask.hover(step)
  vim.api.nvim_win_set_cursor(0, { step.line, step.column - 1 })
  vim.lsp.buf.hover()
  vim.wait(patience, function() return floating_text() ~= nil end, 10)
  return floating_text()
end

-- first and last line of the fold that a line is in, when all folds are closed
function ask.fold(step)
  vim.wo.foldmethod = "expr"
  vim.wo.foldexpr = "v:lua.vim.lsp.foldexpr()"
  vim.wait(patience, function() return vim.fn.foldlevel(step.line) > 0 end, 10)
  vim.cmd("normal! zM")
  return { vim.fn.foldclosed(step.line), vim.fn.foldclosedend(step.line) }
end

-- types in insert mode, key by key
function ask.type(step)
  vim.cmd("normal! zR")
  vim.api.nvim_win_set_cursor(0, { step.line, 0 })
  local keys = vim.api.nvim_replace_termcodes(step.keys, true, false, true)
  vim.api.nvim_feedkeys(keys, "ntx", false)
  return vim.api.nvim_get_current_line()
end

-- presses keys as they are mapped, and gives the text that they leave
function ask.press(step)
  local keys = vim.api.nvim_replace_termcodes(step.keys, true, false, true)
  vim.api.nvim_feedkeys(keys, "mtx", false)
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

function ask.save() vim.cmd("silent write") end

function ask.comments() return { vim.bo.commentstring, vim.bo.comments } end

-- what each of some chats is taken for, when it is typed in
function ask.dialects(step)
  return vim.iter(step.chats):map(function(chat)
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(chat, "\n"))
    return vim.bo.commentstring:sub(1, 1)
  end):totable()
end

function ask.children() return vim.api.nvim_get_proc_children(vim.fn.getpid()) end

for index, step in ipairs(plan) do
  local worked, answer = pcall(ask[step.ask], step)
  answers[index] = worked and (answer == nil and vim.NIL or answer) or { failed = tostring(answer) }
end
vim.fn.writefile({ vim.json.encode(answers) }, out)
vim.cmd("qall!")
