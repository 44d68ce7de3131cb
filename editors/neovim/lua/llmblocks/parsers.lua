-- The tree-sitter parsers of the languages: built by `:LlmblocksTreeSitter`, used wherever they are.
local M = {}

-- the filetypes, and the names of their parsers
M.names = { gadget = "gadget", request = "request", stf = "stf", ["custom-blocks"] = "custom_blocks" }

function M.is_installed(name)
  local worked, added = pcall(vim.treesitter.language.add, name)
  return worked and added == true
end

-- Colour a buffer with tree-sitter if there is a parser, else with its syntax file.
function M.start(buffer)
  local name = M.names[vim.bo[buffer].filetype]
  if not name or vim.g.llmblocks_treesitter == false or not M.is_installed(name) then
    return false
  end
  vim.treesitter.start(buffer, name)
  return true
end

local function grammars()
  local here = vim.uv.fs_realpath(debug.getinfo(1, "S").source:sub(2))
  return vim.fs.joinpath(vim.fs.dirname(here), "..", "..", "..", "tree-sitter")
end

local function compile(folder, name, target)
  local source = vim.fs.joinpath(grammars(), folder, "src")
  if not vim.uv.fs_stat(source) then
    return "no grammars beside the plugin: install it from a whole checkout of llmblocks"
  end
  local compiler = vim.env.CC or "cc"
  if vim.fn.executable(compiler) == 0 then
    return ("no C compiler: %s is not on the PATH"):format(compiler)
  end
  local made = vim.fs.joinpath(target, name .. ".new")
  local done = vim
    .system({
      compiler,
      "-std=c11",
      "-O2",
      "-shared",
      "-fPIC",
      "-I",
      source,
      "-o",
      made,
      vim.fs.joinpath(source, "parser.c"),
      vim.fs.joinpath(source, "scanner.c"),
    }, { text = true })
    :wait()
  if done.code ~= 0 then
    return done.stderr
  end
  -- a parser that is in use must not be written over
  local _, failed = vim.uv.fs_rename(made, vim.fs.joinpath(target, name .. ".so"))
  return failed
end

-- Build the parsers, and colour the open buffers with them.
function M.build()
  local target = vim.fs.joinpath(vim.fn.stdpath("data"), "site", "parser")
  vim.fn.mkdir(target, "p")
  local old = M.is_installed("gadget")
  for folder, name in pairs(M.names) do
    local problem = compile(folder, name, target)
    if problem then
      vim.notify(("llmblocks: the parser %s was not built: %s"):format(name, problem), vim.log.levels.ERROR)
      return
    end
    -- Neovim does not look into a folder that was not there when it started
    vim.treesitter.language.add(name, { path = vim.fs.joinpath(target, name .. ".so") })
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      M.start(buffer)
    end
  end
  vim.notify(
    ("llmblocks: the parsers are in %s%s"):format(target, old and ", for the next start of Neovim" or "")
  )
end

return M
