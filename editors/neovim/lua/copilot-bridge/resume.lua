--- Prompts that were cut off, by the death of the agent or of the bridge, are offered again. None is sent twice by itself: it
--- may have had an effect.

local questions = require("copilot-bridge.question.queue")
local events = require("copilot-bridge.events")
local session = require("copilot-bridge.session")

local M = {}

local started = false
---@type table<string, boolean> turns that have been offered
local offered = {}

---@param blocks table[] ACP ContentBlocks
---@return string
local function words(blocks)
  for _, b in ipairs(blocks) do
    if b.type == "text" and vim.trim(b.text or "") ~= "" then
      return (vim.trim(b.text):gsub("%s+", " "))
    end
  end
  return "(no text)"
end

---@param id string
---@param turn string
---@param blocks table[]
---@param sent boolean the agent may have read it
local function offer(id, turn, blocks, sent)
  if offered[turn] then
    return
  end
  offered[turn] = true
  if require("copilot-bridge.notices").in_view(id) then
    return -- the chat offers it
  end
  questions.choose({
    title = ("%s. Send again?\n%s"):format(sent and "Interrupted" or "Not sent", words(blocks)),
    items = { "Send again", "Don't send" },
    format = tostring,
    done = function(answer)
      if answer == "Send again" then
        session.prompt(id, blocks, {}, function(err)
          if err then
            require("copilot-bridge.notify").failed(err)
          end
        end)
      end
    end,
  })
end

function M.start()
  if started then
    return
  end
  started = true
  events.on("session/didChange", function(params)
    local e = params.event
    if e and e.type == "turn_interrupted" then
      local blocks = e.blocks or e.prompt and { { type = "text", text = e.prompt } }
      if e.turnId and blocks and #blocks > 0 then
        offer(params.sessionId, e.turnId, blocks, e.sent == true)
      end
    end
  end)
  -- Turns that ran when a bridge died, by project; what was prompted elsewhere is told by the next bridge.
  ---@type table<string, {id: string, turn: string, blocks: table[]}[]>
  local lost = {}
  events.on("client/stopped", function(params)
    if params.expected then
      return
    end
    lost[params.root] = lost[params.root] or {}
    for _, s in ipairs(session.list()) do
      if s.root == params.root then
        for turn, blocks in pairs(s.sent) do
          table.insert(lost[params.root], { id = s.id, turn = turn, blocks = blocks })
        end
        s.sent = {}
      end
    end
  end)
  events.on("client/started", function(params)
    local list = lost[params.root] or {}
    lost[params.root] = nil
    for _, l in ipairs(list) do
      offer(l.id, l.turn, l.blocks, true)
    end
  end)
end

return M
