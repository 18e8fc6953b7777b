--- Any order of what a user does with a file that has pending changes. A walk takes random steps and looks after each whether
--- the book is true. WALK_STEPS and WALK_SEED change how long it is and where it goes; a failure names both.

local h = require("tests.helpers")

local child
local T = h.cases(function()
  return child
end)

-- Each walk starts Copilot once; a step takes about half a second.
local STEPS = tonumber(vim.env.WALK_STEPS) or 25
local SEEDS = vim.env.WALK_SEED and { tonumber(vim.env.WALK_SEED) } or { 1, 2 }
local FILES = { "a.txt", "b.txt", "gone.txt" }

--- The text of a file as the user has it: that of the buffer, else that of the disk; nil where there is none.
local NOW = [[
  _G.now = function(name)
    local path = vim.uv.cwd() .. "/" .. name
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(buf) == path and vim.api.nvim_buf_is_loaded(buf) then
        return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
      end
    end
    return vim.uv.fs_stat(path) and vim.fn.readfile(path) or nil
  end
  -- What is pending: of the bridge, and of the plugin. { [name] = { { first, old, new }, … } }
  local function book(files)
    local out = {}
    for _, f in ipairs(files) do
      local hunks = {}
      for i, k in ipairs(f.hunks) do
        hunks[i] = { id = k.id, first = k.range.start.line, old = k.oldText, new = k.newText, kind = f.kind }
      end
      out[vim.fs.basename(vim.uri_to_fname(f.uri))] = hunks
    end
    return out
  end
  _G.look = function(names)
    local client = require("copilot-bridge.client")
    local link = client.links()[1]
    local told
    client.request(link, "copilot-bridge/review/list", {}, function(err, result)
      told = err and { err } or book(result.files or {})
    end)
    if not vim.wait(5000, function() return told ~= nil end, 5) then
      return { err = "the bridge does not answer" }
    end
    local texts = {}
    for _, name in ipairs(names) do
      texts[name] = _G.now(name)
    end
    return { told = told, known = book(require("copilot-bridge.review").files()), texts = texts }
  end
]]

--- What is wrong with the book, nil if it is true. kept: the agent's lines that the user has kept.
---@param see {told: table, known: table, texts: table}
---@param kept table<string, boolean>
---@return string?
local function lie(see, kept)
  if see.err then
    return see.err
  end
  if not vim.deep_equal(see.told, see.known) then
    return "the plugin knows other changes than the bridge"
  end
  for name, hunks in pairs(see.told) do
    local lines = see.texts[name] or {}
    for _, k in ipairs(hunks) do
      local new = k.new == "" and {} or vim.split((k.new:gsub("\n$", "")), "\n", { plain = true })
      if not vim.deep_equal(new, vim.list_slice(lines, k.first + 1, k.first + #new)) then
        return ("%s does not have the pending %q at line %d"):format(name, k.new, k.first + 1)
      end
    end
  end
  for _, name in ipairs(FILES) do
    local pending = {}
    for _, k in ipairs(see.told[name] or {}) do
      for line in k.new:gmatch("[^\n]+") do
        pending[line] = true
      end
    end
    for _, line in ipairs(see.texts[name] or {}) do
      if line:find("^agent") and not pending[line] and not kept[line] then
        return ("%s of %s was accepted by nobody"):format(line, name)
      elseif pending[line] and kept[line] then
        return ("%s of %s is pending again although it was kept"):format(line, name)
      end
    end
  end
end

--- Steps. Each gets the walk and returns what it has done, nil if it cannot be done now.
local steps = {}

---@param walk table
local function line_of(walk)
  local lines = child.lua("return _G.now(...)", { walk.name })
  return lines and #lines > 0 and walk.random(#lines) or nil
end

--- Goes to one of the files, however it was left.
local function visit(walk, name)
  walk.name = name
  child.cmd("silent! edit " .. name)
end

steps[1] = function(walk)
  local name = FILES[walk.random(2)]
  local lines = child.lua("return _G.now(...)", { name })
  local at = lines and #lines > 0 and walk.random(#lines)
  if not at then
    return
  end
  for i, line in ipairs(lines) do -- the agent names what it edits by its text
    if i ~= at and line:find(lines[at], 1, true) then
      return
    end
  end
  walk.edits = walk.edits + 1
  local new = ("agent%03d"):format(walk.edits)
  h.prompt(child, { h.edit(child, name, lines[at], new), { text = "fin" } })
  return ("the agent makes %s of %s in %s"):format(new, lines[at], name)
end
steps[2] = function(walk)
  visit(walk, FILES[walk.random(2)])
  return "visit " .. walk.name
end
for _, action in ipairs({ "keep", "undo" }) do
  steps[#steps + 1] = function(walk)
    local see = child.lua("return _G.look(...)", { FILES })
    local hunks = see.told and see.told[walk.name] or {}
    if #hunks == 0 or child.fn.expand("%:t") ~= walk.name then
      return
    end
    local k = hunks[walk.random(#hunks)]
    child.fn.cursor(k.first + 1, 1)
    local ids = { k.id }
    child.lua(
      [[_G.resolved = nil
      require("copilot-bridge.review").resolve(..., "cursor", { on_end = function(err, r) _G.resolved = { err or false, r or false } end })]],
      { action }
    )
    h.wait(child, "_G.resolved")
    if action == "keep" then
      local after = child.lua("return _G.look(...)", { FILES })
      local still = {}
      for _, other in ipairs(after.told[walk.name] or {}) do
        still[other.id] = true
      end
      for _, was in ipairs(hunks) do
        if not still[was.id] then
          for line in was.new:gmatch("[^\n]+") do
            walk.kept[line] = true
          end
        end
      end
    end
    return ("%s %s at line %d of %s"):format(action, ids[1], k.first + 1, walk.name)
  end
end
local function keys(what, sent)
  steps[#steps + 1] = function(walk)
    if child.fn.expand("%:t") ~= walk.name or child.bo.buftype ~= "" then
      return
    end
    if type(sent) == "function" then
      sent(walk)
    else
      child.cmd(sent)
    end
    return what .. " in " .. walk.name
  end
end
keys("u", "silent! undo")
keys("u", "silent! undo")
keys("<C-r>", "silent! redo")
keys("<C-r>", "silent! redo")
keys(":e!", "silent! edit!")
keys(":w", "silent! write!")
keys(":bwipeout!", "bwipeout!")
keys(":bdelete!", "bdelete!")
keys("typing", function(walk)
  local at = line_of(walk)
  if at then
    walk.typed = walk.typed + 1
    child.fn.append(at, "mine" .. walk.typed)
  end
end)
keys("dd", function(walk)
  local at = line_of(walk)
  if at and child.fn.line("$") > 3 then
    child.cmd(at .. "delete _")
  end
end)
keys(":saveas and back", function(walk)
  child.cmd("silent! saveas! copy.txt")
  child.cmd("bwipeout!")
  vim.fn.delete(child.ws .. "/copy.txt")
  visit(walk, walk.name)
end)
keys("a rename and back", function(walk)
  child.cmd("silent! write!")
  for _, name in ipairs({ "other.txt", walk.name }) do
    child.lua("vim.fn.rename(...)", { child.fn.expand("%:t"), name })
    child.cmd("silent! file " .. name)
    child.cmd("silent! edit!")
  end
end)
steps[#steps + 1] = function()
  child.cmd("silent! CopilotBridge next")
  return "next"
end
steps[#steps + 1] = function()
  local see = child.lua("return _G.look(...)", { FILES })
  if see.told and see.told["gone.txt"] then
    child.lua([[require("copilot-bridge.review.deleted").open(vim.uri_from_fname(vim.uv.cwd() .. "/gone.txt"))]])
    return "visit the deletion"
  end
end

--- Takes the agent's lines out of kept that are nowhere any more: what comes back is pending again.
local function forget(walk, see)
  local there = {}
  for _, lines in pairs(see.texts or {}) do
    for _, line in ipairs(lines) do
      there[line] = true
    end
  end
  for line in pairs(walk.kept) do
    walk.kept[line] = there[line]
  end
end

for _, seed in ipairs(SEEDS) do
  T["whatever the user does, the book is true: walk " .. seed] = function()
    local state = seed
    local walk = {
      name = "a.txt",
      edits = 0,
      typed = 0,
      kept = {},
      random = function(n) -- Park and Miller's: the same numbers in every Lua
        state = (state * 16807 + 11) % 2147483647
        return math.floor(state / 7) % n + 1
      end,
    }
    local text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"
    child = h.child({ files = { ["a.txt"] = text, ["b.txt"] = text, ["gone.txt"] = "g1\ng2\n" } })
    h.answer(child, "Allow once")
    child.o.hidden = true
    child.lua(NOW)
    visit(walk, "a.txt")
    h.prompt(child, { h.bash("rm gone.txt"), h.edit(child, "a.txt", "two", "agent000"), { text = "fin" } })
    local done = {}
    for _ = 1, STEPS do
      local what = steps[walk.random(#steps)](walk)
      if what then
        done[#done + 1] = what
        local see, wrong
        local ok = pcall(h.until_true, function()
          see = child.lua("return _G.look(...)", { FILES })
          wrong = lie(see, walk.kept)
          return wrong == nil
        end, "the book is true", 15000)
        if not ok then
          error(
            ("WALK_SEED=%d WALK_STEPS=%d: %s\n  %s\n%s"):format(
              seed,
              STEPS,
              wrong,
              table.concat(done, "\n  "),
              vim.inspect(see)
            ),
            0
          )
        end
        forget(walk, see)
      end
    end
  end
end

return T
