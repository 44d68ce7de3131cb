-- The server: its program, its clients, and what to say when it is missing.
local M = {}

function M.is_enabled()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled("llmblocks")
  end
  -- Neovim 0.11
  return (vim.lsp._enabled_configs or {}).llmblocks ~= nil
end

-- The words that start the server; nil if a function starts it.
function M.command()
  local command = (vim.lsp.config.llmblocks or {}).cmd
  return type(command) == "table" and command or nil
end

-- The same program with other words after it.
function M.program(...)
  local words = {}
  for _, word in ipairs(M.command() or {}) do
    if word == "server" then
      break
    end
    table.insert(words, word)
  end
  return vim.list_extend(words, { ... })
end

-- What is wrong with the program, if anything.
function M.missing()
  local command = M.command()
  if command and vim.fn.executable(command[1]) == 0 then
    return ("llmblocks: the program %s is not %s; without it, these files have colours, folds and comments only. %s"):format(
      command[1],
      command[1]:find("/") and "there" or "on the PATH",
      "Install it or set its path: see :help llmblocks-server"
    )
  end
end

-- Say once that the program is missing. Neovim writes this to a log only.
function M.warn_if_missing()
  local missing = M.is_enabled() and M.missing()
  if missing then
    vim.notify_once(missing, vim.log.levels.WARN)
  end
end

-- The client of a buffer; without one, a message says where to look.
function M.client(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = "llmblocks" })[1]
  if not client then
    vim.notify(M.missing() or "llmblocks: no server serves this buffer: see :checkhealth llmblocks", vim.log.levels.WARN)
  end
  return client
end

-- Start the server again for all its buffers.
function M.restart()
  local clients = vim.lsp.get_clients({ name = "llmblocks" })
  if #clients == 0 then
    M.client(vim.api.nvim_get_current_buf())
    return
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_keys(client.attached_buffers)
    client:stop()
    if not vim.wait(3000, function() return client:is_stopped() end, 10) then
      client:stop(true)
    end
    for _, buffer in ipairs(buffers) do
      vim.lsp.start(client.config, { bufnr = buffer })
    end
  end
end

return M
