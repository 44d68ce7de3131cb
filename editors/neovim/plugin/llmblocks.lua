if vim.g.loaded_llmblocks then
  return
end
vim.g.loaded_llmblocks = true

local group = vim.api.nvim_create_augroup("llmblocks", {})
vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = require("llmblocks.languages").filetypes,
  desc = "Say once that the server is missing",
  callback = function()
    -- what a configuration says after this file was opened counts, too
    vim.schedule(function() require("llmblocks.server").warn_if_missing() end)
  end,
})

vim.api.nvim_create_autocmd({ "LspAttach", "LspDetach" }, {
  group = group,
  desc = "Fold as the server says while it runs",
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == "llmblocks" then
      require("llmblocks.folds").follow(event.buf, event.event == "LspAttach")
      require("llmblocks.embedded").keep_formatting(event.buf)
    end
  end,
})
-- the name that fences have
vim.treesitter.language.register("custom_blocks", "custom-blocks")

local function colour() require("llmblocks.colours").set_up() end

colour()
vim.api.nvim_create_autocmd(
  { "ColorScheme", "VimEnter" },
  { group = group, desc = "Link the colours of the server", callback = colour }
)
-- the default colours change with it
vim.api.nvim_create_autocmd("OptionSet", { group = group, pattern = "background", callback = colour })

vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = "llmblocks://*",
  desc = "Read a document whose text the server has",
  callback = function(event) require("llmblocks.contents").read(event.buf, event.match) end,
})

local function command(name, desc, run) vim.api.nvim_create_user_command(name, run, { desc = desc }) end

command(
  "LlmblocksParameters",
  "Show the parameters of the call at the cursor as JSON",
  function() require("llmblocks.commands").parameters() end
)
command(
  "LlmblocksTranscript",
  "Show what a program reads in this file, as JSON",
  function() require("llmblocks.commands").transcript() end
)
command(
  "LlmblocksGraph",
  "Show which calls wait for which, as Mermaid",
  function() require("llmblocks.commands").graph() end
)
command(
  "LlmblocksSession",
  "Show what became of the calls in the folder of this log",
  function() require("llmblocks.commands").session() end
)
command(
  "LlmblocksSettings",
  "Show the settings in force for this file",
  function() require("llmblocks.commands").settings() end
)
command(
  "LlmblocksDeclared",
  "Show the tags and gadgets that code here declares, as settings",
  function() require("llmblocks.commands").declared() end
)
command("LlmblocksRestart", "Start the server again", function() require("llmblocks.server").restart() end)
command(
  "LlmblocksTreeSitter",
  "Build the tree-sitter parsers of the three languages",
  function() require("llmblocks.parsers").build() end
)
