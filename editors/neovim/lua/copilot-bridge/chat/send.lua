-- How prompts go out: new ones, ones that steer the turn that runs, ones that wait and are edited.

local config = require("copilot-bridge.chat.config_of")
local mention = require("copilot-bridge.chat.mention")

local M = {}

-- What is typed for a new session. The agent's own commands are sent; this one is the chat's.
M.NEW = "/new"

local function session()
  return require("copilot-bridge.session")
end

local function say(level, text)
  require("copilot-bridge.notify")[level](text)
end

local function drop(chat, pending)
  for i, p in ipairs(chat.sending) do
    if p == pending then
      table.remove(chat.sending, i)
      break
    end
  end
  chat:redraw()
  chat:bars()
end

-- failed says why, and gives the words back so that nothing has to be typed again.
local function failed(chat, text, err)
  local why, hint = require("copilot-bridge.notify").reason(err)
  chat.model:note("error", "Not sent: " .. why .. (hint and "; " .. hint or ""))
  chat:redraw()
  if chat.input and chat.input:text() == "" then
    chat.input:set(text)
  end
end

-- put sends blocks to the session, when there is one.
local function put(chat, text, expanded, steer, pending)
  local labels = vim.list_extend({}, expanded.names or {})
  for _, c in ipairs(expanded.context) do
    labels[#labels + 1] = mention.label(c, chat:cwd())
  end
  local opts = { steer = steer or nil, context = #expanded.context > 0 and expanded.context or nil }
  session().prompt(chat.id, expanded.prompt, opts, function(err, result)
    drop(chat, pending)
    if err then
      return failed(chat, text, err)
    end
    chat.model:carries(result.turnId, labels)
    if result.steered then
      local said = expanded.prompt[1].text
      chat.model.steering = chat.model:prompt({ { type = "text", text = said } }, result.turnId, true)
      chat:redraw()
    end
  end)
end

-- prompt sends text, in the chat's session or in one that is made for it.
---@param chat copilot-bridge.Chat
---@param text string
---@param steer boolean?
function M.prompt(chat, text, steer)
  local expanded = mention.expand(text, chat:cwd())
  if #expanded.missing > 0 then
    say("warn", table.concat(expanded.missing, "; "))
    if chat.input and chat.input:text() == "" then
      chat.input:set(text)
    end
    return
  end
  require("copilot-bridge.chat.attach").into(chat, expanded)
  if #expanded.unknown > 0 then
    local names = "@" .. table.concat(expanded.unknown, ", @")
    chat.model:note("warn", ("No file %s: sent as text"):format(names))
  end
  if steer then -- the agent is told with a tool's result, which is text; places go in words
    for _, c in ipairs(expanded.context) do
      if c.range then
        steer = false
      end
    end
    if #expanded.prompt > 1 then
      steer = false
    end
  end
  chat.model.interrupted = nil
  local pending = { text = text }
  chat.sending[#chat.sending + 1] = pending
  chat:redraw()
  chat:bars()
  if chat.id then
    return put(chat, text, expanded, steer, pending)
  end
  if chat.making then -- the session is on its way: this goes behind
    chat.making[#chat.making + 1] = { text, expanded, pending }
    return
  end
  chat.making = { { text, expanded, pending } }
  session().new({ cwd = chat:cwd() }, function(err, s)
    local waiting = chat.making or {}
    chat.making = nil
    if not err then
      require("copilot-bridge.chat").adopt(chat, s.id)
    end
    for _, w in ipairs(waiting) do
      if err then
        drop(chat, w[3])
        failed(chat, w[1], err)
      else
        put(chat, w[1], w[2], false, w[3])
      end
    end
  end)
end

-- again sends the prompt that was cut off once more, as it was.
---@param chat copilot-bridge.Chat
function M.again(chat)
  local cut = chat.model.interrupted
  if not cut or not chat.id then
    return
  end
  chat.model.interrupted = nil
  local pending = { text = cut.prompt }
  chat.sending[#chat.sending + 1] = pending
  chat:redraw()
  put(
    chat,
    cut.prompt,
    { prompt = cut.blocks or { { type = "text", text = cut.prompt } }, context = {} },
    false,
    pending
  )
end

-- give_back returns the prompts that waited and will not be sent, so that nothing has to be typed again.
---@param chat copilot-bridge.Chat
---@param prompts {text: string}[]
function M.give_back(chat, prompts)
  if #prompts == 0 then
    return
  end
  local text = table.concat(
    vim.tbl_map(function(p)
      return p.text
    end, prompts),
    "\n\n"
  )
  if chat.input and chat.input:text() == "" then
    chat.input:set(text)
    chat.model:note("warn", "The queued prompts were not sent: they are in the input again")
  else
    chat.model:note("warn", "Not sent: " .. text)
  end
end

-- submit sends what is in the input.
---@param chat copilot-bridge.Chat
---@param steer boolean?
function M.submit(chat, steer)
  if chat.editing then
    return M.put_back(chat)
  end
  if chat.input:text() == "" and #chat.chips == 0 then
    return
  end
  if chat.input:text() == M.NEW then
    chat.input:take()
    return require("copilot-bridge").new()
  end
  if steer == nil then
    steer = config.get().while_busy == "steer"
  end
  if vim.fn.mode():sub(1, 1) == "i" then
    vim.cmd.stopinsert() -- who sends reads next; folds stand still in insert mode
  end
  M.prompt(chat, chat.input:take(), steer and chat.model.turn ~= nil)
  local view = chat.view
  if view then -- who sends wants to see the answer
    for _, win in ipairs(vim.fn.win_findbuf(view.buf)) do
      require("copilot-bridge.chat.follow").to_end(win, view.buf)
    end
  end
end

-- put_back replaces a waiting prompt by what is in the input.
function M.put_back(chat)
  local turn, text = chat.editing, chat.input:text()
  if text == "" then
    M.cancel(chat, turn)
    return chat:leave_editing()
  end
  local expanded = mention.expand(text, chat:cwd())
  session().request(
    "session/editQueued",
    { sessionId = chat.id, turnId = turn, prompt = expanded.prompt },
    function(err)
      if err then
        say("warn", err.message or "The prompt has been sent already")
      else
        chat:leave_editing()
      end
    end
  )
end

-- cancel stops the turn that runs, or takes out one that waits.
---@param turn string?
function M.cancel(chat, turn)
  if not chat.id then
    return
  end
  turn = turn or chat.model.turn
  if not turn then
    return say("info", "Nothing is running")
  end
  session().cancel(chat.id, turn, function(err)
    if err then
      say("warn", err.message or "Could not stop it")
    end
  end)
end

return M
