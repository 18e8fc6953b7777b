--- Where the user is, told to the bridge of that file, for the agent's `selection` tool.

local client = require("copilot-bridge.client")
local text = require("copilot-bridge.text")

local M = {}

-- What moves faster than this is not told (milliseconds).
local DEBOUNCE = 150

local group, timer
local last ---@type table? what was told last

--- The selection in the current window: in Visual mode what is marked, else the cursor.
---@param buf integer
---@return table range
local function selected(buf)
  local mode = vim.fn.mode()
  local cursor = vim.api.nvim_win_get_cursor(0)
  if not (mode == "v" or mode == "V" or mode == "\22") then
    local at = text.position(buf, cursor[1] - 1, cursor[2])
    return { start = at, ["end"] = at }
  end
  local from, to = vim.fn.getpos("v"), vim.fn.getpos(".")
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then
    from, to = to, from
  end
  if mode == "V" then
    return text.line_range(buf, from[2] - 1, to[2] - 1)
  end
  return { start = text.position(buf, from[2] - 1, from[3] - 1), ["end"] = text.position(buf, to[2] - 1, to[3]) }
end

local function tell()
  local buf = vim.api.nvim_get_current_buf()
  local path = require("copilot-bridge.project").file_of(buf)
  local attached = path and vim.lsp.get_clients({ bufnr = buf, name = client.NAME })[1]
  if not attached then
    return -- the chat, say: the user is still where they were
  end
  local params = {
    uri = vim.uri_from_bufnr(buf),
    selections = { selected(buf) },
    visibleRanges = { text.line_range(buf, vim.fn.line("w0") - 1, vim.fn.line("w$") - 1) },
  }
  if not vim.deep_equal(params, last) then
    last = params
    attached.rpc.notify("copilot-bridge/focus/didChange", params)
  end
end

local function soon()
  timer = timer or assert(vim.uv.new_timer())
  timer:start(DEBOUNCE, 0, vim.schedule_wrap(tell))
end

function M.start()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.focus", {})
  vim.api.nvim_create_autocmd(
    { "CursorMoved", "CursorMovedI", "BufEnter", "WinScrolled", "ModeChanged", "LspAttach" },
    {
      group = group,
      callback = soon,
    }
  )
  require("copilot-bridge.events").on("client/started", function()
    last = nil
    soon()
  end)
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = group,
    callback = function()
      if timer then
        timer:close()
        timer = nil
      end
    end,
  })
end

return M
