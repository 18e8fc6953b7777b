--- Highlight groups; all are links or plain colours that a colour scheme may set itself.

local M = {}

---@type table<string, vim.api.keyset.highlight>
local GROUPS = {
  CopilotBridgeAdd = { link = "DiffAdd" },
  CopilotBridgeDelete = { link = "DiffDelete" },
  CopilotBridgeAddWord = { link = "DiffText" },
  CopilotBridgeDeleteWord = { link = "DiffText" },
  CopilotBridgeComment = { link = "DiagnosticInfo" },
  CopilotBridgeSign = { link = "Added" },
  CopilotBridgeSignDelete = { link = "Removed" },
  CopilotBridgeHint = { link = "Comment" },
  CopilotBridgeKey = { link = "Special" },
  CopilotBridgeTitle = { link = "Title" },
  CopilotBridgeReason = { link = "WarningMsg" },
  CopilotBridgeLeftOut = { link = "NonText" },
}

local group ---@type integer?

local function apply()
  local all = vim.deepcopy(GROUPS)
  local ok, chat = pcall(require, "copilot-bridge.chat.highlight")
  if ok and type(chat) == "table" then
    all = vim.tbl_extend("force", all, chat)
  end
  for name, value in pairs(all) do
    vim.api.nvim_set_hl(0, name, vim.tbl_extend("keep", value, { default = true }))
  end
end

--- Defines the groups, once and again with each colour scheme.
function M.start()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.highlight", {})
  vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = apply })
  apply()
end

return M
