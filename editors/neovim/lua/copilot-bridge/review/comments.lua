--- Comments on lines, collected until they are sent together as one prompt. The bridge keeps them and moves them with the text.

local events = require("copilot-bridge.events")
local notify = require("copilot-bridge.notify")
local session = require("copilot-bridge.session")
local text = require("copilot-bridge.text")

local M = {}

local ns = vim.api.nvim_create_namespace("copilot-bridge.comments")
local QUICKFIX = "Copilot: comments to send"

---@type table<string, copilot-bridge.wire.Comment[]> by URI
local known = {}

---@param uri string
local function show(uri)
  local buf = text.loaded(uri)
  if not buf then
    return
  end
  vim.api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  local last = vim.api.nvim_buf_line_count(buf) - 1
  for _, c in ipairs(known[uri] or {}) do
    local lines = vim.tbl_map(function(line)
      return { { "▎ " .. line, "CopilotBridgeComment" } }
    end, vim.split(c.text, "\n"))
    local stop = c.range["end"]
    local row = stop.character == 0 and stop.line > c.range.start.line and stop.line - 1 or stop.line
    vim.api.nvim_buf_set_extmark(buf, ns, math.min(row, last), 0, { virt_lines = lines })
  end
end

--- The comment of a line, if there is one.
---@param uri string
---@param row integer 0-based
---@return copilot-bridge.wire.Comment?
local function at(uri, row)
  for _, c in ipairs(known[uri] or {}) do
    if row >= c.range.start.line and row <= c.range["end"].line then
      return c
    end
  end
end

---@param err table?
local function done(err)
  if err then
    notify.failed(err)
  end
end

--- Asks for a comment on lines of the current buffer, or takes it. One that is there is edited; without words it goes.
---@param first integer 1-based
---@param last integer
---@param ranged integer as in a command's `range`
---@param words string
function M.add(first, last, ranged, words)
  M.on(vim.uri_from_bufnr(0), text.line_range(0, first - 1, last - 1), ranged == 0, words)
end

---@param uri string
---@param range table
---@param edits boolean one that is there is edited
---@param words string "": it is asked for
function M.on(uri, range, edits, words)
  local old = edits and at(uri, range.start.line) or nil
  local function take(typed)
    if not typed then
      return
    elseif old and typed == "" then
      return session.request("comments/remove", { id = old.id }, done)
    elseif old then
      return session.request("comments/edit", { id = old.id, text = typed }, done)
    elseif typed ~= "" then
      local s = session.current()
      session.request("comments/add", { sessionId = s and s.id, uri = uri, range = range, text = typed }, done)
    end
  end
  if words ~= "" then
    return take(words)
  end
  vim.ui.input({ prompt = old and "Comment (empty removes it): " or "Comment: ", default = old and old.text }, take)
end

--- The comments as entries of the quickfix list.
function M.quickfix()
  local items = {}
  for uri, list in vim.spairs(known) do
    for _, c in ipairs(list) do
      local line = c.range.start.line + 1
      items[#items + 1] = { filename = vim.uri_to_fname(uri), lnum = line, text = c.text:gsub("\n", " ") }
    end
  end
  if #items == 0 then
    return notify.info("No comments yet: :CopilotBridge comment adds one")
  end
  vim.fn.setqflist({}, " ", { title = QUICKFIX, items = items })
  vim.cmd("botright copen")
end

--- Sends all comments as one prompt.
---@param words string what is said before them
function M.send(words)
  local s = session.current()
  local params = { sessionId = s and s.id, text = words ~= "" and words or nil }
  session.request("comments/send", params, function(err, result)
    if err then
      return notify.failed(err, "Could not send the comments")
    end
    session.set_current(result.sessionId)
    notify.info(result.queued > 0 and ("Comments queued behind %d"):format(result.queued) or "Comments sent")
  end)
end

function M.start()
  events.on("comments/didChange", function(params)
    known[params.uri] = #params.comments > 0 and params.comments or nil
    show(params.uri)
  end)
  events.on("client/stopped", function()
    for uri in pairs(known) do
      known[uri] = nil
      show(uri)
    end
  end)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWinEnter" }, {
    group = vim.api.nvim_create_augroup("copilot-bridge.comments", {}),
    callback = vim.schedule_wrap(function(ev)
      if vim.api.nvim_buf_is_valid(ev.buf) and vim.api.nvim_buf_get_name(ev.buf) ~= "" then
        show(vim.uri_from_bufnr(ev.buf))
      end
    end),
  })
end

return M
