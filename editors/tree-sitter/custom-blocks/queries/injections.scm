; A block holds free text: nothing is known of its language but what its attribute says.
((block
  (start_tag
    (attribute
      name: (attribute_name) @_name
      value: (attribute_value) @injection.language))
  (content) @injection.content)
  (#any-of? @_name "language" "lang"))
