--- In which projects changes wait to be decided on, remembered from one Neovim to the next: their marks are shown as soon as a
--- file of such a project is opened. plugin/copilot-bridge.lua looks into the folder; nothing of it means that nothing waits.

local M = {}

---@return string
local function dir()
  return vim.fs.joinpath(vim.fn.stdpath("state") --[[@as string]], "copilot-bridge", "pending")
end

---@param root string
---@return string
local function file(root)
  return vim.fs.joinpath(dir(), vim.fn.sha256(root))
end

local known = {} ---@type table<string, boolean>

--- Remembers whether something is pending in a project.
---@param root string
---@param waits boolean
function M.set(root, waits)
  if known[root] == waits then
    return
  end
  known[root] = waits
  if not waits then
    return vim.uv.fs_unlink(file(root))
  end
  vim.fn.mkdir(dir(), "p")
  vim.fn.writefile({ root }, file(root))
end

--- Starts the bridges of the projects where something waits, each with its first file.
function M.watch()
  local roots = {}
  for name in vim.fs.dir(dir()) do
    local root = vim.fn.readfile(vim.fs.joinpath(dir(), name), "", 1)[1]
    if root and vim.uv.fs_stat(root) then
      roots[root] = true
    else
      vim.uv.fs_unlink(vim.fs.joinpath(dir(), name))
    end
  end
  local function consider(buf)
    local path = require("copilot-bridge.project").file_of(buf)
    for root in pairs(path and roots or {}) do
      if require("copilot-bridge.project").inside(path, root) then
        roots[root] = nil
        require("copilot-bridge.client").with(root, function() end)
      end
    end
  end
  vim.api.nvim_create_autocmd("BufReadPost", {
    group = vim.api.nvim_create_augroup("copilot-bridge.waiting", {}),
    callback = function(ev)
      consider(ev.buf)
    end,
  })
  vim.iter(vim.api.nvim_list_bufs()):each(consider)
end

return M
