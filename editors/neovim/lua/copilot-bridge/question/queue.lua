--- Questions of the bridge, one at a time. None takes the cursor away from somebody who is typing: what is typed is no answer.

local attention = require("copilot-bridge.attention")
local config = require("copilot-bridge.config")

local M = {}

-- How often it is looked whether the user has paused (milliseconds).
local POLL = 100
-- After this long without a chance to ask, a message says that somebody waits (milliseconds).
local PATIENCE = 1500

---@class copilot-bridge.Question
---@field title string
---@field show fun(finish: fun()): fun(), fun()? opens it; finish() is called when it is closed; what is returned closes it
---unanswered, and puts the cursor into it
---@field drop fun() it is given up before it was shown

---@class copilot-bridge.Waiting
---@field q copilot-bridge.Question
---@field aside boolean put off by the user
---@field told boolean the message has been shown
---@field since integer

---@type copilot-bridge.Waiting[]
local queue = {}
---@type {w: copilot-bridge.Waiting, hide: fun()?, focus: fun()?}?
local shown
local timer ---@type uv.uv_timer_t?
local last_key = 0
local started = false

--- Begins to note when keys come.
function M.start()
  if started then
    return
  end
  started = true
  attention.start()
  last_key = vim.uv.now()
  vim.on_key(function(_, typed)
    if typed ~= "" then -- timers and events come as keys too
      last_key = vim.uv.now()
    end
  end, vim.api.nvim_create_namespace("copilot-bridge.question.queue"))
  local group = vim.api.nvim_create_augroup("copilot-bridge.question.queue", {})
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

--- Whether a window may take the cursor now.
---@return boolean
local function paused()
  local mode = vim.api.nvim_get_mode()
  if mode.blocking or mode.mode:find("^[crsS\19!]") or mode.mode:find("^no") or vim.fn.getcmdwintype() ~= "" then
    return false
  end
  if vim.fn.pumvisible() == 1 then
    return false
  end
  local idle = config.get().permission.idle
  return vim.uv.now() - last_key >= (mode.mode:find("^[iRt]") and idle * 2 or idle)
end

--- Tells the user who is elsewhere.
---@param title string
local function call_back(title)
  if config.get().permission.bell then
    attention.ring()
  end
  if not attention.here() then
    attention.show(title .. "?")
  end
  require("copilot-bridge.notify").warn("Copilot asks: " .. title, " (:CopilotBridge answer)")
end

local step ---@type fun()

---@param w copilot-bridge.Waiting
local function open(w)
  for i, other in ipairs(queue) do
    if other == w then
      table.remove(queue, i)
    end
  end
  shown = { w = w }
  if not attention.here() and not w.told then
    call_back(w.q.title)
    w.told = true
  end
  local finished = false
  local function finish()
    if finished then
      return
    end
    finished = true
    if shown and shown.w == w then
      shown = nil
    end
    vim.schedule(step)
  end
  local ok, hide, focus = xpcall(w.q.show, debug.traceback, finish)
  if not ok then
    require("copilot-bridge.log").add("error", tostring(hide))
    w.q.drop()
    return finish()
  end
  if shown and shown.w == w then
    shown.hide, shown.focus = hide, focus
  end
end

step = function()
  if shown then
    return
  end
  local next_one
  for _, w in ipairs(queue) do
    if not w.aside then
      next_one = w
      break
    end
  end
  if not next_one then
    if timer then
      timer:stop()
    end
    return
  end
  if paused() then
    return open(next_one)
  end
  if not next_one.told and vim.uv.now() - next_one.since > PATIENCE then
    next_one.told = true
    call_back(next_one.q.title)
  end
  timer = timer or assert(vim.uv.new_timer())
  timer:start(POLL, 0, vim.schedule_wrap(step))
end

--- Puts a question into the queue.
---@param q copilot-bridge.Question
---@return fun() withdraw closes it, or takes it out of the queue, unanswered
function M.push(q)
  M.start()
  local w = { q = q, aside = false, told = false, since = vim.uv.now() }
  table.insert(queue, w)
  vim.schedule(step)
  return function()
    for i, other in ipairs(queue) do
      if other == w then
        table.remove(queue, i)
        return
      end
    end
    if shown and shown.w == w then
      local hide = shown.hide
      shown = nil
      if hide then
        hide()
      end
      vim.schedule(step)
    end
  end
end

--- Puts the question that is shown off until `:CopilotBridge answer`. To be called by what shows it, in place of finish().
function M.later()
  if shown then
    local w = shown.w
    w.aside, w.told = true, true
    shown = nil
    table.insert(queue, w)
    vim.schedule(step)
  end
end

--- Shows the oldest question that waits, whatever the user is doing; one that is shown gets the cursor.
---@return boolean there was one
function M.now()
  if shown then
    if shown.focus then
      shown.focus()
    end
    return true
  end
  local w = queue[1]
  if w then
    w.aside = false
    open(w)
  end
  return w ~= nil
end

--- The titles of the questions that wait, the one that is shown first.
---@return string[]
function M.waiting()
  local out = {}
  if shown then
    out[1] = shown.w.q.title
  end
  for _, w in ipairs(queue) do
    out[#out + 1] = w.q.title
  end
  return out
end

--- True where vim.ui.select is Neovim's own, which stops everything until it is answered. That is where vim.ui.open is from.
---@return boolean
function M.own_select()
  return debug.getinfo(vim.ui.select, "S").source == debug.getinfo(vim.ui.open, "S").source
end

--- True where questions are asked in our own window.
---@return boolean
function M.plain_select()
  local how = config.get().permission.select
  if how ~= "auto" then
    return how == "window"
  end
  return M.own_select()
end

---@class copilot-bridge.Choice
---@field title string
---@field items any[]
---@field format fun(item: any): string
---@field done fun(item: any?) the answer; nil for none

--- Asks for one of several things, in its turn.
---@param c copilot-bridge.Choice
---@return fun() withdraw
function M.choose(c)
  return M.push({
    title = c.title,
    drop = function()
      c.done(nil)
    end,
    show = function(finish)
      return require("copilot-bridge.question.dialog").open({
        title = "Copilot",
        prompt = c.title:match("[^\n]+"),
        kind = "copilot-bridge",
        lines = vim.tbl_map(function(line)
          return { line }
        end, vim.split(c.title, "\n", { plain = true })),
        options = vim.tbl_map(function(item)
          return { label = c.format(item), value = item }
        end, c.items),
        done = function(value)
          c.done(value)
          finish()
        end,
      })
    end,
  })
end

return M
