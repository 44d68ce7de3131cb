; a start marker that no newline follows is text: it has no colours
(call
  (start_marker) @keyword)

[
  (argument_marker)
  (end_marker)
] @keyword

(call
  (header
    (name) @function))

(call
  (header
    [
      (invocation_id)
      (dependency)
    ] @constant))

(call
  (header
    [
      ":"
      ","
    ] @punctuation.delimiter))

(key) @property

(index) @number

(string) @string

(number) @number

(boolean) @boolean

"/" @punctuation.delimiter

; what the runtime does not read
[
  (ignored)
  (stray_marker)
] @comment
