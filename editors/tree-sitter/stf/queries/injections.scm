; the text of a message, without comments and commands: what follows a comment still belongs to a call
((content) @injection.content
  (#set! injection.language "gadget"))

((json5) @injection.content
  (#set! injection.language "json5"))

((raw_message
  (body) @injection.content)
  (#set! injection.language "json5"))

((block
  (body) @injection.content)
  (#set! injection.language "json5"))

((line
  (line_command
    (command_name) @_command)
  (body) @injection.content)
  (#eq? @_command "call")
  (#set! injection.language "json5"))
