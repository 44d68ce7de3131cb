vim.opt_local.commentstring = "@# %s"
vim.opt_local.comments = ":@#,:@//"
vim.opt_local.textwidth = 0
-- the final newline is content in one of the two dialects
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "")
  .. "setlocal commentstring< comments< textwidth< fixendofline<"
