-- Commands of the server, with their results in a window beside.
local M = {}

-- Show a text beside the file, in the window of the last one if it is still there.
local function show(result)
  local name = result.uri or ("llmblocks://%s"):format(result.title)
  local buffer = vim.fn.bufnr("^" .. vim.fn.escape(name, "*?[]{},\\") .. "$")
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(true, true)
    vim.api.nvim_buf_set_name(buffer, name)
  end
  require("llmblocks.contents").put(buffer, result.text)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = result.languageId
  local window = vim.fn.bufwinid(buffer)
  if window < 0 then
    vim.cmd("vertical sbuffer " .. buffer)
  else
    vim.api.nvim_set_current_win(window)
  end
  vim.wo.linebreak = true
end

local function run(command, argument)
  local client = require("llmblocks.server").client(vim.api.nvim_get_current_buf())
  if not client then
    return
  end
  argument.textDocument = vim.lsp.util.make_text_document_params()
  client:request("workspace/executeCommand", { command = command, arguments = { argument } }, function(error, result)
    if error or not result then
      vim.notify("llmblocks: " .. (error and error.message or command .. " has no result"), vim.log.levels.ERROR)
      return
    end
    for _, note in ipairs(result.notes) do
      vim.notify("llmblocks: " .. note, vim.log.levels.WARN)
    end
    if result.kind == "document" then
      show(result)
    else
      vim.notify("llmblocks: " .. result.text, vim.log.levels.INFO)
    end
  end)
end

function M.parameters()
  local client = require("llmblocks.server").client(vim.api.nvim_get_current_buf())
  if client then
    local position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
    run("llmblocks.showParameters", { position = position })
  end
end

function M.transcript() run("llmblocks.showTranscript", {}) end

function M.graph() run("llmblocks.showGraph", { format = "text" }) end

function M.session() run("llmblocks.showSession", {}) end

function M.settings() run("llmblocks.showSettings", {}) end

function M.declared() run("llmblocks.showDeclared", {}) end

return M
