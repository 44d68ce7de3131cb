-- The end of the text is the end of the last value: do not trim, join or wrap it.
vim.opt_local.textwidth = 0
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "") .. "setlocal textwidth< fixendofline<"
