--- The log: what the plugin does, and what the bridge writes to its stderr.

local M = {}

-- A log that has grown to this is set aside once as `.old` (bytes).
local MAX_SIZE = 2 * 1024 * 1024

local file ---@type file*?
local path ---@type string?

---@return string
function M.path()
  if not path then
    path = vim.fs.joinpath(vim.fn.stdpath("log") --[[@as string]], "copilot-bridge.log")
  end
  return path
end

---@return file*?
local function open()
  if file then
    return file
  end
  vim.fn.mkdir(vim.fs.dirname(M.path()), "p")
  local stat = vim.uv.fs_stat(M.path())
  if stat and stat.size > MAX_SIZE then
    os.rename(M.path(), M.path() .. ".old")
  end
  file = io.open(M.path(), "a")
  return file
end

---@param level "debug"|"info"|"warn"|"error"|"bridge"
---@param message string
function M.add(level, message)
  local f = open()
  if f then
    f:write(("%s %-6s %s\n"):format(os.date("%Y-%m-%d %H:%M:%S"), level, (message:gsub("\n", "\n  "))))
    f:flush()
  end
end

return M
