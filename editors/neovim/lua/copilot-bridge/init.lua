--- GitHub Copilot CLI in Neovim, through copilot-bridge. Every verb of `:CopilotBridge` is a function here.

local M = {}

--- Takes options; see |copilot-bridge-options|. Need not be called.
---@param opts table?
function M.setup(opts)
  local config = require("copilot-bridge.config")
  config.setup(opts)
  if config.get().autostart then
    require("copilot-bridge.client").autostart()
  end
end

---@class copilot-bridge.PromptArgs: copilot-bridge.PromptOptions
---@field session string? the current one without it, a new one where there is none

--- Sends a prompt. on_end is called once, whatever becomes of it.
---@param text string|table[] text, or ACP ContentBlocks
---@param opts copilot-bridge.PromptArgs?
function M.prompt(text, opts)
  opts = opts or {}
  local session = require("copilot-bridge.session")
  local failed = require("copilot-bridge.notify").failed
  local function send(err, s)
    if not s then
      failed(err)
      if opts.on_end then
        opts.on_end({ stopReason = "error", error = err, files = {} })
      end
      return
    end
    session.prompt(s.id, text, opts, function(refused, result)
      if refused then
        failed(refused)
      elseif result.queued > 0 and not result.steered then
        require("copilot-bridge.notify").info(("Queued behind %d"):format(result.queued))
      end
    end)
  end
  if opts.session then
    local s = session.get(opts.session)
    if s then
      return send(nil, s)
    end
    return session.load(opts.session, send)
  end
  session.ensure(send)
end

--- Stops the turn that runs, and takes the prompts behind it out of the queue.
---@param id string? of a session; the current one
function M.cancel(id)
  local session = require("copilot-bridge.session")
  local s = id and session.get(id) or session.current()
  if not s then
    return require("copilot-bridge.notify").info("Nothing is running")
  end
  for _, waiting in ipairs(s.queue) do
    session.cancel(s.id, waiting.turnId)
  end
  session.cancel(s.id, nil, function(err)
    if err then
      require("copilot-bridge.notify").failed(err)
    end
  end)
end

---@alias copilot-bridge.Scope "cursor"|"lines"|"file"|"all"

---@param run fun()
local function with_review(run)
  local client = require("copilot-bridge.client")
  local root = client.root()
  local link = client.link(root)
  if link and link.ready then
    return run()
  end
  -- What an earlier Neovim left to review is known to the bridge alone.
  client.with(root, function(err)
    if err then
      return require("copilot-bridge.notify").failed(err)
    end
    require("copilot-bridge.review").refresh(root, nil, function(failed)
      if failed then
        return require("copilot-bridge.notify").failed(failed, "Could not list the changes")
      end
      run()
    end)
  end)
end

---@param action "keep"|"undo"
---@param scope copilot-bridge.Scope?
---@param opts {first: integer?, last: integer?, on_end: fun(err: table?, result: table?)?}?
local function resolve(action, scope, opts)
  scope = scope or "cursor"
  local buf, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1]
  with_review(function()
    if scope ~= "all" and vim.api.nvim_get_current_buf() ~= buf then
      return require("copilot-bridge.notify").info("Nothing was changed: you are in another file now")
    end
    local lines = scope == "cursor" and { first = line, last = line } or {}
    require("copilot-bridge.review").resolve(action, scope, vim.tbl_extend("keep", opts or {}, lines))
  end)
end

--- Keeps what is pending: under the cursor, in lines, in the file, or everything.
---@param scope copilot-bridge.Scope? cursor without it
---@param opts {first: integer?, last: integer?, on_end: fun(err: table?, result: table?)?}?
function M.keep(scope, opts)
  resolve("keep", scope, opts)
end

--- Undoes what is pending, likewise. The agent is told with the next prompt.
---@param scope copilot-bridge.Scope?
---@param opts {first: integer?, last: integer?, on_end: fun(err: table?, result: table?)?}?
function M.undo(scope, opts)
  resolve("undo", scope, opts)
end

--- Goes to the next pending hunk, through all files.
---@param count integer?
function M.next(count)
  with_review(function()
    require("copilot-bridge.review.motion").go(count or 1)
  end)
end

--- Goes to the pending hunk before.
---@param count integer?
function M.prev(count)
  with_review(function()
    require("copilot-bridge.review.motion").go(-(count or 1))
  end)
end

--- Opens the current file before and after, side by side; closes them if they are open.
function M.diff()
  with_review(function()
    require("copilot-bridge.review.diff").toggle()
  end)
end

--- Puts all pending hunks into the quickfix list and opens it.
function M.changes()
  with_review(function()
    require("copilot-bridge.review").quickfix(true)
  end)
end

--- Shows the question that waits.
function M.answer()
  if not require("copilot-bridge.question.queue").now() then
    require("copilot-bridge.notify").info("No question is waiting")
  end
end

--- Opens an empty chat. The session is made with its first prompt, as is one for a prompt from elsewhere.
function M.new()
  require("copilot-bridge.session").set_current(nil)
  require("copilot-bridge.chat").new()
  vim.cmd.startinsert({ bang = true })
end

--- Opens or closes the chat; with a session opens that one, with "new" an empty one.
---@param id string?
function M.chat(id)
  if id == "new" then
    return M.new()
  end
  local chat = require("copilot-bridge.chat")
  if not id then
    if chat.toggle() then
      vim.cmd.startinsert({ bang = true })
    end
    return
  end
  local session = require("copilot-bridge.session")
  local known = session.get(id)
  local shown = chat.open(id)
  if known and known.live then
    return session.set_current(id)
  end
  shown:opens("Opening the session")
  session.load(id, function(err)
    shown:opens(nil, err)
    if err then
      require("copilot-bridge.notify").failed(err, "Could not open the session")
    end
  end, function()
    shown:opens("Still open in another editor: waiting for it")
  end)
end

--- Picks a session and opens it.
function M.sessions()
  require("copilot-bridge.session_picker").pick()
end

--- Sets how much the current session asks, or picks it; "next" goes on to the next level.
---@param name string? id or name
function M.level(name)
  require("copilot-bridge.pick").level(name)
end

--- Opens everything pending as one diff, to keep, undo and comment on line by line.
function M.review()
  with_review(function()
    require("copilot-bridge.review.all").open()
  end)
end

--- Attaches something to the next prompt, shown in the chat: places as in `context`, else "selection", "diagnostics", "quickfix",
--- "clipboard" (an image) or a file by its path; the current file without either.
---@param what string?
---@param places table[]?
function M.attach(what, places)
  local attach = require("copilot-bridge.chat.attach")
  local current = require("copilot-bridge.context").current()
  if what == "selection" then
    what, places = nil, { require("copilot-bridge.context").selection() }
  end
  local chat = require("copilot-bridge.chat").open()
  if what then
    return attach.word(chat, what)
  end
  for _, place in ipairs(places or { current }) do
    attach.place(chat, place)
  end
end

--- Signs in to Copilot, in a terminal.
function M.login()
  require("copilot-bridge.login").run()
end

--- Sets the mode of the current session, or picks it.
---@param name string? id or name
function M.mode(name)
  require("copilot-bridge.pick").mode(name)
end

--- Sets an option of the current session, or picks it and its value.
---@param name string? id or name
---@param value string?
function M.option(name, value)
  require("copilot-bridge.pick").option(name, value)
end

--- Lists what is allowed or refused for good, to take one back.
function M.permissions()
  require("copilot-bridge.pick").permissions()
end

--- Starts the agent anew, or with "bridge" the bridge and so everything.
---@param what "agent"|"bridge"|nil
function M.restart(what)
  local client = require("copilot-bridge.client")
  local notify = require("copilot-bridge.notify")
  local root = client.root()
  local link = client.link(root)
  if what == "bridge" or not (link and link.ready) then
    return client.restart(root, function(err)
      if err then
        return notify.failed(err)
      end
      notify.info("Bridge started")
    end)
  end
  require("copilot-bridge.session").request("agent/restart", {}, function(err)
    if err then
      return notify.failed(err)
    end
    notify.info("The agent restarts with the next prompt")
  end)
end

--- Opens the log.
function M.log()
  vim.cmd("split " .. vim.fn.fnameescape(require("copilot-bridge.log").path()))
  vim.bo.readonly = true
  vim.cmd("normal! G")
end

--- Shows which bridge and which agent run, and the sessions.
function M.info()
  require("copilot-bridge.info").show()
end

--- Builds the bridge with Go.
---@param done fun(err: string?)?
function M.build(done)
  require("copilot-bridge.binary").build(done)
end

--- Downloads, checks and unpacks the bridge of the release that the plugin belongs to.
---@param done fun(err: string?)?
function M.install(done)
  require("copilot-bridge.install").install(done)
end

--- Ends the bridges of this Neovim.
function M.stop()
  require("copilot-bridge.client").stop()
end

--- One short text for a status line; empty where no bridge runs.
---@param id string? of a session
---@return string
function M.statusline(id)
  if not package.loaded["copilot-bridge.client"] then
    return ""
  end
  return require("copilot-bridge.status").line(id)
end

return M
