vim.opt_local.textwidth = 0
vim.opt_local.matchpairs:append("<:>")
-- a text ends where it ends: its last newline would be one that the model never wrote
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "")
  .. "setlocal textwidth< matchpairs< fixendofline<"
