vim.opt_local.textwidth = 0
vim.opt_local.matchpairs:append("<:>")
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "") .. "setlocal textwidth< matchpairs<"
