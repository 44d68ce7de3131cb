[
  (message)
  (raw_message)
  (block)
  (block_comment)
] @fold
