(block
  (start_tag
    (tag_name) @name)) @definition.class
