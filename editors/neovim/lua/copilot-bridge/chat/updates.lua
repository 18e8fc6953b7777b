-- What each kind of session/update (ACP v1, and the bridge's own) does to a conversation's model.

local blocks = require("copilot-bridge.chat.blocks")
local given = blocks.given

local notice_levels = { error = "error", warning = "warn" }

---@type table<string, fun(self: copilot-bridge.Model, u: table, turn: string?)>
local updates = {}

function updates.user_message_chunk(self, u, turn)
  self:prompt({ u.content }, turn)
end

function updates.agent_message_chunk(self, u, turn)
  local text = blocks.text(u.content)
  local notice = given(blocks.remarks(u).notice)
  if type(notice) == "table" then
    if notice.topic ~= "tools" then -- which of its own tools are off is our doing and no news
      self:note(notice_levels[notice.kind] or "info", vim.trim(given(notice.text) or text), turn)
    end
  else
    self:say("agent", text, turn, given(u.messageId))
  end
end

function updates.agent_thought_chunk(self, u, turn)
  self:say("thought", blocks.text(u.content), turn, given(u.messageId))
end

function updates.tool_call(self, u, turn)
  self:call(u, turn)
end

function updates.tool_call_update(self, u, turn)
  self:call(u, turn)
end

-- A plan is sent whole each time. It stays where the turn first made it.
function updates.plan(self, u, turn)
  local plan = self.plan
  if not plan or plan.turn ~= turn then
    plan = self:add({ kind = "plan", turn = turn })
    self.plan = plan
  end
  plan.entries = u.entries or {}
  self:touch(plan)
end

function updates.notice(self, u, turn)
  local text = u.title or ""
  if given(u.description) then
    text = text .. ": " .. u.description
  end
  self:note(notice_levels[u.severity] or "info", text, turn)
end

updates["_copilot-bridge/event"] = function(self, u, turn)
  self:event(u.event or {}, turn, true)
end

updates["_copilot-bridge/turn_ended"] = function(self, u, turn)
  self:finish({
    turnId = turn,
    stopReason = u.stopReason,
    error = given(u.message) and { message = u.message } or nil,
    files = given(u.files),
  })
end

return updates
