-- The last value of a call ends where its text ends: nothing may be trimmed, joined or wrapped on the way.
vim.opt_local.textwidth = 0
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "") .. "setlocal textwidth< fixendofline<"
