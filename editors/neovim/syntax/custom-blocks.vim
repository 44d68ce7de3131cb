" Custom blocks: every tag, as only the server knows which are registered.
if exists('b:current_syntax')
  finish
endif
call llmblocks#tags()
let b:current_syntax = 'custom-blocks'
