; what is no command has no colours, and the sign of a comment has its comment's
(message_command
  (sign) @keyword
  (command_name) @keyword)

(raw_command
  (sign) @keyword
  (command_name) @keyword)

(block_command
  (sign) @keyword
  (command_name) @keyword)

(line_command
  (sign) @keyword
  (command_name) @keyword)

(flush_command
  (sign) @keyword
  (command_name) @keyword)

(end_command
  (sign) @keyword
  (command_name) @keyword)

(escape) @string.escape

(key) @property

[
  (quoted_string)
  (unquoted_string)
] @string

"=" @operator

; the path or the address of a resource
((line
  (line_command
    (command_name) @_command)
  (body) @string.special.path)
  (#eq? @_command "embed"))

[
  (comment)
  (block_comment)
] @comment
