-- One block of a conversation as lines of Markdown with their highlights, folds and links. Pure: the same block gives
-- the same lines, whether it came live or from history.

local blocks = require("copilot-bridge.chat.blocks")
local diff = require("copilot-bridge.chat.diff")
local draw = require("copilot-bridge.chat.draw")
local model = require("copilot-bridge.chat.model")
local tables = require("copilot-bridge.chat.table")
local terminal = require("copilot-bridge.chat.terminal")
local tool = require("copilot-bridge.chat.tool")
local given = blocks.given

local M = {}

---@class copilot-bridge.RenderContext
---@field icons copilot-bridge.ChatIcons
---@field config copilot-bridge.ChatConfig
---@field cwd string?
---@field previous copilot-bridge.Block?
---@field agent string the agent's name

local diff_groups = {
  [" "] = "CopilotBridgeChatDim",
  ["+"] = "CopilotBridgeChatAdded",
  ["-"] = "CopilotBridgeChatRemoved",
  ["@"] = "CopilotBridgeChatHunk",
}

local function diff_group(line)
  return diff_groups[line:sub(1, 1)]
end

---@type table<string, fun(d: table, b: copilot-bridge.Block, ctx: copilot-bridge.RenderContext)>
local kinds = {}

function kinds.user(d, b, ctx)
  d.user = true
  d:heading(b.steered and "You, meanwhile" or "You", "CopilotBridgeChatUser", ctx, true, b.chips)
  local lines = b.lines
  for _, l in ipairs(lines) do
    d:line({ l })
  end
  local open = draw.unclosed(lines)
  if open then
    d:line({ open })
  end
  for _, a in ipairs(b.attached or {}) do
    local path = a:match("^/") and a or nil
    d:line({
      { "@ ", "CopilotBridgeChatDim" },
      { blocks.relative(a, ctx.cwd), "CopilotBridgeChatMention", path and { path = path } },
    })
  end
end

function kinds.agent(d, b)
  local lines = vim.list_slice(b.lines, 1, draw.shown(b))
  local languages = {}
  if not b.open then -- while it comes a table would jump with each cell
    lines, languages = tables.align(lines)
  end
  for row, lang in pairs(languages) do
    local words = { { lang, "CopilotBridgeChatDim" } }
    d.marks[#d.marks + 1] = { #d.lines + row, 0, { virt_text = words, virt_text_pos = "right_align" } }
  end
  vim.list_extend(d.lines, lines)
  if not b.open then
    local open = draw.unclosed(b.lines)
    if open then
      d:line({ open })
    end
  end
end

function kinds.thought(d, b, ctx)
  local n = draw.shown(b)
  local words = b.open and "Thinking" or "Thought"
  d:line({
    { ctx.icons.thought .. " " .. words, "CopilotBridgeChatThought" },
    { n > 0 and (" (%d %s)"):format(n, n == 1 and "line" or "lines") or "", "CopilotBridgeChatDim" },
  })
  for i = 1, n do
    d:whole(d:line({ "> " .. b.lines[i] }), "CopilotBridgeChatThought")
  end
  d.fold = n > 0 and "closed" or nil
end

function kinds.plan(d, b, ctx)
  local done = 0
  for _, e in ipairs(b.entries) do
    done = done + (e.status == "completed" and 1 or 0)
  end
  d:line({
    { ctx.icons.plan .. " Plan ", "CopilotBridgeChatVerb" },
    { ("%d/%d"):format(done, #b.entries), "CopilotBridgeChatDim" },
  })
  for _, e in ipairs(b.entries) do
    local state = e.status == "completed" and "done" or e.status == "in_progress" and "running" or "pending"
    local group = state == "done" and "CopilotBridgeChatPlanDone"
      or state == "running" and "CopilotBridgeChatPlanNow"
      or nil
    local text = (given(e.content) or ""):gsub("%s+", " ")
    local row = d:line({ ("- [%s] "):format(state == "done" and "x" or " "), { text, group } })
    local sign =
      { done = "CopilotBridgeChatDone", running = "CopilotBridgeChatRunning", pending = "CopilotBridgeChatPending" }
    d.marks[#d.marks + 1] = {
      row,
      0,
      { virt_text = { { "  " .. ctx.icons[state] .. "   ", sign[state] } }, virt_text_pos = "overlay", priority = 200 },
    }
  end
  d.fold = #b.entries > 0 and "open" or nil
end

local state_groups = {
  pending = "CopilotBridgeChatPending",
  running = "CopilotBridgeChatRunning",
  done = "CopilotBridgeChatDone",
  failed = "CopilotBridgeChatFailed",
  cancelled = "CopilotBridgeChatPending",
}

-- The diffs of a call; they cost time, so they are kept until its content changes.
local function diffs(b)
  if b.diffs_of ~= b.content then
    b.diffs, b.diffs_of = {}, b.content
    for _, c in ipairs(b.content or {}) do
      if c.type == "diff" then
        b.diffs[#b.diffs + 1] = diff.of(c)
      end
    end
  end
  return b.diffs or {}
end

local function stats(parts, added, removed, ctx)
  if added > 0 then
    parts[#parts + 1] = { (" +%d"):format(added), "CopilotBridgeChatAdded" }
  end
  if removed > 0 then
    parts[#parts + 1] = { (" %s%d"):format(ctx.icons.minus, removed), "CopilotBridgeChatRemoved" }
  end
end

function kinds.tool(d, b, ctx)
  local cfg, state = ctx.config, tool.state(b)
  local words, list = tool.words(b, ctx.cwd), diffs(b)
  local text, exit = blocks.result(b.content, not tool.running(b) and b.output or nil), nil
  if b.exit then -- the last line says it in words
    text, exit = text:match("^(.*)\n[^\n]*%S[^\n]*%s*$") or "", tool.exit(b.exit)
  end
  if b.terminal and b.terminal.exit then
    exit = tool.exit(b.terminal.exit)
  end
  local failed = state == "failed" or exit and exit ~= "0"
  if failed and state == "done" then
    state = "failed"
  end
  local link = words.path and { path = words.path, line = words.line or (list[1] and list[1].first) }
  local command = words.shell and vim.split(vim.trim(words.target), "\n") or {}
  local target = words.shell and command[1] or words.target
  local head = {
    { ctx.icons[state] .. " ", state_groups[state] },
    { words.verb ~= "" and words.verb .. " " or "", "CopilotBridgeChatVerb" },
    {
      draw.inline(target) .. (#command > 1 and " …" or ""),
      "CopilotBridgeChatTarget",
      link,
      plain = vim.trim(target) .. (#command > 1 and " …" or ""),
    },
  }
  local added, removed = 0, 0
  for _, x in ipairs(list) do
    added, removed = added + x.added, removed + x.removed
  end
  stats(head, added, removed, ctx)
  if #list == 1 and list[1].created and words.verb ~= "Create" then
    head[#head + 1] = { " new", "CopilotBridgeChatDim" }
  end
  if state == "cancelled" then
    head[#head + 1] = { " cancelled", "CopilotBridgeChatDim" }
  elseif exit and exit ~= "0" then
    head[#head + 1] = { " exit " .. exit, "CopilotBridgeChatFailed" }
  end
  if words.note then
    head[#head + 1] = { "  " .. words.note, "CopilotBridgeChatDim" }
  end
  d:line(head)
  if b.message then -- the rest is for who wants to know
    d:line({ "  ", { b.message, "CopilotBridgeChatWarn" } })
    if text ~= "" or #list > 0 then
      d.fold_at = #d.lines
      d:line({ { "  Details", "CopilotBridgeChatDim" } })
    end
  end
  if #command > 1 then
    d:code(command, "sh", "CopilotBridgeChatOutput", cfg.max_lines)
  end
  for i, l in ipairs(b.locations or {}) do
    local path, at = given(l.path), given(l.line)
    if path and (i > 1 or path ~= words.path) then
      d:line({
        "  ",
        {
          blocks.relative(path, ctx.cwd) .. (at and ":" .. at or ""),
          "CopilotBridgeChatTarget",
          { path = path, line = at },
        },
      })
    end
  end
  for _, x in ipairs(list) do
    if #list > 1 or x.path ~= words.path then
      local parts =
        { "  ", { blocks.relative(x.path, ctx.cwd), "CopilotBridgeChatTarget", { path = x.path, line = x.first } } }
      stats(parts, x.added, x.removed, ctx)
      d:line(parts)
    end
    if #x.lines > 0 then
      d:code(x.lines, "diff", diff_group, cfg.max_lines)
    end
  end
  local group = failed and state ~= "cancelled" and not words.shell and "CopilotBridgeChatError"
    or "CopilotBridgeChatOutput"
  local lines
  if b.terminal and (tool.running(b) or text == "") then
    local n = tool.running(b) and cfg.terminal_lines or cfg.max_lines
    local tail, before = b.terminal:tail(n)
    if before > 0 then
      table.insert(tail, 1, ("… %d lines before"):format(before))
    end
    lines = tail
  elseif text ~= "" and (#list == 0 or failed) then
    lines = terminal.plain(text)
    while #lines > 0 and lines[#lines]:match("^%s*$") do
      lines[#lines] = nil
    end
  end
  if lines and #lines > 0 then
    d:code(lines, "", group, not tool.running(b) and cfg.max_lines or nil, words.shell)
  end
  local rows = #d.lines - (d.fold_at or d.head) - 1
  if rows > 0 then
    local short = rows - 2 <= cfg.unfolded_lines
    local shows = not b.message and (tool.running(b) or short and (#list > 0 or failed))
    d.fold = shows and "open" or "closed"
  end
end

local note_groups = { info = "CopilotBridgeChatInfo", warn = "CopilotBridgeChatWarn", error = "CopilotBridgeChatError" }

function kinds.notice(d, b, ctx)
  local icon = b.level == "error" and ctx.icons.failed or b.level == "warn" and ctx.icons.warn or ctx.icons.info
  for i, l in ipairs(b.lines) do
    d:line({
      { (i == 1 and icon or " ") .. " ", note_groups[b.level] },
      { l, b.level == "info" and "CopilotBridgeChatDim" or note_groups[b.level] },
    })
  end
end

local reasons = {
  cancelled = "Stopped.",
  max_tokens = "The answer was cut off: it reached the model's token limit.",
  max_turn_requests = "Stopped: the agent reached its limit of requests in one turn.",
  refusal = "The agent refused. It has forgotten this prompt and what came after it.",
}

kinds["end"] = function(d, b, ctx)
  local words = b.message or reasons[b.reason]
  if words and words ~= "" then
    local bad = b.reason ~= "cancelled"
    local icon = b.reason == "cancelled" and ctx.icons.cancelled
      or b.reason == "error" and ctx.icons.failed
      or ctx.icons.warn
    local group = b.reason == "error" and "CopilotBridgeChatError"
      or bad and "CopilotBridgeChatWarn"
      or "CopilotBridgeChatDim"
    for i, l in ipairs(vim.split(words, "\n")) do
      d:line({ { (i == 1 and icon or " ") .. " " .. l, group } })
    end
    if b.hint then
      d:line({ { "  " .. b.hint, "CopilotBridgeChatDim" } })
    end
  end
  for i, f in ipairs(b.files or {}) do
    local path = blocks.path(f.uri or f.path or "")
    local parts = {
      { i == 1 and "Changed " or "        ", "CopilotBridgeChatDim" },
      { draw.inline(blocks.relative(path, ctx.cwd)), "CopilotBridgeChatTarget", { path = path } },
    }
    stats(parts, f.added or 0, f.removed or 0, ctx)
    d:line(parts)
  end
end

-- Whether nothing of a block is drawn: it was taken back, or says nothing. An agent may send an empty plan, and thoughts without
-- a word.
---@param b copilot-bridge.Block
---@return boolean
function M.blank(b)
  if b.gone then
    return true
  elseif b.kind == "plan" then
    return #b.entries == 0
  end
  if b.open or b.kind ~= "thought" and b.kind ~= "agent" then
    return false
  end
  model.settle(b)
  for _, l in ipairs(b.lines) do
    if l:find("%S") then
      return false
    end
  end
  return true
end

local ours = { agent = true, thought = true, tool = true, plan = true }

-- The block as it is drawn after the one before it.
---@param b copilot-bridge.Block
---@param ctx copilot-bridge.RenderContext
---@return copilot-bridge.Drawn
function M.block(b, ctx)
  local d = draw.new()
  if M.blank(b) then
    return d
  end
  model.settle(b)
  local previous = ctx.previous
  local speaks = ours[b.kind] and (not previous or not ours[previous.kind] and previous.kind ~= "notice")
  if not (previous and previous.kind == b.kind and (b.kind == "tool" or b.kind == "notice")) then
    d:line({ "" })
  end
  if speaks then
    d:heading(ctx.agent, "CopilotBridgeChatAgent", ctx)
  end
  d.head = #d.lines
  kinds[b.kind](d, b, ctx)
  return d
end

return M
