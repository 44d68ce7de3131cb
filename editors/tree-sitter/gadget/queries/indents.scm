; markers begin their lines, and white space is part of values: nothing is ever indented
[
  (start_marker)
  (argument_marker)
  (end_marker)
] @indent.zero

[
  (text)
  (string)
] @indent.auto
