--- Messages to the user: one line each, never so long that Neovim wants Enter to be pressed.

local M = {}

-- Columns that Neovim needs on the message line for itself ('ruler', 'showcmd').
local SPARE = 12

---@param message string
---@param level integer
---@param remedy string? the end of the message that says what to do: it stays where the rest has to be cut
local function say(message, level, remedy)
  local function one_line(text)
    return (text:gsub("%s*\n%s*", " · "):gsub("%c", " "))
  end
  remedy = remedy and one_line(remedy) or ""
  local log = require("copilot-bridge.log")
  log.add(
    level == vim.log.levels.ERROR and "error" or level == vim.log.levels.WARN and "warn" or "info",
    message .. remedy
  )
  local start = "copilot-bridge: " .. one_line(message)
  local line = start .. remedy
  -- One that has replaced Neovim's draws windows of its own, and they wrap. Where Neovim's is from differs by version;
  -- vim.notify_once() is from there too.
  local own = debug.getinfo(vim.notify, "S").source ~= debug.getinfo(vim.notify_once, "S").source
  local width = vim.o.columns - SPARE
  if not own and vim.fn.strdisplaywidth(line) > width then
    local ending = vim.fn.strdisplaywidth(remedy) < width / 2 and remedy or ""
    ending = "…" .. (ending ~= "" and ending or " :CopilotBridge log")
    line = vim.fn.strcharpart(start, 0, math.max(10, width - vim.fn.strdisplaywidth(ending))) .. ending
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
---@param remedy string? the end of it that says what to do, which is not cut off
function M.warn(message, remedy)
  say(message, vim.log.levels.WARN, remedy)
end

---@param message string
---@param remedy string? likewise
function M.error(message, remedy)
  say(message, vim.log.levels.ERROR, remedy)
end

--- Shows a line that nobody needs to read again.
---@param line string
function M.glance(line)
  local plain = line:gsub("%c", " ")
  vim.api.nvim_echo({ { vim.fn.strcharpart(plain, 0, vim.o.columns - SPARE), "CopilotBridgeHint" } }, false, {})
end

--- What went wrong, and what to do about it where that is known.
---@param err {message: string?, data: table?} an error of the bridge, or of this plugin in the same form
---@return string reason
---@return string? hint
function M.reason(err)
  local data = type(err.data) == "table" and err.data or {}
  return data.reason or err.message or "it failed", data.hint
end

--- Says that something failed, with the hint of the bridge; not twice of one error.
---@param err table? {message, data?}
---@param what string? what was tried
function M.failed(err, what)
  err = err or {}
  if err.told then
    return
  end
  local reason, hint = M.reason(err)
  M.error(what and (what .. ": " .. reason) or reason, hint and "; " .. hint or nil)
end

return M
