--- What the agent changed and nobody decided on yet: known from the bridge, shown in the buffers, kept or undone.

local client = require("copilot-bridge.client")
local events = require("copilot-bridge.events")
local notify = require("copilot-bridge.notify")
local text = require("copilot-bridge.text")

local M = {}

---@class copilot-bridge.Hunk
---@field id string
---@field range table whole lines, in the text of that version
---@field oldText string
---@field newText string
---@field turnId string

---@class copilot-bridge.Pending
---@field uri string
---@field root string
---@field version integer? of the document; nil where it is not open
---@field kind string edit, create, delete or move
---@field from string? URI of a file that was moved, before
---@field hunks copilot-bridge.Hunk[]

---@type table<string, copilot-bridge.Pending> by URI
local pending = {}
local started = false

-- How long the bridge gets to follow a change before it is asked what is pending (milliseconds).
local SETTLE = 300
---@type table<integer, uv.uv_timer_t>
local settling = {}

---@return copilot-bridge.Pending[] sorted by path
function M.files()
  local out = vim.tbl_values(pending)
  table.sort(out, function(a, b)
    return a.uri < b.uri
  end)
  return out
end

---@param uri string
---@return copilot-bridge.Pending?
function M.of(uri)
  return pending[uri]
end

--- The pending changes of a buffer.
---@param buf integer
---@return copilot-bridge.Pending?
function M.of_buffer(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  if name == "" then
    return nil
  end
  local deleted = require("copilot-bridge.review.deleted").uri(buf)
  if deleted then
    return pending[deleted]
  end
  return pending[vim.uri_from_bufnr(buf)] or pending[vim.uri_from_fname(vim.uv.fs_realpath(name) or name)]
end

---@return integer hunks
---@return integer files
function M.count()
  local hunks, files = 0, 0
  for _, p in pairs(pending) do
    hunks, files = hunks + #p.hunks, files + 1
  end
  return hunks, files
end

--- Shows what is pending of a file, if its buffer is loaded and has the text that was spoken of.
---@param uri string
local function show(uri)
  local buf = text.loaded(uri)
  if not buf then
    return
  end
  local render = require("copilot-bridge.review.render")
  local p = pending[uri]
  if not p then
    return render.clear(buf)
  end
  local now = vim.lsp.util.buf_versions[buf]
  if p.version and now and p.version ~= now and not render.fits(buf, p.hunks) then
    -- The text has moved on. The marks have moved with it; the bridge tells what is left once it knows.
    if not settling[buf] then
      local timer = assert(vim.uv.new_timer())
      settling[buf] = timer
      timer:start(
        SETTLE,
        0,
        vim.schedule_wrap(function()
          timer:close()
          settling[buf] = nil
          if pending[uri] then
            M.refresh(pending[uri].root, uri)
          end
        end)
      )
    end
    return
  end
  render.show(buf, p)
end

--- What was done in a hunk, in a few words: `+2 -1`, or what happened to the file where no line changed.
---@param p copilot-bridge.Pending
---@param h copilot-bridge.Hunk
---@return string
function M.summary(p, h)
  local old, new = text.lines(h.oldText), text.lines(h.newText)
  if #old + #new > 0 then
    return ("+%d -%d"):format(#new, #old)
  elseif p.from then
    return "moved from " .. text.short(p.from)
  end
  return ({ create = "new file", delete = "deleted" })[p.kind] or "changed"
end

local QUICKFIX = "Copilot: changes to review"

--- What is pending, as entries of the quickfix list.
---@return table[]
local function quickfix_items()
  local items = {}
  for _, p in ipairs(M.files()) do
    local buf = text.loaded(p.uri)
    local at = buf and require("copilot-bridge.review.render").rows(buf, p)
    for i, h in ipairs(p.hunks) do
      local old, new = text.lines(h.oldText), text.lines(h.newText)
      items[#items + 1] = {
        filename = p.kind == "delete" and require("copilot-bridge.review.deleted").name(p.uri)
          or vim.uri_to_fname(p.uri),
        lnum = (at and at[i] or h.range.start.line) + 1,
        col = 1,
        text = vim.trim(M.summary(p, h) .. "  " .. vim.trim(new[1] or old[1] or "")),
        type = "I",
      }
    end
  end
  return items
end

local renewing = false

--- Brings our quickfix list up to date, where it is the current one, once for all changes that come together.
local function renew_quickfix()
  if renewing then
    return
  end
  renewing = true
  vim.schedule(function()
    renewing = false
    local list = vim.fn.getqflist({ title = 0, idx = 0 })
    if list.title == QUICKFIX then
      local items = quickfix_items()
      local idx = #items > 0 and math.min(math.max(list.idx, 1), #items) or nil
      vim.fn.setqflist({}, "r", { title = QUICKFIX, items = items, idx = idx })
    end
  end)
end

--- Remembers for the next Neovim whether anything is pending in a project.
---@param root string
local function remember(root)
  local waits = vim.iter(pending):any(function(_, p)
    return p.root == root
  end)
  require("copilot-bridge.review.waiting").set(root, waits)
end

---@param file copilot-bridge.wire.ReviewChanged or as review/list has it
---@param root string
local function take(file, root)
  local before = pending[file.uri]
  if #file.hunks == 0 then
    pending[file.uri] = nil
  else
    pending[file.uri] = {
      uri = file.uri,
      root = root,
      version = file.version,
      kind = file.kind or before and before.kind or "edit",
      from = file.from,
      hunks = file.hunks,
    }
  end
  if before and #file.hunks < #before.hunks then
    require("copilot-bridge.documents").settle(file.uri)
  end
  if before and before.kind == "delete" and not pending[file.uri] then
    require("copilot-bridge.review.deleted").decided(file.uri)
  elseif before and not pending[file.uri] then
    require("copilot-bridge.documents").close_vanished(file.uri)
  end
  show(file.uri)
  renew_quickfix()
  remember(root)
end

--- Asks the bridge what is pending.
---@param root string
---@param uri string? of one file alone
---@param done fun(err: table?)?
function M.refresh(root, uri, done)
  local link = client.link(root)
  if not (link and link.ready) then
    return
  end
  client.request(link, "copilot-bridge/review/list", { uri = uri }, function(err, result)
    if not err then
      local there = {}
      for _, file in ipairs(result.files or {}) do
        there[file.uri] = true
        take(file, root)
      end
      for other, p in pairs(pending) do
        if p.root == root and not there[other] and (not uri or uri == other) then
          take({ uri = other, hunks = {} }, root)
        end
      end
      remember(root)
    end
    if done then
      done(err)
    end
  end)
end

--- What came of keep or undo, for the user.
---@param action "keep"|"undo"
---@param err table?
---@param result table?
local function tell(action, err, result)
  if err then
    return notify.failed(err, "Could not " .. action)
  end
  local bad = result and result.conflicts or {}
  if #bad > 0 then
    notify.warn(("Could not %s %d of the changes: %s"):format(action, #bad, bad[1].reason))
  elseif result and result.resolved > 1 then
    notify.info(("%s %d changes"):format(action == "keep" and "Kept" or "Undid", result.resolved))
  end
end

--- Keeps or undoes hunks of one project.
---@param action "keep"|"undo"
---@param root string
---@param what {hunks: string[]?, uri: string?, range: table?, turnId: string?}
---@param done fun(err: table?, result: table?)?
local function resolve(action, root, what, done)
  client.with(root, function(err, link)
    if not link then
      notify.failed(err)
      return done and done(err)
    end
    local params = vim.tbl_extend("force", { action = action }, what)
    client.request(link, "copilot-bridge/review/resolve", params, function(failed, result)
      tell(action, failed, result)
      if done then
        done(failed, result)
      end
    end)
  end)
end

M.decide = resolve

--- Keeps or undoes what is pending.
---@param action "keep"|"undo"
---@param scope "cursor"|"lines"|"file"|"all"
---@param opts {first: integer?, last: integer?, on_end: fun(err: table?, result: table?)?}? lines are 1-based
function M.resolve(action, scope, opts)
  opts = opts or {}
  local buf = vim.api.nvim_get_current_buf()
  if scope == "all" then
    local files = M.files()
    if #files == 0 then
      return notify.info("Nothing to review")
    end
    for _, p in ipairs(files) do
      resolve(action, p.root, { uri = p.uri }, opts.on_end)
    end
    return
  end
  local p = M.of_buffer(buf)
  if not p then
    return notify.info(
      "No changes in this file" .. (M.count() > 0 and ": :CopilotBridge next goes to the next one" or "")
    )
  end
  if scope == "file" or p.kind == "delete" then
    return resolve(action, p.root, { uri = p.uri }, opts.on_end)
  end
  if scope == "lines" then
    local range = { start = { line = opts.first - 1, character = 0 }, ["end"] = { line = opts.last, character = 0 } }
    return resolve(action, p.root, { uri = p.uri, range = range }, opts.on_end)
  end
  local cursor = vim.api.nvim_win_get_cursor(0)[1]
  local ids = require("copilot-bridge.review.render").hunks_in(buf, p, cursor - 1, cursor - 1)
  if #ids == 0 then
    return notify.info(
      "No change under the cursor: :CopilotBridge next goes to one, :CopilotBridge " .. action .. " file takes all"
    )
  end
  resolve(action, p.root, { hunks = ids }, opts.on_end)
end

--- Undoes a whole turn, with what was kept of it: one that is named, else the last one of the current session that changed files.
---@param turn string?
---@param s copilot-bridge.Session? whose turn it is
function M.undo_turn(turn, s)
  s = s or require("copilot-bridge.session").current()
  turn = turn or s and s.changed
  if not (s and turn) then
    return notify.info("No turn of this session has changed anything")
  end
  resolve("undo", s.root, { turnId = turn })
end

--- Puts everything that is pending into the quickfix list.
---@param open boolean
function M.quickfix(open)
  local items = quickfix_items()
  if #items == 0 then
    return notify.info("Nothing to review")
  end
  vim.fn.setqflist({}, " ", { title = QUICKFIX, items = items })
  if open then
    vim.cmd("botright copen")
  end
end

function M.start()
  if started then
    return
  end
  started = true
  require("copilot-bridge.highlight").start()
  require("copilot-bridge.review.deleted").start()
  events.on("review/didChange", function(params, client_id)
    local c = client_id and vim.lsp.get_client_by_id(client_id)
    take(params, c and c.config.root_dir or client.root())
  end)
  events.on("client/started", function(params)
    M.refresh(params.root)
  end)
  local group = vim.api.nvim_create_augroup("copilot-bridge.review", {})
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWinEnter" }, {
    group = group,
    callback = function(ev)
      local p = M.of_buffer(ev.buf)
      if p then
        vim.schedule(function()
          if vim.api.nvim_buf_is_valid(ev.buf) and pending[p.uri] then
            show(p.uri)
          end
        end)
      end
    end,
  })
end

return M
