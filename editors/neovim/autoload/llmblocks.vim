" Syntax that the languages share.

" Gadget calls. `stops` are patterns at which a call ends from outside; they match nothing of it.
function! llmblocks#calls(stops) abort
  let ends = join(map(copy(a:stops), {_, stop -> 'end=+' . stop . '+'}))
  execute 'syntax region gadgetCall keepend matchgroup=gadgetMarker start=+!!!GADGET_START:\ze.*\n+ end=+!!!GADGET_END+'
    \ 'matchgroup=NONE end=+\ze!!!GADGET_START:+' ends 'contains=gadgetName,gadgetArgument,@gadgetHost'
  syntax match gadgetName contained +\%(!!!GADGET_START:\)\@16<=[^:]*+ nextgroup=gadgetNamed
  syntax match gadgetNamed contained +:+ nextgroup=gadgetId
  syntax match gadgetId contained +[^:]*+ nextgroup=gadgetIdentified
  syntax match gadgetIdentified contained +:+ nextgroup=gadgetDependencies
  syntax match gadgetDependencies contained +.*+ contains=gadgetSeparator
  syntax match gadgetSeparator contained +[,:]+
  execute 'syntax region gadgetArgument contained matchgroup=gadgetMarker start=+!!!ARG:+'
    \ 'matchgroup=NONE end=+\ze!!!\%(ARG:\|GADGET_START:\|GADGET_END\)+' ends
    \ 'contains=gadgetPointer,@gadgetHost'
  syntax match gadgetPointer contained +\%(!!!ARG:\)\@7<=.*+ contains=gadgetIndex,gadgetSlash skipnl
    \ nextgroup=gadgetNumber,gadgetBoolean
  syntax match gadgetSlash contained +/+
  syntax match gadgetIndex contained +\%(/\|ARG:\)\@4<=\d\+\ze\s*\%(/\|$\)+
  " a value that is nothing else; `1e5` is text to llmist
  syntax match gadgetNumber contained +^\s*-\=\d\+\%(\.\d\+\)\=\s*\ze\n\s*!!!\%(ARG:\|GADGET_\)+
  syntax match gadgetBoolean contained +^\s*\%(true\|false\)\s*\ze\n\s*!!!\%(ARG:\|GADGET_\)+
  syntax match gadgetStray +!!!\%(ARG:\|GADGET_END\)+
  " a longer value loses its colour where it is entered from below
  syntax sync maxlines=1000
  syntax sync match gadgetSync grouphere gadgetCall +^!!!GADGET_START:+
  syntax sync match gadgetSync grouphere NONE +^!!!GADGET_END+

  highlight default link gadgetMarker Keyword
  highlight default link gadgetName Function
  highlight default link gadgetNamed Delimiter
  highlight default link gadgetIdentified Delimiter
  highlight default link gadgetId Identifier
  highlight default link gadgetDependencies Identifier
  highlight default link gadgetSeparator Delimiter
  highlight default link gadgetPointer Type
  highlight default link gadgetSlash Delimiter
  highlight default link gadgetIndex Number
  highlight default link gadgetArgument String
  highlight default link gadgetNumber Number
  highlight default link gadgetBoolean Boolean
  highlight default link gadgetStray Error
  " text that llmist ignores
  highlight default link gadgetCall Comment
endfunction

" Custom blocks. No tag begins after a letter, as that of `List<String>` does.
function! llmblocks#tags() abort
  syntax match blocksTag +\%(</\|\w\@1<!<\)[A-Za-z_][A-Za-z0-9_-]*\%(\s[^<>]*\)\=/\=>+ contains=blocksName,blocksKey,blocksString
  syntax match blocksName contained +\%(</\=\)\@2<=[A-Za-z_][A-Za-z0-9_-]*+
  syntax match blocksKey contained +[A-Za-z_][A-Za-z0-9_-]*\ze\s*=+
  syntax region blocksString contained start=+"+ end=+"+ oneline
  syntax region blocksString contained start=+'+ end=+'+ oneline

  highlight default link blocksTag Delimiter
  highlight default link blocksName Tag
  highlight default link blocksKey Type
  highlight default link blocksString String
endfunction
