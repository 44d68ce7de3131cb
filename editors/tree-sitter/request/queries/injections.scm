((response) @injection.content
  (#set! injection.language "gadget"))
