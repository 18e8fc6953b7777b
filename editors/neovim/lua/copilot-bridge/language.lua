--- The language servers of the editor, for the agent: one request of LSP, answered with LSP's result.

local encoding = require("copilot-bridge.language.encoding")
local hidden = require("copilot-bridge.language.hidden")
local servers = require("copilot-bridge.language.servers")

local M = {}

-- The bridge does not wait longer (milliseconds). A buffer is not kept open for an answer that does not come.
local LIMIT = 12000
-- How long quick fixes wait for the diagnostics of a file that was just opened: without them there are none (milliseconds).
local FIXES = 2000

---@param reason "noServer" | "notSupported"
---@param message string
---@return table
local function failure(reason, message)
  return { code = -32803, message = message, data = { reason = reason } }
end

--- The diagnostics of a server in some lines, as it has sent them: its quick fixes are for those.
---@param client vim.lsp.Client
---@param buf integer
---@param range table
---@return table[]
local function diagnostics_at(client, buf, range)
  local out, seen = {}, {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    local lsp = (d.user_data or {}).lsp
    local ours = d.namespace == vim.lsp.diagnostic.get_namespace(client.id)
      or d.namespace == vim.lsp.diagnostic.get_namespace(client.id, true)
    if ours and lsp and d.lnum <= range["end"].line and (d.end_lnum or d.lnum) >= range.start.line then
      local function at(row, byte)
        return require("copilot-bridge.text").position(buf, row, byte)
      end
      local item = vim.tbl_extend("force", {
        range = { start = at(d.lnum, d.col), ["end"] = at(d.end_lnum or d.lnum, d.end_col or d.col) },
        severity = d.severity,
        message = d.message,
        source = d.source,
        code = d.code,
      }, lsp)
      item.range = lsp.range
        or encoding.outward({ range = item.range }, vim.uri_from_bufnr(buf), client.offset_encoding).range
      local key = vim.inspect(item)
      if not seen[key] then
        seen[key] = true
        out[#out + 1] = item
      end
    end
  end
  return out
end

--- The params for one server.
---@param method string
---@param params table
---@param client vim.lsp.Client
---@param buf integer?
---@return table
local function params_for(method, params, client, buf)
  local uri = params.textDocument and params.textDocument.uri
  local out = encoding.outward(params, uri, client.offset_encoding)
  if method == "textDocument/codeAction" and buf then
    out.context = { diagnostics = diagnostics_at(client, buf, params.range), triggerKind = 1 }
  elseif method == "textDocument/formatting" and buf then
    out.options = { tabSize = vim.lsp.util.get_effective_tabstop(buf), insertSpaces = vim.bo[buf].expandtab }
  end
  return out
end

---@param action table
---@param client vim.lsp.Client
---@return table
local function action_of(action, client)
  local out = vim.tbl_extend("force", {}, action)
  out.diagnostics = nil
  if out.edit then
    out.edit = encoding.workspace_edit(out.edit, client.offset_encoding)
  elseif type(out.command) ~= "string" and servers.supports(client, "codeAction/resolve") then
    out.data = { client = client.id, action = action }
  else
    out.data = nil
  end
  return out
end

--- One result of those of all servers; nil is null.
---@type table<string, fun(results: {client: vim.lsp.Client, result: any}[], params: table): any, string?>
local JOIN = {}

local function lists(results)
  local out = {}
  for _, r in ipairs(results) do
    vim.list_extend(out, vim.islist(r.result) and r.result or { r.result })
  end
  return out
end

JOIN["textDocument/definition"] = lists
JOIN["textDocument/references"] = lists
JOIN["workspace/symbol"] = lists

JOIN["textDocument/documentSymbol"] = function(results)
  local best
  for _, r in ipairs(results) do
    if not best or #r.result > #best then
      best = r.result
    end
  end
  return best
end

JOIN["textDocument/hover"] = function(results)
  local lines = {}
  for _, r in ipairs(results) do
    vim.list_extend(lines, vim.lsp.util.convert_input_to_markdown_lines(r.result.contents))
  end
  return { contents = { kind = "markdown", value = table.concat(lines, "\n") } }
end

JOIN["textDocument/rename"] = function(results)
  return encoding.workspace_edit(results[1].result, results[1].client.offset_encoding)
end

JOIN["textDocument/formatting"] = function(results, params)
  return encoding.edits(results[1].result, params.textDocument.uri, results[1].client.offset_encoding)
end

JOIN["textDocument/codeAction"] = function(results)
  local out = {}
  for _, r in ipairs(results) do
    for _, action in ipairs(r.result) do
      out[#out + 1] = action_of(action, r.client)
    end
  end
  return out
end

--- Asks the servers that know the method, and answers when all have.
---@param clients vim.lsp.Client[]
---@param method string
---@param params table
---@param buf integer?
---@param reply fun(result: any, err: table?)
local function ask_all(clients, method, params, buf, reply)
  local knowing = vim.tbl_filter(function(c)
    return servers.supports(c, method, buf)
  end, clients)
  if #clients == 0 then
    return reply(nil, failure("noServer", "no language server looks after this file"))
  elseif #knowing == 0 then
    return reply(nil, failure("notSupported", "the language servers do not know " .. method))
  end
  local results, left, failed, over, cancels = {}, #knowing, nil, false, {}
  local function finish(err)
    if over then
      return
    end
    over = true
    for _, cancel in ipairs(cancels) do
      cancel()
    end
    table.sort(results, function(a, b)
      return a.client.id < b.client.id
    end)
    if err or (#results == 0 and failed) then
      return reply(nil, err or failed)
    elseif #results == 0 then
      return reply(vim.NIL)
    end
    local ok, result, why = pcall(JOIN[method], results, params)
    if not ok or why then
      return reply(nil, { code = -32603, message = tostring(not ok and result or why) })
    end
    reply(result == nil and vim.NIL or result)
  end
  for _, c in ipairs(knowing) do
    cancels[#cancels + 1] = servers.ask(c, method, params_for(method, params, c, buf), buf, function(err, result)
      if over then
        return
      end
      if err then
        failed = { code = err.code or -32603, message = ("%s: %s"):format(c.name, err.message or "it failed") }
      elseif result ~= nil and result ~= vim.NIL then
        results[#results + 1] = { client = c, result = result }
      end
      left = left - 1
      if left == 0 then
        cancels = {}
        finish()
      end
    end)
  end
  vim.defer_fn(function()
    finish({ code = -32603, message = "the language servers do not answer" })
  end, LIMIT)
end

--- An action with the edit that its server leaves for later.
---@param params table CodeAction as it was given out
---@param reply fun(result: any, err: table?)
local function resolve(params, reply)
  local data = params.data
  local client = type(data) == "table" and vim.lsp.get_client_by_id(data.client)
  if not client then
    return reply(nil, failure("noServer", "the language server of this action has ended"))
  end
  servers.ask(client, "codeAction/resolve", data.action, nil, function(err, result)
    if err or type(result) ~= "table" then
      return reply(nil, { code = -32603, message = err and err.message or "the server has no such action any more" })
    end
    local out = { title = params.title, kind = result.kind, command = result.command }
    if result.edit then
      local edit, why = encoding.workspace_edit(result.edit, client.offset_encoding)
      if not edit then
        return reply(nil, { code = -32603, message = why })
      end
      out.edit = edit
    end
    reply(out)
  end)
end

---@param params {method: string, params: table}
---@param reply fun(result: any, err: table?)
---@param id integer? of the bridge's client
function M.request(params, reply, id)
  local method, inner = params.method, params.params or {}
  local bridge = id and vim.lsp.get_client_by_id(id)
  if bridge then
    require("copilot-bridge.buffers").flush(bridge) -- what it knows of the text is what the servers know
  end
  hidden.refresh()
  if method == "codeAction/resolve" then
    return resolve(inner, reply)
  elseif not JOIN[method] then
    return reply(nil, failure("notSupported", method .. " is not passed on"))
  elseif not inner.textDocument then
    return ask_all(servers.of(), method, inner, nil, reply)
  end
  local buf, release, opened = hidden.open(inner.textDocument.uri)
  if not buf then
    return reply(nil, failure("noServer", "there is no such file"))
  end
  local function answer(result, err)
    release()
    reply(result, err)
  end
  servers.with(buf, opened, function(clients)
    local wait = opened and #clients > 0 and method == "textDocument/codeAction" and FIXES or 0
    servers.await(buf, wait, function()
      ask_all(clients, method, inner, buf, answer)
    end)
  end)
end

return M
