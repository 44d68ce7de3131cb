vim.filetype.add({
  extension = {
    gadget = "gadget",
    stf = "stf",
    blocks = "custom-blocks",
  },
  pattern = {
    -- the session logs of llmist hold what a model said and was told
    [".*/%.llmist/logs/.*%.response"] = "gadget",
    [".*/%.llmist/logs/.*%.request"] = "gadget",
  },
})
