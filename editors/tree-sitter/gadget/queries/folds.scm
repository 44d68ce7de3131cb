[
  (call)
  (argument)
] @fold
