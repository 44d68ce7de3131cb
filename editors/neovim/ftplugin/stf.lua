local buffer = require("llmblocks.buffer")
local dialect = require("llmblocks.dialect")
buffer.set_up()
-- sets commentstring and comments, which follow the dialect
dialect.follow(vim.api.nvim_get_current_buf())
vim.keymap.set({ "n", "x" }, "gc", dialect.operate(""), { buffer = true, expr = true, desc = "Toggle comment" })
vim.keymap.set("n", "gcc", dialect.operate("_"), { buffer = true, expr = true, desc = "Toggle comment line" })
buffer.undo(
  "setlocal commentstring< comments<"
    .. " | silent! nunmap <buffer> gc | silent! xunmap <buffer> gc | silent! nunmap <buffer> gcc"
)
