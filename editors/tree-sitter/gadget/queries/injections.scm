; blocks go on behind a call, so all texts are one
((text) @injection.content
  (#set! injection.language "custom_blocks")
  (#set! injection.combined))

; the language of a value by the name of the file that it goes to
((call
  (argument
    pointer: (pointer
      (key) @_name .)
    value: (string) @injection.filename)
  (argument
    pointer: (pointer
      (key) @_content .)
    value: (string) @injection.content))
  (#any-of? @_name
    "filePath" "file_path" "filepath" "path" "file" "fileName" "file_name" "filename")
  (#any-of? @_content
    "content" "contents" "code" "source" "newContent" "new_content" "oldContent" "old_content"
    "newString" "new_string" "oldString" "old_string" "replacement"))

; or by the language that it is said to be in
((call
  (argument
    pointer: (pointer
      (key) @_name .)
    value: (string) @injection.language)
  (argument
    pointer: (pointer
      (key) @_content .)
    value: (string) @injection.content))
  (#any-of? @_name "language" "lang")
  (#any-of? @_content "content" "contents" "code" "source"))
