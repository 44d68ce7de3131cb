-- The llmblocks language server, for `vim.lsp.enable("llmblocks")`. Needs Neovim 0.11 or newer. `:help llmblocks`
local OPEN_LIST = "editor.action.triggerSuggest"
local END_WITH_LF = "llmblocks.endWithLf"

-- Line ends are an option of a buffer: an edit cannot change them, and the server is reported of them when it attaches.
local function end_with_lf(_, context)
  vim.bo[context.bufnr].fileformat = "unix"
  vim.lsp.buf_detach_client(context.bufnr, context.client_id)
  vim.lsp.buf_attach_client(context.bufnr, context.client_id)
end

---@type vim.lsp.Config
return {
  cmd = { "llmblocks", "server" },
  filetypes = vim.list_extend(require("llmblocks.embedded").filetypes(), require("llmblocks.languages").filetypes),
  root_markers = { "llmblocks.toml", ".git" },
  -- with a function, Neovim leaves the markers to it
  root_dir = function(buffer, start)
    local function begin() start(vim.fs.root(buffer, vim.lsp.config.llmblocks.root_markers)) end
    require("llmblocks.embedded").once_needed(buffer, begin)
  end,
  -- a completion opens the list of what comes after it
  init_options = { commands = { OPEN_LIST, END_WITH_LF } },
  capabilities = { workspace = { textDocumentContent = { dynamicRegistration = false } } },
  handlers = {
    ["workspace/textDocumentContent/refresh"] = function(...) return require("llmblocks.contents").refresh(...) end,
    ["workspace/diagnostic/refresh"] = function(...) return require("llmblocks.contents").refresh_findings(...) end,
  },
  commands = {
    [OPEN_LIST] = function() vim.schedule(vim.lsp.completion.get) end,
    [END_WITH_LF] = end_with_lf,
  },
}
