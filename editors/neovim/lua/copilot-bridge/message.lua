--- What the bridge says in plain LSP: short messages, and questions with buttons.

local M = {}

local TYPES = { "error", "warn", "info", "info" }

--- Handlers of the client, in place of Neovim's own, which may wait for Enter.
---@type table<string, function>
M.handlers = {
  ["window/showMessage"] = function(_, params)
    require("copilot-bridge.notify")[TYPES[params.type] or "info"](params.message)
  end,
  ["window/logMessage"] = function(_, params)
    require("copilot-bridge.log").add(TYPES[params.type] or "debug", params.message)
  end,
}

---@param params table ShowMessageRequestParams
---@param reply fun(result: any, err: table?)
---@return fun()? withdraw
function M.request(params, reply)
  return require("copilot-bridge.question.queue").choose({
    title = params.message,
    items = params.actions or {},
    format = function(action)
      return action.title
    end,
    done = function(action)
      reply(action)
    end,
  })
end

return M
