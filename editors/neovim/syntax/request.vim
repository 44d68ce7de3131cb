" The requests of an agent. Calls have their colours in each message: what runs is a matter of the server.
if exists('b:current_syntax')
  finish
endif
call llmblocks#calls(['^\ze=== \%(SYSTEM\|USER\|ASSISTANT\) ===$'])
call llmblocks#tags()
syntax match requestHeader +^=== \%(SYSTEM\|USER\|ASSISTANT\) ===$+
syntax match requestResult +^Result (\ze[^():]\+): + nextgroup=requestId
syntax match requestId contained +[^():]\++ nextgroup=requestResultEnd
syntax match requestResultEnd contained +): +
syntax match requestMedia +^\[Media: .*+
highlight default link requestHeader Title
highlight default link requestResult Keyword
highlight default link requestId Identifier
highlight default link requestResultEnd Keyword
highlight default link requestMedia Comment
let b:current_syntax = 'request'
