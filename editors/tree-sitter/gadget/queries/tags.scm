(call
  (header
    name: (name) @name)) @reference.call

(call
  (header
    id: (invocation_id) @name)) @definition.constant
