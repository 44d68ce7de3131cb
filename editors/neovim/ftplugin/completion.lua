local buffer = require("llmblocks.buffer")
buffer.set_up()
-- no line of these files is a comment
vim.opt_local.commentstring = ""
vim.opt_local.comments = ""
buffer.undo("setlocal commentstring< comments<")
