-- Completion in the input: @file, @selection and the like, and the agent's own slash commands. An 'omnifunc', so that it
-- works by hand and with every completion plugin, and a pop-up of its own while nobody else gives one.

local config = require("copilot-bridge.chat.config_of")
local mention = require("copilot-bridge.chat.mention")

local M = {}

-- Files that are listed of a folder at most, and that are offered at once.
local MAX_FILES = 20000
local MAX_SHOWN = 50
-- Milliseconds for which a list of files is good.
local FRESH = 10000

---@type table<string, {files: string[], at: integer, asked: boolean?}>
local listed = {}

-- walk lists a folder where there is no git.
local function walk(cwd)
  local files = {}
  local ok = pcall(function()
    for name, kind in
      vim.fs.dir(cwd, {
        depth = 6,
        skip = function(dir)
          return not (vim.fs.basename(dir):match("^%.") or vim.fs.basename(dir) == "node_modules")
        end,
      })
    do
      if kind == "file" then
        files[#files + 1] = name
        if #files >= MAX_FILES then
          break
        end
      end
    end
  end)
  return ok and files or {}
end

-- refresh lists the files of a folder, in the background where git does it.
---@param cwd string
---@param done fun()? called when there is a list
function M.refresh(cwd, done)
  local had = listed[cwd]
  if had and (had.asked or vim.uv.now() - had.at < FRESH) then
    return
  end
  listed[cwd] = { files = had and had.files or {}, at = vim.uv.now(), asked = true }
  local function take(files)
    listed[cwd] = { files = files, at = vim.uv.now() }
    if done then
      done()
    end
  end
  local ok = pcall(
    vim.system,
    { "git", "ls-files", "-co", "--exclude-standard" },
    { cwd = cwd, text = true, timeout = 5000 },
    function(out)
      vim.schedule(function()
        take(out.code == 0 and vim.list_slice(vim.split(vim.trim(out.stdout), "\n"), 1, MAX_FILES) or walk(cwd))
      end)
    end
  )
  if not ok then
    take(walk(cwd))
  end
end

---@param base string
---@param cwd string
---@return table[] items
local function files(base, cwd)
  M.refresh(cwd)
  local out, seen = {}, {}
  local function add(path, info)
    if #out < MAX_SHOWN and not seen[path] then
      seen[path] = true
      local word = path:find("%s") and '@"' .. path .. '"' or "@" .. path
      out[#out + 1] = { word = word, menu = info, dup = 0 }
    end
  end
  local want = base:lower()
  local function matches(path)
    return want == "" or path:lower():find(want, 1, true)
  end
  for _, buf in ipairs(vim.fn.getbufinfo({ buflisted = 1 })) do
    if buf.name:sub(1, #cwd + 1) == cwd .. "/" then
      local path = buf.name:sub(#cwd + 2)
      if matches(path) then
        add(path, buf.changed == 1 and "open, not saved" or "open")
      end
    end
  end
  local rest = {}
  for _, path in ipairs((listed[cwd] or { files = {} }).files) do
    if matches(path) then
      rest[#rest + 1] = path
      if #rest > 500 then
        break
      end
    end
  end
  if #rest == 0 and want ~= "" then
    rest = vim.fn.matchfuzzy((listed[cwd] or { files = {} }).files, base)
  else
    table.sort(rest, function(a, b)
      local x, y =
        vim.fs.basename(a):lower():find(want, 1, true) or 999, vim.fs.basename(b):lower():find(want, 1, true) or 999
      return x == y and (#a == #b and a < b or #a < #b) or x < y
    end)
  end
  for _, path in ipairs(rest) do
    add(path, "file")
  end
  return out
end

-- start finds where the word to complete begins: a / at the beginning of the prompt, or an @.
---@param line string up to the cursor
---@param row integer
---@return integer? column from 0
function M.start(line, row)
  if row == 1 and line:match("^/%S*$") then
    return 0
  end
  local from = line:find("@[^%s@]*$")
  if from and (from == 1 or line:sub(from - 1, from - 1):match("%s")) then
    return from - 1
  end
end

---@param base string with its / or @
---@param session copilot-bridge.Session?
---@param cwd string
---@return table[] items
function M.items(base, session, cwd)
  local out = {}
  if base:sub(1, 1) == "/" then
    local commands = { { name = "new", description = "Start a new session" } }
    for _, c in ipairs(vim.list_extend(commands, session and session.commands or {})) do
      if vim.startswith(c.name:lower(), base:sub(2):lower()) then
        local input = type(c.input) == "table" and c.input or nil
        out[#out + 1] = {
          word = "/" .. c.name,
          abbr = "/" .. c.name .. (input and input.hint and " " .. input.hint or ""),
          menu = (c.description or ""):gsub("%s+", " "):sub(1, 60),
          info = c.description,
          dup = 0,
        }
      end
    end
    return out
  end
  for _, m in ipairs(mention.words) do
    if vim.startswith(m.word, base:lower()) then
      out[#out + 1] = { word = m.word, menu = m.info, dup = 0 }
    end
  end
  return vim.list_extend(out, files(base:sub(2), cwd))
end

-- 'omnifunc' of the input.
---@param findstart integer
---@param base string
function M.omnifunc(findstart, base)
  local chat = require("copilot-bridge.chat").of_buf(vim.api.nvim_get_current_buf())
  if findstart == 1 then
    local pos = vim.api.nvim_win_get_cursor(0)
    return M.start(vim.api.nvim_get_current_line():sub(1, pos[2]), pos[1]) or -3
  end
  return chat and M.items(base, chat:session(), chat:cwd()) or {}
end

-- Whether a completion plugin offers it.
M.elsewhere = false

-- offer shows the pop-up as one types, unless there is one.
---@param chat copilot-bridge.Chat
function M.offer(chat)
  if
    M.elsewhere
    or not config.get().complete
    or vim.fn.pumvisible() == 1
    or vim.fn.mode() ~= "i"
    or vim.fn.reg_executing() ~= ""
  then
    return
  end
  local pos = vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_get_current_line():sub(1, pos[2])
  local from = M.start(line, pos[1])
  if not from then
    return
  end
  local base = line:sub(from + 1)
  local items = M.items(base, chat:session(), chat:cwd())
  if #items == 1 and items[1].word == base then
    items = {}
  end
  if #items > 0 then
    vim.fn.complete(from + 1, items)
  end
end

-- While one types in the input the pop-up neither inserts nor chooses by itself; elsewhere 'completeopt' is as it was.
local before

function M.enter()
  if config.get().complete and before == nil then
    before = vim.o.completeopt
    vim.o.completeopt = "menuone,noinsert,noselect"
  end
end

function M.leave()
  if before ~= nil then
    vim.o.completeopt = before
    before = nil
  end
end

return M
