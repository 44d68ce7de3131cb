-- sets commentstring and comments, which follow the dialect
local dialect = require("llmblocks.dialect")
dialect.follow(vim.api.nvim_get_current_buf())
vim.keymap.set({ "n", "x" }, "gc", dialect.operate(""), { buffer = true, expr = true, desc = "Toggle comment" })
vim.keymap.set("n", "gcc", dialect.operate("_"), { buffer = true, expr = true, desc = "Toggle comment line" })
vim.opt_local.textwidth = 0
-- the final newline is content in one of the two dialects
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "")
  .. "setlocal commentstring< comments< textwidth< fixendofline<"
  .. " | silent! nunmap <buffer> gc | silent! xunmap <buffer> gc | silent! nunmap <buffer> gcc"
