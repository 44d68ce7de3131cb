" Gadget calls, with the default markers: the server colours those of your settings.
if exists('b:current_syntax')
  finish
endif
call llmblocks#calls([])
call llmblocks#tags()
let b:current_syntax = 'gadget'
