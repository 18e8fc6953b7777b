--- Messages to the person: one line each, never so long that Neovim wants Enter to be pressed.

local M = {}

-- Columns that Neovim needs on the message line for itself ('ruler', 'showcmd').
local SPARE = 12

---@param message string
---@param level integer
local function say(message, level)
  local log = require("copilot-bridge.log")
  log.add(level == vim.log.levels.ERROR and "error" or level == vim.log.levels.WARN and "warn" or "info", message)
  local line = "copilot-bridge: " .. message:gsub("%s*\n%s*", " · ")
  -- A notifier that has been replaced draws windows of its own, and they wrap.
  local own = debug.getinfo(vim.notify, "S").source:find("_editor", 1, true) == nil
  local width = vim.o.columns - SPARE
  if not own and vim.fn.strdisplaywidth(line) > width then
    local more = "… :CopilotBridge log"
    line = vim.fn.strcharpart(line, 0, math.max(10, width - #more)) .. more
  end
  local ok, err = pcall(vim.notify, line, level, { title = "copilot-bridge" })
  if not ok then -- what replaced vim.notify() has failed; the message is not lost for that
    log.add("error", "vim.notify: " .. tostring(err))
    vim.api.nvim_echo({ { line } }, true, {})
  end
end

---@param message string
function M.info(message)
  say(message, vim.log.levels.INFO)
end

---@param message string
function M.warn(message)
  say(message, vim.log.levels.WARN)
end

---@param message string
function M.error(message)
  say(message, vim.log.levels.ERROR)
end

--- Says that something failed, with the hint of the bridge; not twice of one error.
---@param err table? {message, data?}
---@param what string? what was tried
function M.failed(err, what)
  err = err or { message = "failed" }
  if err.told then
    return
  end
  local message = err.message or "failed"
  local hint = err.data and err.data.hint
  if hint and not message:find(hint, 1, true) then
    message = message .. "; " .. hint
  end
  M.error(what and (what .. ": " .. message) or message)
end

return M
