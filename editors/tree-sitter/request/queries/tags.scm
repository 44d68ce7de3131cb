(message
  (header
    (role) @name)) @definition.class

(result
  (invocation_id) @name) @reference.call
