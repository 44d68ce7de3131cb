-- Read-only documents whose text the server has, and its requests to fetch something again.
local M = {}

-- Show a text in a buffer that nobody edits.
function M.put(buffer, text)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(text), "\n"))
  vim.bo[buffer].modifiable = false
end

local function fetch(client, buffer, uri)
  client:request("workspace/textDocumentContent", { uri = uri }, function(_, result)
    -- of a document that is closed, the last text stays
    if result and vim.api.nvim_buf_is_valid(buffer) then
      M.put(buffer, result.text)
    end
  end)
end

-- Read a buffer with such a name.
function M.read(buffer, uri)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].filetype = vim.filetype.match({ filename = uri:match("^[^?]*") }) or ""
  local client = vim.lsp.get_clients({ name = "llmblocks" })[1]
  if client then
    fetch(client, buffer, uri)
  end
end

-- Read it again: what it shows has changed.
function M.refresh(_, params, context)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == params.uri then
      fetch(assert(vim.lsp.get_client_by_id(context.client_id)), buffer, params.uri)
    end
  end
  return vim.NIL
end

-- Fetch findings again: of a server that has those of the workspace, Neovim fetches none of open documents.
function M.refresh_findings(error, result, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  if client:supports_method("workspace/diagnostic") then
    for buffer in pairs(client.attached_buffers) do
      client:request("textDocument/diagnostic", {
        identifier = client.server_capabilities.diagnosticProvider.identifier,
        textDocument = vim.lsp.util.make_text_document_params(buffer),
      }, nil, buffer)
    end
  end
  return vim.lsp.handlers["workspace/diagnostic/refresh"](error, result, context)
end

return M
