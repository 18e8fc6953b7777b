--- Questions of permission: what will be changed or run, whole, and the answers the bridge offers. No answer is a no.

local questions = require("copilot-bridge.question.queue")
local events = require("copilot-bridge.events")
local text = require("copilot-bridge.text")

local M = {}

-- Lines around a change.
local CONTEXT = 3

-- Lines of the screen that a question takes whose change is shown in the file: a few of its own and the frame.
local FOOT = 9

-- Keys of the answers, by their id where the bridge gives them one of its own, else by their kind in ACP v1.
local KEYS = {
  allow_session = "S",
  run_unsaved = "u",
  allow_once = "y",
  allow_always = "A",
  reject_once = "n",
  reject_always = "N",
}

---@param old string[]
---@param new string[]
---@return {id: string?, first: integer, old: string[], new: string[]}[] first: 0-based line in old
local function compare(old, new)
  local out = {}
  local a, b = table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. "\n"
  for _, h in
    ipairs(vim.diff(a, b, { result_type = "indices" }) --[[@as integer[][] ]])
  do
    local from = h[2] == 0 and h[1] or h[1] - 1
    out[#out + 1] = {
      first = from,
      old = vim.list_slice(old, from + 1, from + h[2]),
      new = vim.list_slice(new, h[4] == 0 and h[3] + 1 or h[3], (h[4] == 0 and h[3] or h[3] - 1) + h[4]),
    }
  end
  return out
end

---@param d table an entry of `diff`
---@param old string[]
---@return {id: string?, first: integer, old: string[], new: string[]}[]
local function hunks_of(d, old)
  if not d.hunks then
    return compare(old, text.lines(d.newText or ""))
  end
  return vim.tbl_map(function(h)
    return { id = h.id, first = h.range.start.line, old = text.lines(h.oldText), new = text.lines(h.newText) }
  end, d.hunks)
end

---@param lines copilot-bridge.Line[]
---@param d table
---@param ids string[] gets the ids of the hunks that can be chosen, by group
local function show_diff(lines, d, ids)
  local old = text.lines(d.oldText or "")
  local what = (d.oldText or "") == "" and " (new file)" or (d.newText or "") == "" and " (emptied or deleted)" or ""
  lines[#lines + 1] = { text.short(d.uri) .. what, hl = "CopilotBridgeTitle" }
  local hunks = hunks_of(d, old)
  local shown = 0 -- lines of old that are in the window already
  for i, h in ipairs(hunks) do
    local group
    if h.id then
      ids[#ids + 1] = h.id
      group = #ids
    end
    local from = math.max(shown, h.first - CONTEXT)
    if from > shown or i == 1 or group then
      lines[#lines + 1] = { ("@@ line %d @@"):format(h.first + 1), hl = "CopilotBridgeHint", group = group }
    end
    for row = from + 1, h.first do
      lines[#lines + 1] = { "  " .. old[row] }
    end
    for _, line in ipairs(h.old) do
      lines[#lines + 1] = { "- " .. line, hl = "CopilotBridgeDelete", group = group }
    end
    for _, line in ipairs(h.new) do
      lines[#lines + 1] = { "+ " .. line, hl = "CopilotBridgeAdd", group = group }
    end
    local done = h.first + #h.old
    shown = math.max(done, math.min(#old, done + CONTEXT, hunks[i + 1] and hunks[i + 1].first or #old))
    for row = done + 1, shown do
      lines[#lines + 1] = { "  " .. old[row] }
    end
  end
end

--- What is asked about where the change itself is shown in the file: a line for each part.
---@param lines copilot-bridge.Line[]
---@param d table
---@param ids string[]
local function list_hunks(lines, d, ids)
  lines[#lines + 1] = { text.short(d.uri), hl = "CopilotBridgeTitle" }
  for _, h in ipairs(d.hunks) do
    ids[#ids + 1] = h.id
    local old, new = text.lines(h.oldText), text.lines(h.newText)
    local first = vim.trim(new[1] or old[1] or "")
    local what = ("line %d  +%d -%d  "):format(h.range.start.line + 1, #new, #old)
    lines[#lines + 1] = { text.cut(what .. first, vim.o.columns - 12), hl = "CopilotBridgeHint", group = #ids }
  end
end

---@param word string
---@return string
local function quoted(word)
  if word:find("^[%w@%%+=:,./_-]+$") then
    return word
  end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- The command as it will run; of a shell's `-c` the script itself, line by line.
---@param lines copilot-bridge.Line[]
---@param p copilot-bridge.wire.Question
local function show_command(lines, p)
  local argv = p.argv
  local shell = #argv == 3 and argv[2] == "-c" and vim.fs.basename(argv[1])
  local script = shell and argv[3] or table.concat(vim.tbl_map(quoted, argv), " ")
  -- The bridge shows the end of a line as ⏎; it stays, so that nothing is seen that could be something else.
  local broken = script:gsub("⏎", "⏎\n"):gsub("\n$", "")
  for i, line in ipairs(vim.split(broken, "\n", { plain = true })) do
    lines[#lines + 1] = { (i == 1 and "$ " or "  ") .. line, hl = "CopilotBridgeKey" }
  end
  local where = {}
  if shell then
    where[#where + 1] = "by " .. shell
  end
  if p.cwd then
    where[#where + 1] = "in " .. vim.fn.fnamemodify(p.cwd, ":~")
  end
  if #where > 0 then
    lines[#lines + 1] = { table.concat(where, ", "), hl = "CopilotBridgeHint" }
  end
  for _, e in ipairs(p.env or {}) do
    lines[#lines + 1] = { "with " .. e.name .. "=" .. e.value, hl = "CopilotBridgeHint" }
  end
end

--- The text of a question.
---@param p copilot-bridge.wire.Question
---@param in_buffer boolean? the changes are shown in the files
---@return copilot-bridge.Line[]
---@return string[] ids of the hunks that can be left out
function M.lines(p, in_buffer)
  local lines, ids = {}, {}
  if p.argv then
    show_command(lines, p)
  end
  for _, d in ipairs(p.diff or {}) do
    if #lines > 0 then
      lines[#lines + 1] = { "" }
    end
    local show = in_buffer and list_hunks or show_diff
    show(lines, d, ids)
  end
  if #(p.save or {}) > 0 then
    local names = vim.tbl_map(function(file)
      return text.short(file.uri)
    end, p.save)
    lines[#lines + 1] = { "Not saved yet: " .. table.concat(names, ", "), hl = "CopilotBridgeReason" }
  end
  if #lines == 0 then
    lines[1] = { p.title or p.toolCall and p.toolCall.title or "Copilot asks" }
    local input = p.toolCall and p.toolCall.rawInput
    if input then
      for _, line in ipairs(vim.split(vim.inspect(input), "\n", { plain = true })) do
        lines[#lines + 1] = { line, hl = "CopilotBridgeHint" }
      end
    end
  end
  if p.reason and p.reason ~= "" or p.notes and #p.notes > 0 then
    lines[#lines + 1] = { "" }
  end
  for _, note in ipairs(p.notes or {}) do
    lines[#lines + 1] = { note, hl = "CopilotBridgeReason" }
  end
  if p.reason and p.reason ~= "" then
    lines[#lines + 1] = { p.reason, hl = "CopilotBridgeHint" }
  end
  return lines, ids
end

---@param p copilot-bridge.wire.Question
---@return copilot-bridge.Answer[]
---@return string? reject the id of the option that says no once
local function answers(p)
  local out, used, reject = {}, {}, nil
  for _, option in ipairs(p.options or {}) do
    local key = KEYS[option.optionId] or KEYS[option.kind]
    local keys = {}
    if key and not used[key] then
      used[key] = true
      keys[1] = key
    end
    if option.kind == "reject_once" then
      reject = option.optionId
    end
    out[#out + 1] = { label = option.name, value = option, keys = keys }
  end
  return out, reject
end

---@param ids string[]
---@param option table?
---@param chosen table<integer, boolean>
---@return table outcome
local function outcome(ids, option, chosen)
  if not option then
    return { outcome = "cancelled" }
  end
  local result = { outcome = "selected", optionId = option.optionId }
  if option.kind and option.kind:find("^allow") and #ids > 1 then
    local kept = {}
    for i, id in ipairs(ids) do
      if chosen[i] then
        kept[#kept + 1] = id
      end
    end
    if #kept == 0 then -- nothing of it is wanted
      return { outcome = "cancelled" }
    end
    if #kept < #ids then
      result.hunks = kept
    end
  end
  return result
end

--- The id of the option that allows once, under which an amended text goes.
---@param p copilot-bridge.wire.Question
---@return string?
local function once(p)
  local option = vim.iter(p.options or {}):find(function(o)
    return o.kind == "allow_once"
  end)
  return option and option.optionId
end

--- Asks for words that go with a no.
---@param w copilot-bridge.DialogWindow
---@param done fun(words: string)
local function ask_why(w, done)
  require("copilot-bridge.answer_timing").ask({
    show = function(answer)
      vim.ui.input({ prompt = "Tell Copilot: " }, answer)
    end,
    done = function(words)
      if w.open() and words and words ~= "" then
        w.put_off()
        done(words)
      end
    end,
    tired = function() end, -- the question is still there
    wanted = w.open,
  })
end

---@param p copilot-bridge.wire.Question
---@param reply fun(result: any, err: table?)
---@param client_id integer?
---@return fun() withdraw
function M.request(p, reply, client_id)
  local title = p.title or p.toolCall and p.toolCall.title or "permission"
  local amendable = #(p.diff or {}) == 1 and p.diff[1].amendable and once(p)
  local function closed(result)
    events.emit("permission/closed", { id = p.id, sessionId = p.sessionId, outcome = result.outcome }, client_id)
    reply(result)
  end
  local withdraw = questions.push({
    title = title,
    drop = function()
      closed({ outcome = "cancelled" })
    end,
    show = function(finish)
      local options, reject = answers(p)
      local hide, focus, clear
      events.emit("permission/shown", { id = p.id, sessionId = p.sessionId, title = title }, client_id)
      local function off()
        if clear then
          clear()
          clear = nil
        end
      end
      local function answered(result)
        off()
        closed(result)
        finish()
      end
      local ask ---@type fun()
      local extras = {}
      if amendable then
        extras[#extras + 1] = {
          key = "e",
          label = "edit",
          run = function(w)
            w.put_off()
            off()
            hide = require("copilot-bridge.question.amend").open(p.diff[1], function(new)
              if not new then
                return ask()
              end
              local text_of = new ~= p.diff[1].newText and new or nil
              answered({ outcome = "selected", optionId = amendable, newText = text_of })
            end)
            focus = nil
          end,
        }
      end
      if reject then
        extras[#extras + 1] = {
          key = "w",
          label = "no, because…",
          run = function(w)
            ask_why(w, function(words)
              answered({ outcome = "selected", optionId = reject, words = words })
            end)
          end,
        }
      end
      extras[#extras + 1] = {
        key = "L",
        label = "later",
        run = function(w)
          w.put_off()
          off()
          questions.later()
        end,
      }
      ask = function()
        clear = require("copilot-bridge.question.proposal").show(p, FOOT)
        local lines, ids = M.lines(p, clear ~= nil)
        hide, focus = require("copilot-bridge.question.dialog").open({
          title = "Copilot: " .. title,
          kind = "copilot-bridge-permission",
          lines = lines,
          options = options,
          groups = #ids,
          extras = extras,
          at = clear and "bottom" or nil,
          done = function(option, chosen)
            answered(outcome(ids, option, chosen))
          end,
        })
      end
      ask()
      return function()
        off()
        hide()
      end, function()
        if focus then
          focus()
        end
      end
    end,
  })
  return function()
    withdraw()
    events.emit("permission/closed", { id = p.id, sessionId = p.sessionId, outcome = "withdrawn" }, client_id)
  end
end

return M
