-- The chat: one buffer a session that shows the conversation as it goes on, and an input below it.
--
-- What the bridge says of a session is taken into a model of its own (chat/model.lua), also while no chat is open; a view
-- (chat/view.lua) draws the model into the buffer; chat/conversation.lua has what belongs to one session, its buffers and
-- windows (chat/panes.lua) and what keys do there (chat/actions.lua).

local conversation = require("copilot-bridge.chat.conversation")
local events = require("copilot-bridge.events")
local model = require("copilot-bridge.chat.model")
local send = require("copilot-bridge.chat.send")

local M = {}

---@type table<string, copilot-bridge.Model>
local models = {}
---@type table<string, copilot-bridge.Chat>
local chats = {}
---@type copilot-bridge.Chat? without a session, which its first prompt makes
local blank

local listening = false
local clock ---@type uv.uv_timer_t?

---@param id string
---@return copilot-bridge.Model
local function model_of(id)
  local m = models[id]
  if not m then
    m = model.new(id)
    models[id] = m
  end
  return m
end

local function redraw(id)
  local chat = chats[id]
  if chat then
    chat:redraw()
  end
end

-- tick shows how long a turn has been running, once a second, while one runs where it can be seen.
local function tick()
  local any = false
  for _, chat in pairs(chats) do
    if chat.model.turn and chat.view and chat.view:visible() then
      any = true
      chat:bars()
    end
  end
  if not any and clock then
    clock:stop()
    clock:close()
    clock = nil
  end
end

local function run_clock()
  if not clock then
    clock = assert(vim.uv.new_timer())
    clock:start(1000, 1000, vim.schedule_wrap(tick))
  end
end

-- repair asks for the updates after a number, and holds back what comes meanwhile.
local function repair(id, m, since)
  require("copilot-bridge.session").request(
    "transcript/get",
    { sessionId = id, format = "updates", since = since },
    function(err, result)
      local held = m.held or {}
      m.held = nil
      for _, params in ipairs(not err and result.updates or {}) do
        params.replay, params.repaired = nil, true
        m:update(params)
      end
      if err then
        m:note("warn", "Part of the conversation is missing here: " .. (err.message or "unknown error"))
      end
      for _, params in ipairs(held) do
        params.repaired = true
        m:update(params)
      end
      redraw(id)
    end
  )
end

local function on_update(params)
  local id = params.sessionId
  local m = model_of(id)
  if m.held then
    m.held[#m.held + 1] = params
    return
  end
  local gap = m:update(params)
  if gap then
    m.held = { params }
    repair(id, m, gap)
  end
  redraw(id)
end

local handlers = {
  ["session/update"] = on_update,
  ["turn/started"] = function(params)
    model_of(params.sessionId):started(params)
    redraw(params.sessionId)
    run_clock()
  end,
  ["turn/ended"] = function(params)
    model_of(params.sessionId):finish(params)
    redraw(params.sessionId)
  end,
  ["session/didChange"] = function(params)
    if type(params.event) == "table" then
      model_of(params.sessionId):event(params.event)
    end
    redraw(params.sessionId)
  end,
  ["terminal/output"] = function(params)
    model_of(params.sessionId):terminal_output(params)
    redraw(params.sessionId)
  end,
  ["status/didChange"] = function(params)
    for id, chat in pairs(chats) do
      if not params.sessionId or params.sessionId == id then
        chat:bars()
      end
    end
  end,
  -- A session that was made elsewhere, by a prompt without the chat, takes the place of an empty chat.
  ["session/current"] = function(params)
    if params.sessionId and not chats[params.sessionId] and blank and not blank.making and blank.view then
      if blank:is_open() and blank.input:text() == "" then
        M.adopt(blank, params.sessionId)
      end
    end
  end,
  ["permission/shown"] = function(params)
    local chat = chats[params.sessionId]
    if chat then
      chat.waiting = params.title
      chat:bars()
    end
  end,
  ["permission/closed"] = function(params)
    local chat = chats[params.sessionId]
    if chat then
      chat.waiting = nil
      chat:bars()
    end
  end,
  ["client/stopped"] = function(params)
    -- Of the bridge that has ended, or of all where it is not said which it had.
    for _, id in ipairs(params.sessions or vim.tbl_keys(models)) do
      local m = models[id]
      if m and not params.expected then
        m:lost("The bridge exited and is restarting.")
      end
      local chat = chats[id]
      if chat then
        chat.waiting = nil
        local s = require("copilot-bridge.session").get(id)
        if s and s.unsent and not params.expected and require("copilot-bridge.notices").in_view(id) then
          send.give_back(chat, s.unsent)
        end
        chat:redraw()
      end
    end
  end,
}

-- listen subscribes to what the bridge says. Called once, before the first bridge is started, so that a session's
-- history is not lost that comes before its chat is opened.
function M.listen()
  if listening then
    return
  end
  listening = true
  require("copilot-bridge.session") -- it hears of everything first, whichever of them is used first
  for name, fn in pairs(handlers) do
    events.on(name, fn)
  end
end

---@param id string?
---@return copilot-bridge.Chat
local function chat_of(id)
  if not id then
    blank = blank or conversation.new(nil, model.new())
    return blank
  end
  local chat = chats[id]
  if not chat then
    chat = conversation.new(id, model_of(id))
    chats[id] = chat
  end
  return chat
end

-- adopt gives a chat the session that was made for it.
---@param chat copilot-bridge.Chat
---@param id string
function M.adopt(chat, id)
  if blank == chat then
    blank = nil
  end
  chats[id] = chat
  chat:adopt(id, model_of(id))
end

-- The chat that a buffer belongs to.
---@param buf integer
---@return copilot-bridge.Chat?
function M.of_buf(buf)
  local function has(chat)
    return chat and (chat.view and chat.view.buf == buf or chat.input and chat.input.buf == buf)
  end
  for _, chat in pairs(chats) do
    if has(chat) then
      return chat
    end
  end
  return has(blank) and blank or nil
end

-- The chat that this tab page shows.
---@return copilot-bridge.Chat?
local function shown()
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local chat = M.of_buf(vim.api.nvim_win_get_buf(win))
    if chat then
      return chat
    end
  end
end

-- Opens the chat of a session and goes to its input. Without an id it is the current session's, or an empty chat whose
-- first prompt makes a session. Another chat in this tab page gives its place up.
---@param id string?
---@return copilot-bridge.Chat
function M.open(id)
  M.listen()
  require("copilot-bridge.highlight").start()
  if not id then
    local current = require("copilot-bridge.session").current()
    id = current and current.id
  end
  local chat, other = chat_of(id), shown()
  if other and other ~= chat then
    other:close()
  end
  chat:open()
  if chat.model.turn then
    run_clock()
  end
  return chat
end

-- Opens an empty chat, whatever session is current.
---@return copilot-bridge.Chat
function M.new()
  M.listen()
  require("copilot-bridge.highlight").start()
  local other, chat = shown(), chat_of(nil)
  if other and other ~= chat then
    other:close()
  end
  chat:open()
  return chat
end

-- Closes the chat in this tab page. The session goes on.
function M.close()
  local chat = shown()
  if chat then
    chat:close()
  end
end

-- Opens the chat, or closes it where it is open.
---@return boolean opened
function M.toggle()
  if shown() then
    M.close()
    return false
  end
  M.open()
  return true
end

-- Sends text in the chat of a session, as if it had been typed there.
---@param text string
---@param opts {session: string?, steer: boolean?}?
function M.send(text, opts)
  opts = opts or {}
  local chat = shown() or chat_of(opts.session or (require("copilot-bridge.session").current() or {}).id)
  require("copilot-bridge.chat.send").prompt(chat, text, opts.steer)
end

-- What is known of a conversation, for tests and for anyone who shows it elsewhere.
---@param id string
---@return copilot-bridge.Model?
function M.model(id)
  return models[id]
end

-- Forgets a session that was deleted.
---@param id string
function M.forget(id)
  local chat = chats[id]
  if chat then
    chat:detach()
  end
  chats[id], models[id] = nil, nil
end

return M
