--- The bridge as a language server of Neovim's: one for each project, started when it is needed, attached to the buffers of
--- files (buffers.lua) beside the servers that are there, started again when it dies.

local rpc = require("copilot-bridge.rpc")
local buffers = require("copilot-bridge.buffers")
local config = require("copilot-bridge.config")
local events = require("copilot-bridge.events")
local lsp = require("copilot-bridge.lsp")
local notify = require("copilot-bridge.notify")
local project = require("copilot-bridge.project")

local M = {}

M.NAME = lsp.NAME

---@class copilot-bridge.Link
---@field root string
---@field client vim.lsp.Client? while it runs
---@field ready boolean it has answered `initialize`
---@field waiting fun(err: table?, link: copilot-bridge.Link?)[]
---@field deaths integer[] when it died of late (ms)
---@field ran boolean it has been ready before
---@field retrying boolean it will be started again in a moment
---@field down string? why it is not started again
---@field status {kind: string, message: string}? what it says of itself, beside its sessions

local links = buffers.links
---@type string?
local last_root

---@param message string
---@param hint string? what to do
---@return table
local function unavailable(message, hint)
  return { code = rpc.UNAVAILABLE, message = message, data = { retryable = true, hint = hint } }
end

---@param link copilot-bridge.Link
---@param err table?
local function settle(link, err)
  local waiting = link.waiting
  link.waiting = {}
  for _, cb in ipairs(waiting) do
    cb(err, not err and link or nil)
  end
end

local start ---@type fun(link: copilot-bridge.Link)

--- The bridge has ended without being told to: once more, later and later, and not for ever.
---@param link copilot-bridge.Link
---@param exit copilot-bridge.Exit
local function died(link, exit)
  local limits = config.get().restart
  local now = vim.uv.now()
  link.deaths = vim.tbl_filter(function(at)
    return now - at < limits.window
  end, link.deaths)
  table.insert(link.deaths, now)
  local how = exit.signal ~= 0 and ("signal " .. exit.signal) or ("exit status " .. exit.code)
  local said = exit.stderr[#exit.stderr]
  local log = require("copilot-bridge.log")
  log.add("error", ("the bridge of %s ended (%s)%s"):format(link.root, how, said and ": " .. said or ""))
  if #link.deaths > limits.max or not link.ran then
    link.down = link.ran and ("it exited %d times in %d s"):format(#link.deaths, limits.window / 1000)
      or "it doesn't start"
    local message = ("The bridge is down: %s (%s%s)"):format(link.down, how, said and ": " .. said or "")
    local hint = ":CopilotBridge restart, :checkhealth copilot-bridge"
    notify.error(message, "; " .. hint)
    return settle(link, vim.tbl_extend("force", unavailable(message, hint), { told = true }))
  end
  local in_view = require("copilot-bridge.notices").in_view
  if #link.deaths == 1 and not vim.iter(require("copilot-bridge.session").of_root(link.root)):any(in_view) then
    notify.warn(("Interrupted: the bridge exited (%s) and is restarting"):format(how)) -- else the chat says it
  end
  link.retrying = true
  vim.defer_fn(function()
    link.retrying = false
    if not link.client and not link.down then
      start(link)
    end
  end, limits.delay * 2 ^ (#link.deaths - 1))
end

---@param link copilot-bridge.Link
---@param exit copilot-bridge.Exit
local function on_exit(link, exit)
  local id = link.client and link.client.id
  link.client, link.ready, link.status = nil, false, nil
  local expected = exit.expected or vim.v.exiting ~= vim.NIL
  events.emit("client/stopped", {
    client_id = id,
    root = link.root,
    code = exit.code,
    signal = exit.signal,
    expected = expected,
    sessions = require("copilot-bridge.session").of_root(link.root),
  }, id)
  if expected then
    settle(link, unavailable("The bridge was stopped"))
  else
    died(link, exit)
  end
end

---@param link copilot-bridge.Link
---@param client vim.lsp.Client
local function on_ready(link, client)
  link.client, link.ready = client, true
  local again = link.ran
  link.ran = true
  buffers.attach_all()
  settle(link)
  events.emit("client/started", { client_id = client.id, root = link.root, restarted = again }, client.id)
end

start = function(link)
  local cfg, err = lsp.config(link, {
    ready = function(client)
      on_ready(link, client)
    end,
    exit = function(exit)
      on_exit(link, exit)
    end,
  })
  if not cfg then
    return settle(link, unavailable(err --[[@as string]]))
  end
  for _, module in ipairs({
    "review",
    "review.comments",
    "focus",
    "notices",
    "resume",
    "documents",
    "question.queue",
    "status",
  }) do
    require("copilot-bridge." .. module).start()
  end
  require("copilot-bridge.language.servers").start()
  require("copilot-bridge.chat").listen()
  buffers.follow()
  local ok, id
  if vim.fn.has("nvim-0.11") == 1 then
    ok, id = pcall(vim.lsp.start, cfg, {
      attach = false,
      silent = true,
      reuse_client = function()
        return false
      end,
    })
  else
    ok, id = pcall(vim.lsp.start_client, cfg)
  end
  local client = ok and id and vim.lsp.get_client_by_id(id)
  if not client then
    local why = ok and "see :CopilotBridge log" or tostring(id)
    return settle(link, unavailable("The bridge doesn't start: " .. why))
  end
  link.client = link.client or client
end

--- Calls cb with the bridge of a project when that is ready; starts it if need be.
---@param root string
---@param cb fun(err: table?, link: copilot-bridge.Link?)
function M.with(root, cb)
  root = vim.fs.normalize(root)
  local link = links[root]
  if not link then
    link = { root = root, ready = false, waiting = {}, deaths = {}, ran = false, retrying = false }
    links[root] = link
  end
  last_root = root
  if link.ready then
    return vim.schedule(function()
      cb(nil, link)
    end)
  end
  table.insert(link.waiting, function(...)
    local args = { ... }
    vim.schedule(function()
      cb(unpack(args, 1, 2))
    end)
  end)
  if link.down then
    settle(link, unavailable("The bridge is down: " .. link.down, "run `:CopilotBridge restart`"))
  elseif not link.client and not link.retrying then
    start(link)
  end
end

--- The project to use where none is named: that of the current file, if its bridge runs, else the one used last, else
--- that of the current file.
---@return string
function M.root()
  local path = project.file_of(vim.api.nvim_get_current_buf())
  local link = path and buffers.link_for(path)
  if link then
    return link.root
  end
  if path or not last_root then
    return project.root_of()
  end
  return last_root
end

---@return copilot-bridge.Link[]
function M.links()
  local out = vim.tbl_values(links)
  table.sort(out, function(a, b)
    return a.root < b.root
  end)
  return out
end

---@param root string
---@return copilot-bridge.Link?
function M.link(root)
  return links[root]
end

--- A request of our own. cb is called exactly once, never before this returns.
---@param link copilot-bridge.Link
---@param method string with its prefix
---@param params table
---@param cb fun(err: table?, result: any)
function M.request(link, method, params, cb)
  local client = link.client
  local sent = false
  if client and link.ready then
    buffers.flush(client)
    sent = client.rpc.request(method, next(params) == nil and vim.empty_dict() or params, cb)
  end
  if not sent then
    vim.schedule(function()
      cb(unavailable("The bridge isn't running", "run `:CopilotBridge restart`"))
    end)
  end
end

---@param link copilot-bridge.Link
---@param method string with its prefix
---@param params table
function M.notify(link, method, params)
  if link.client and link.ready then
    link.client.rpc.notify(method, next(params) == nil and vim.empty_dict() or params)
  end
end

--- Ends the bridge of a project and starts it anew.
---@param root string
---@param cb fun(err: table?, link: copilot-bridge.Link?)?
function M.restart(root, cb)
  local link = links[root]
  if link then
    link.down, link.deaths = nil, {}
  end
  local function again()
    M.with(root, cb or function() end)
  end
  if not (link and link.client) then
    return again()
  end
  local cancel
  cancel = events.on("client/stopped", function(params)
    if params.root == root then
      cancel()
      vim.schedule(again)
    end
  end)
  link.client.rpc.terminate()
end

--- Ends all bridges.
function M.stop()
  for _, link in pairs(links) do
    if link.client then
      link.client.rpc.terminate()
    end
  end
end

--- Starts the bridge of the project that a file is in, if it is in one.
---@param buf integer
function M.consider(buf)
  local path = project.file_of(buf)
  if path and vim.fs.root(path, config.get().root_markers) and not buffers.link_for(path) then
    M.with(project.root_of(buf), function() end)
  end
end

--- With the option `autostart`: the bridge starts with the first file of a project.
function M.autostart()
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    group = vim.api.nvim_create_augroup("copilot-bridge.autostart", {}),
    callback = function(ev)
      M.consider(ev.buf)
    end,
  })
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    M.consider(buf)
  end
end

return M
