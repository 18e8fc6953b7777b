--- The language servers of a buffer, without the bridge, and what they have said of its present text.

local hidden = require("copilot-bridge.language.hidden")

local M = {}

local NEW = vim.fn.has("nvim-0.11") == 1
local PUBLISH = "textDocument/publishDiagnostics"

-- How long a buffer that was just opened may be without a server: file types start theirs a moment later (milliseconds).
local ATTACH = 1500
-- How long one may take to start; the bridge waits for 10 s in all (milliseconds).
local START = 8000
-- How often it is looked whether something has come (milliseconds).
local POLL = 25

-- Types of files for which no server has come in that time: the next one is not waited for.
---@type table<string, boolean>
local without = { [""] = true }

-- The newest version of each buffer's text that a server has spoken about.
---@type table<integer, integer>
local spoken = {}

---@param buf integer?
---@return vim.lsp.Client[]
function M.of(buf)
  return vim.tbl_filter(function(c)
    local stopped = NEW and c:is_stopped() or not NEW and c.is_stopped()
    return not stopped and c.name ~= require("copilot-bridge.client").NAME
  end, vim.lsp.get_clients({ bufnr = buf }))
end

---@param client vim.lsp.Client
---@param method string
---@param buf integer?
---@return boolean
function M.supports(client, method, buf)
  if NEW then
    return client:supports_method(method, buf)
  end
  return client.supports_method(method, { bufnr = buf })
end

--- One request to one server; it sends what was typed first.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param buf integer?
---@param cb fun(err: table?, result: any)
---@return fun() cancel
function M.ask(client, method, params, buf, cb)
  local function handler(err, result)
    cb(err, result)
  end
  local ok, id
  if NEW then
    ok, id = client:request(method, params, handler, buf)
  else
    ok, id = client.request(method, params, handler, buf)
  end
  if not ok then
    cb({ code = -32603, message = client.name .. " has ended" })
    return function() end
  end
  return function()
    if NEW then
      client:cancel_request(id)
    else
      client.cancel_request(id)
    end
  end
end

--- Calls cb when ready() or after a time, and never before this returns.
---@param limit integer milliseconds
---@param ready fun(): boolean
---@param cb fun(ready: boolean)
function M.wait(limit, ready, cb)
  local timer, until_ = assert(vim.uv.new_timer()), vim.uv.now() + limit
  local done = false
  timer:start(
    0,
    POLL,
    vim.schedule_wrap(function()
      if done then
        return
      end
      local ok = ready()
      if ok or vim.uv.now() >= until_ then
        done = true
        timer:close()
        cb(ok)
      end
    end)
  )
end

--- Calls cb with the servers of a buffer; one that was just opened is given a moment to get them.
---@param buf integer
---@param opened boolean
---@param cb fun(servers: vim.lsp.Client[])
function M.with(buf, opened, cb)
  local type_, begun = vim.bo[buf].filetype, vim.uv.now()
  local patience = opened and not without[type_] and ATTACH or 0
  M.wait(START, function()
    if not vim.api.nvim_buf_is_valid(buf) or #M.of(buf) > 0 then
      return true
    end
    local starting = vim.tbl_filter(function(c)
      return c.name ~= require("copilot-bridge.client").NAME and not c.initialized
    end, vim.lsp.get_clients({ bufnr = buf, _uninitialized = true }))
    return vim.uv.now() - begun >= patience and #starting == 0
  end, function()
    local found = vim.api.nvim_buf_is_valid(buf) and M.of(buf) or {}
    without[type_] = #found == 0 or nil
    cb(found)
  end)
end

---@param buf integer
---@return boolean
local function current(buf)
  return (spoken[buf] or -1) >= (vim.lsp.util.buf_versions[buf] or 0)
end

--- Calls cb when a server has spoken about the present text of a buffer, or after a time.
---@param buf integer
---@param limit integer milliseconds
---@param cb fun(spoken: boolean)
function M.await(buf, limit, cb)
  M.wait(limit, function()
    return not vim.api.nvim_buf_is_valid(buf) or current(buf)
  end, cb)
end

---@param buf integer
---@param version integer?
local function note(buf, version)
  local now = vim.lsp.util.buf_versions[buf]
  if now then
    spoken[buf] = math.max(spoken[buf] or -1, version and version > 0 and version or now)
  end
end

local group ---@type integer?

--- Listens to what servers say, and tells them of files that were changed on disk: Neovim does not watch them on every system.
function M.start()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.language", {})
  hidden.start()
  local publish = vim.lsp.handlers[PUBLISH]
  vim.lsp.handlers[PUBLISH] = function(err, result, ...)
    if result and result.uri then
      local buf = hidden.find(result.uri)
      if buf then
        note(buf, type(result.version) == "number" and result.version or nil)
      end
    end
    return publish(err, result, ...)
  end
  vim.api.nvim_create_autocmd("DiagnosticChanged", { -- of a server that is asked for them
    group = group,
    callback = function(ev)
      for _, c in ipairs(M.of(ev.buf)) do
        if M.supports(c, "textDocument/diagnostic", ev.buf) then
          note(ev.buf)
        end
      end
    end,
  })
  vim.api.nvim_create_autocmd("LspAttach", {
    group = group,
    callback = function(ev)
      local client = vim.lsp.get_client_by_id(ev.data.client_id)
      if client and client.name ~= require("copilot-bridge.client").NAME then
        without[vim.bo[ev.buf].filetype] = nil
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "BufUnload", "LspDetach" }, {
    group = group,
    callback = function(ev)
      spoken[ev.buf] = nil
    end,
  })
  require("copilot-bridge.events").on("review/didChange", function(params)
    hidden.refresh()
    local name = vim.uri_to_fname(params.uri)
    local kind = not vim.uv.fs_stat(name) and 3 or params.kind == "create" and 1 or 2
    for _, c in ipairs(M.of()) do
      local root = c.config.root_dir
      if type(root) == "string" and require("copilot-bridge.project").inside(name, root) then
        local send = NEW and function(...)
          c:notify(...)
        end or c.notify
        send("workspace/didChangeWatchedFiles", { changes = { { uri = params.uri, type = kind } } })
      end
    end
  end)
end

return M
