--- The bridge as Neovim's LSP client has it: capabilities, who answers its requests, what is not taken from other servers.

local config = require("copilot-bridge.config")
local events = require("copilot-bridge.events")
local rpc = require("copilot-bridge.rpc")

local M = {}

--- The name of the client.
M.NAME = "copilot-bridge"

-- Methods of the bridge that a module answers; the module is loaded with the first of them.
---@type table<string, string>
local REQUESTS = {
  ["copilot-bridge/permission/request"] = "copilot-bridge.question.permission",
  ["copilot-bridge/input/request"] = "copilot-bridge.question.elicitation",
  ["copilot-bridge/document/save"] = "copilot-bridge.documents",
  ["copilot-bridge/diagnostics/get"] = "copilot-bridge.diagnostics",
  ["copilot-bridge/language/request"] = "copilot-bridge.language",
  ["workspace/applyEdit"] = "copilot-bridge.edit",
  ["window/showMessageRequest"] = "copilot-bridge.message",
}

-- All that docs/dev/protocol.md, "The rich tier", has a flag for.
local CONCERNS = {
  version = 1,
  updates = true,
  permission = true,
  review = true, -- also what is commented
  input = true,
  terminal = true,
  save = true,
  diagnostics = true,
  focus = true,
  status = true,
  language = true,
}

--- Actions of ours that are not about the place, such as to cancel the turn, have commands here: in the list of code
--- actions they would stand beside those of other servers on every line.
---@param params table CodeActionParams
---@param actions table[]
---@return table[]
local function about_the_place(params, actions)
  local range = params.range
  if params.context and params.context.only or not vim.deep_equal(range.start, range["end"]) then
    return actions
  end
  return vim.tbl_filter(function(action)
    return not (action.kind or ""):find("^source%.copilot")
  end, actions)
end

--- What `vim.lsp.start()` takes for the bridge of a project, or why there is none to start.
---@param link copilot-bridge.Link
---@param on {ready: fun(client: vim.lsp.Client), exit: fun(exit: copilot-bridge.Exit)}
---@return vim.lsp.ClientConfig?
---@return string? err
function M.config(link, on)
  local cmd, err = require("copilot-bridge.binary").command()
  if not cmd then
    return nil, err
  end
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = vim.tbl_extend("force", capabilities.experimental or {}, { copilotBridge = CONCERNS })
  -- What the most servers speak: two encodings in one buffer make Neovim warn.
  capabilities.general = vim.tbl_extend("force", capabilities.general or {}, { positionEncodings = { "utf-16" } })
  local requests = {}
  for method, module in pairs(REQUESTS) do
    requests[method] = function(params, reply)
      return require(module).request(params, reply, link.client and link.client.id)
    end
  end
  return {
    name = M.NAME,
    root_dir = link.root,
    workspace_folders = { { uri = vim.uri_from_fname(link.root), name = link.root } },
    capabilities = capabilities,
    init_options = vim.tbl_isempty(config.get().init_options) and vim.empty_dict() or config.get().init_options,
    offset_encoding = "utf-16",
    cmd = rpc.cmd({
      cmd = cmd,
      cwd = vim.uv.fs_stat(link.root) and link.root or nil,
      env = config.get().env,
      request = requests,
      answer = { ["textDocument/codeAction"] = about_the_place },
      notification = function(name, params)
        local id = link.client and link.client.id
        require("copilot-bridge.session").take(name, params, link)
        events.emit(name, params, id)
      end,
      on_exit = on.exit,
    }),
    handlers = require("copilot-bridge.message").handlers,
    on_init = function(client)
      -- What was changed is shown in the buffer; an empty hover of ours would only speak over another server's.
      client.server_capabilities.hoverProvider = nil
      client.server_capabilities.codeLensProvider = nil
      on.ready(client)
    end,
  }
end

return M
