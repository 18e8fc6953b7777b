--- What the bridge says of a session, taken into it: one function for each notification, called before anyone else hears of it.

local turns = require("copilot-bridge.turns")

-- What an update changes in the session itself, by its kind (ACP v1 SessionUpdate).
---@type table<string, fun(s: copilot-bridge.Session, u: table)>
local UPDATES = {
  current_mode_update = function(s, u)
    if s.modes then
      s.modes.currentModeId = u.currentModeId
    end
  end,
  available_commands_update = function(s, u)
    s.commands = u.availableCommands
  end,
  config_option_update = function(s, u)
    s.configOptions = u.configOptions
  end,
  session_info_update = function(s, u)
    s.title = u.title or s.title
  end,
  usage_update = function(s, u)
    s.context = { used = u.used, size = u.size }
  end,
}

-- What the notifications of the bridge change, by their name without the prefix.
---@type table<string, fun(s: copilot-bridge.Session, params: table)>
return {
  ["session/update"] = function(s, params)
    s.seq = params.seq or s.seq
    local change = params.update and UPDATES[params.update.sessionUpdate]
    if change then
      change(s, params.update)
    end
    if params.turnId then
      turns.updated(params)
    end
  end,
  ["session/didChange"] = function(s, params)
    for _, name in ipairs({ "title", "modes", "configOptions", "commands", "context", "queue", "relaxed", "level" }) do
      if params[name] ~= nil then
        s[name] = params[name]
      end
    end
  end,
  ["turn/started"] = function(s, params)
    s.busy, s.turn = true, params.turnId
  end,
  ["turn/ended"] = function(s, params)
    if s.turn == params.turnId then
      s.busy, s.turn = false, nil
    end
    s.usage = params.usage or s.usage
    s.changed = #(params.files or {}) > 0 and params.turnId or s.changed
    s.sent[params.turnId] = nil
    turns.ended(params)
  end,
  ["status/didChange"] = function(s, params)
    s.status = { kind = params.kind, message = params.message }
  end,
}
