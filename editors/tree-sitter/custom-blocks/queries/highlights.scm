(tag_name) @tag

(attribute_name) @attribute

(attribute_value) @string

(quote) @string

"=" @operator

[
  "<"
  ">"
  "/>"
  "</"
] @punctuation.bracket
