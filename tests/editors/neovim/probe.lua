-- Runs inside a real Neovim, after the user's configuration and an opened file. Each question is asked as a user would,
-- the answers go to a file as JSON.
local out = assert(vim.env.LLMBLOCKS_PROBE_OUT)
local plan = vim.json.decode(assert(vim.env.LLMBLOCKS_PROBE_PLAN))
local patience = 90000
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

-- the names of all servers of the buffer, once there are as many
function ask.clients(count)
  local function names()
    local found = vim.tbl_map(function(each) return each.initialized and each.name or nil end, vim.lsp.get_clients({ bufnr = 0 }))
    table.sort(found)
    return found
  end
  vim.wait(patience, function() return #names() == count end, 10)
  return names()
end

function ask.option(name) return vim.bo[name] end

-- whether a server that runs serves the buffer, in the next tick at the latest: the plugin looks at the buffer first
function ask.served()
  vim.wait(0)
  return #vim.lsp.get_clients({ bufnr = 0 }) == 1
end

function ask.diagnostics(count) return count_becomes(count) end

function ask.hover(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  vim.lsp.buf.hover()
  vim.wait(patience, function() return floating_text() ~= nil end, 10)
  return floating_text()
end

-- first and last line of the fold that a line is in, when all folds are closed
function ask.fold(line)
  -- the plugin takes the folds of the server as soon as it is there
  vim.wait(patience, function()
    return vim.wo.foldexpr == "v:lua.vim.lsp.foldexpr()" and vim.fn.foldlevel(line) > 0
  end, 10)
  vim.cmd("normal! zM")
  return { vim.fn.foldclosed(line), vim.fn.foldclosedend(line) }
end

-- presses mapped keys, and returns the resulting text
function ask.press(keys)
  local keys = vim.api.nvim_replace_termcodes(keys, true, false, true)
  vim.api.nvim_feedkeys(keys, "mtx", false)
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

function ask.save() vim.cmd("silent write") end

local function text_of(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n") end

-- the buffer after something has changed it
local function changed_by(act)
  local tick = vim.api.nvim_buf_get_changedtick(0)
  act()
  vim.wait(patience, function() return vim.api.nvim_buf_get_changedtick(0) ~= tick end, 10)
  return text_of()
end

function ask.rename(line, column, name)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  return changed_by(function() vim.lsp.buf.rename(name) end)
end

-- applies the code action with this title
function ask.fix(line, column, title)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  local function wanted(action) return vim.startswith(action.title, title) end
  return changed_by(function() vim.lsp.buf.code_action({ filter = wanted, apply = true }) end)
end

-- the colours of the letters of a line, from the syntax files: runs of text with the group that they link to
function ask.colours(row)
  local runs, line = {}, vim.fn.getline(row)
  for column = 1, #line do
    local name, letter = vim.fn.synIDattr(vim.fn.synID(row, column, 1), "name"), line:sub(column, column)
    local group = name ~= "" and vim.api.nvim_get_hl(0, { name = name }).link or ""
    local last = runs[#runs]
    if last and last[2] == group then
      last[1] = last[1] .. letter
    else
      table.insert(runs, { letter, group })
    end
  end
  return runs
end

-- the colours of the letters of a line, from tree-sitter: runs of text with the innermost capture and its grammar
function ask.captures(row)
  if not vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] then
    return "not active"
  end
  vim.treesitter.get_parser():parse(true)
  local runs, line = {}, vim.fn.getline(row)
  for column = 1, #line do
    local found = vim.treesitter.get_captures_at_pos(0, row - 1, column - 1)
    local capture, letter = found[#found], line:sub(column, column)
    local name = capture and capture.lang .. " " .. capture.capture or ""
    local last = runs[#runs]
    if last and last[2] == name then
      last[1] = last[1] .. letter
    else
      table.insert(runs, { letter, name })
    end
  end
  return runs
end

-- the type of the semantic token at a place
function ask.semantic(line, column)
  local found
  vim.wait(patience, function()
    found = vim.lsp.semantic_tokens.get_at_pos(0, line - 1, column - 1)
    return found ~= nil and #found > 0
  end, 10)
  return found and found[1] and found[1].type
end

-- folds without waiting: first and last line of each that is closed by zM
function ask.folds()
  vim.cmd("normal! zxzM")
  local found, line = {}, 1
  while line <= vim.fn.line("$") do
    local last = vim.fn.foldclosedend(line)
    if last > 0 then
      table.insert(found, { line, last })
    end
    line = math.max(line, last) + 1
  end
  vim.cmd("normal! zR")
  return found
end

-- what a user sees who types in another Neovim with the same configuration and asks for completions
function ask.complete(keys)
  local init = vim.fs.joinpath(vim.env.HOME, "init.lua")
  local command = { vim.v.progpath, "--embed", "--headless", "-n", "-i", "NONE", "-u", init, vim.api.nvim_buf_get_name(0) }
  local channel = vim.fn.jobstart(command, { rpc = true })
  local function lua(code) return vim.rpcrequest(channel, "nvim_exec_lua", code, {}) end
  local function wait(code)
    vim.wait(patience, function() return lua("return " .. code) end, 20)
  end
  wait("(vim.lsp.get_clients({ bufnr = 0 })[1] or {}).initialized == true")
  vim.rpcrequest(channel, "nvim_input", keys .. "<C-x><C-o>")
  -- without `menuone` in 'completeopt', no menu shows a single one
  wait("vim.fn.complete_info({ 'items' }).items[1] ~= nil")
  local words = lua("return vim.tbl_map(function(each) return each.abbr or each.word end, vim.fn.complete_info({ 'items' }).items)")
  -- the first one is selected
  vim.rpcrequest(channel, "nvim_input", "<C-y>")
  wait("vim.fn.pumvisible() == 0")
  local line = vim.rpcrequest(channel, "nvim_get_current_line")
  vim.rpcnotify(channel, "nvim_command", "qall!")
  vim.fn.jobwait({ channel }, patience)
  return { words, line }
end

-- text and filetype of the window that a command opens beside
function ask.beside(line, command)
  local windows = #vim.api.nvim_list_wins()
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd(command)
  vim.wait(patience, function() return #vim.api.nvim_list_wins() > windows end, 10)
  local found = { text_of(), vim.bo.filetype }
  vim.cmd.close()
  return found
end

-- the text of the window that a command opens beside, after a line of the file has become another
function ask.following(command, line, text)
  local file, windows = vim.api.nvim_get_current_buf(), #vim.api.nvim_list_wins()
  vim.cmd(command)
  vim.wait(patience, function() return #vim.api.nvim_list_wins() > windows end, 10)
  local shown = vim.api.nvim_get_current_buf()
  local before = text_of(shown)
  vim.api.nvim_buf_set_lines(file, line - 1, line, true, { text })
  vim.wait(patience, function() return text_of(shown) ~= before end, 10)
  local found = text_of(shown)
  vim.cmd.close()
  return found
end

-- the text of a document of the server that is opened by its URI, once there is one
function ask.content(uri)
  vim.cmd.edit({ args = { vim.fn.fnameescape(uri) } })
  vim.wait(patience, function() return text_of() ~= "" end, 10)
  local found = { text_of(), vim.bo.filetype, vim.bo.modifiable }
  vim.cmd("bwipeout")
  return found
end

-- the findings of all files, by the names of these, once there are as many
function ask.workspace(count, settings)
  if settings then
    local client = vim.lsp.get_clients({ bufnr = 0 })[1]
    client.settings = { llmblocks = settings }
    client:notify("workspace/didChangeConfiguration", { settings = vim.NIL })
  else
    vim.lsp.buf.workspace_diagnostics()
  end
  vim.wait(patience, function() return #vim.diagnostic.get() == count end, 10)
  local found = vim.empty_dict()
  for _, each in ipairs(vim.diagnostic.get()) do
    found[vim.fs.basename(vim.api.nvim_buf_get_name(each.bufnr))] = each.code
  end
  return found
end

-- how folds are found, and whether that is left to the plugin after the server has ended
function ask.foldexpr()
  local with = vim.wo.foldexpr
  vim.lsp.enable("llmblocks", false)
  vim.wait(patience, function() return vim.wo.foldexpr ~= with end, 10)
  return { with, vim.wo.foldexpr }
end

function ask.restart()
  local before = vim.lsp.get_clients({ bufnr = 0 })[1].id
  vim.cmd.LlmblocksRestart()
  vim.wait(patience, function()
    local client = vim.lsp.get_clients({ bufnr = 0 })[1]
    return client ~= nil and client.id ~= before and client.initialized
  end, 10)
  return #vim.lsp.get_clients({ bufnr = 0 })
end

function ask.health()
  vim.cmd.checkhealth("llmblocks")
  local said = text_of()
  vim.cmd.bwipeout()
  return said
end

-- what was said until now
function ask.messages(patient_ms)
  vim.wait(patient_ms or 0, function() return vim.fn.execute("messages") ~= "" end, 10)
  return vim.fn.execute("messages")
end

function ask.help(topic)
  vim.cmd.help(topic)
  local file = vim.fs.basename(vim.api.nvim_buf_get_name(0))
  vim.cmd.close()
  return file
end

function ask.comments() return { vim.bo.commentstring, vim.bo.comments } end

-- what each of some chats is taken for, when it is typed in
function ask.dialects(chats)
  return vim.iter(chats):map(function(chat)
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(chat, "\n"))
    return vim.bo.commentstring:sub(1, 1)
  end):totable()
end

function ask.children() return vim.api.nvim_get_proc_children(vim.fn.getpid()) end

for index, step in ipairs(plan) do
  local worked, answer = pcall(ask[step[1]], unpack(step, 2))
  if not worked then
    answer = { failed = tostring(answer) }
  end
  -- `false` is an answer
  answers[index] = answer == nil and vim.NIL or answer
end
vim.fn.writefile({ vim.json.encode(answers) }, out)
vim.cmd("qall!")
