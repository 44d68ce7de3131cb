; white space is part of contents: nothing is ever indented
[
  (text)
  (content)
] @indent.auto
