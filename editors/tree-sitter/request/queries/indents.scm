; white space is part of messages: nothing is ever indented
[
  (response)
  (prompt)
  (output)
] @indent.auto
