-- The settings of the chat as the user has set them.

local defaults = require("copilot-bridge.chat.config")

local M = {}

---@return copilot-bridge.ChatConfig
function M.get()
  local ok, config = pcall(require, "copilot-bridge.config")
  local chat = ok and config.get().chat
  return chat or defaults
end

return M
