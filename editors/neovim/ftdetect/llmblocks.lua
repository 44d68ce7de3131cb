vim.filetype.add({
  extension = {
    gadget = "gadget",
    stf = "stf",
    blocks = "custom-blocks",
  },
  pattern = {
    -- the logs of llmist: numbered in any folder, anything in its own
    [".*/%d+%.response"] = "gadget",
    [".*/%d+%.request"] = "gadget",
    [".*/%.llmist/logs/.*%.response"] = "gadget",
    [".*/%.llmist/logs/.*%.request"] = "gadget",
  },
})
