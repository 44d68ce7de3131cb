vim.opt_local.textwidth = 0
vim.opt_local.matchpairs:append("<:>")
-- keep the end of the file: an added newline would be text that the model never wrote
vim.opt_local.fixendofline = false
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. " | " or "")
  .. "setlocal textwidth< matchpairs< fixendofline<"
