-- `:checkhealth llmblocks`
local server = require("llmblocks.server")
local M = {}

local function run(...)
  local worked, done = pcall(function(...) return vim.system({ ... }, { text = true }):wait(20000) end, ...)
  return worked and done or { code = -1, stdout = "", stderr = tostring(done) }
end

local function check_neovim()
  vim.health.start("llmblocks: Neovim")
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok(tostring(vim.version()))
  else
    vim.health.error("Neovim 0.11 or newer is needed", "colours, folds and comments work without it")
  end
  for name, expected in pairs({ ["a.gadget"] = "gadget", ["0001.request"] = "request", ["a.stf"] = "stf", ["a.blocks"] = "custom-blocks", ["a.completion"] = "completion" }) do
    local found = vim.filetype.match({ filename = name })
    if found ~= expected then
      vim.health.error(("%s has the filetype %s, not %s"):format(name, found, expected), "see :help vim.filetype.add()")
    end
  end
end

local function check_program()
  vim.health.start("llmblocks: server")
  if not server.is_enabled() then
    vim.health.error("the server is not enabled", 'put vim.lsp.enable("llmblocks") into your init.lua')
  end
  local command = server.command()
  if not command then
    vim.health.info("a function of your configuration starts the server")
    return false
  end
  if server.missing() then
    vim.health.error(server.missing(), {
      "install it: pipx install /path/to/llmblocks",
      'or set its path: vim.lsp.config("llmblocks", { cmd = { "/path/to/llmblocks", "server" } })',
    })
    return false
  end
  local done = run(unpack(server.program("--version")))
  local version = vim.trim(done.stdout or "")
  if done.code == 0 and vim.startswith(version, "llmblocks ") then
    vim.health.ok(("%s: %s"):format(version, vim.fn.exepath(command[1])))
    return true
  end
  vim.health.error(
    ("%s does not run: %s"):format(table.concat(command, " "), vim.trim(version .. " " .. (done.stderr or ""))),
    "see :help llmblocks-server"
  )
  return false
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = "llmblocks" })
  if #clients == 0 then
    vim.health.info("no server is running: open a file of one of its languages")
  end
  for _, client in ipairs(clients) do
    local version = vim.tbl_get(client, "server_info", "version") or "of no known version"
    local buffers = vim.tbl_count(client.attached_buffers)
    vim.health.ok(
      ("server %s is running for %d buffer(s), in %s"):format(version, buffers, client.root_dir or "no folder")
    )
  end
  vim.health.info("log of the server: " .. vim.lsp.log.get_filename())
end

local function check_settings(runs)
  vim.health.start("llmblocks: settings")
  local own = (vim.lsp.config.llmblocks or {}).settings
  if own and next(own) then
    vim.health.info("settings of this editor: " .. vim.inspect(own))
    for key in pairs(own) do
      if key ~= "llmblocks" then
        vim.health.warn(("the server does not read settings.%s"):format(key), "write settings = { llmblocks = { … } }")
      end
    end
  end
  if not runs then
    return
  end
  local done = run(unpack(server.program("config", vim.fn.getcwd())))
  local changed = vim
    .iter(vim.split(done.stdout or "", "\n"))
    :filter(function(line) return line ~= "" and not line:find("# default$") end)
    :totable()
  local said = vim.trim(done.stderr or "")
  if done.code ~= 0 or said ~= "" then
    vim.health.warn("settings that are not valid:\n" .. said, "see :help llmblocks-settings")
  end
  vim.health.info(
    #changed > 0 and "settings files of this folder say:\n" .. table.concat(changed, "\n")
      or "this folder has no settings file, or one that changes nothing"
  )
end

function M.check()
  check_neovim()
  local runs = check_program()
  check_clients()
  check_settings(runs)
end

return M
