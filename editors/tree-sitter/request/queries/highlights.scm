(sign) @punctuation.delimiter

(role) @type

[
  "Result ("
  "): "
] @keyword

(invocation_id) @constant

(media) @comment

; instructions: only calls in a response have run
(marker) @keyword

(example_header) @function

(example_pointer) @property
