-- A tool call in words: what it does, to what, how it went. Pure.

local blocks = require("copilot-bridge.chat.blocks")
local given = blocks.given

local M = {}

-- The editor tools by their names, and the argument that says what they are about.
local ours = {
  view = { "Read", "path" },
  edit = { "Edit", "path" },
  create = { "Create", "path" },
  bash = { "Run", "command" },
  grep = { "Search", "pattern" },
  glob = { "Find", "pattern" },
  read_bash = { "Read output of shell", "shellId" },
  stop_bash = { "Stop shell", "shellId" },
  list_bash = { "List shells" },
  diagnostics = { "Diagnostics", "path" },
  selection = { "Look at the selection" },
}

local running = { pending = true, in_progress = true }

---@param block copilot-bridge.Block
---@return boolean
function M.running(block)
  return running[block.status] == true
end

---@param block copilot-bridge.Block
---@return "pending"|"running"|"done"|"failed"|"cancelled"
function M.state(block)
  if block.cancelled then
    return "cancelled"
  elseif block.status == "completed" then
    return "done"
  elseif block.status == "failed" then
    return "failed"
  end
  return (block.status == "in_progress" or block.terminal) and "running" or "pending"
end

---@param exit table? ACP TerminalExitStatus
---@return string?
function M.exit(exit)
  if not exit then
    return nil
  end
  local code, signal = given(exit.exitCode), given(exit.signal)
  return signal or code and tostring(code) or nil
end

---@class copilot-bridge.ToolWords
---@field verb string   "" where the title says it all
---@field target string
---@field path string?  absolute; the target is its name
---@field line integer?
---@field shell boolean the target is a command
---@field note string?  what the agent says that it is for

-- What a call is about.
---@param block copilot-bridge.Block
---@param cwd string?
---@return copilot-bridge.ToolWords
function M.words(block, cwd)
  local title = vim.trim(block.title or "")
  local name = block.editor_tool
  local input = type(block.input) == "table" and block.input or {}
  local known = name and ours[name]
  local first = (block.locations or {})[1]
  local path, line = first and given(first.path), first and given(first.line)
  if known then
    local about = known[2] and given(input[known[2]])
    local words = { verb = known[1], target = about and tostring(about) or "", shell = name == "bash" }
    if known[2] == "path" then
      path = path or about
      words.path, words.target = path, path and blocks.relative(path, cwd) or ""
      local range = given(input.view_range)
      if name == "view" and type(range) == "table" and range[1] then
        words.line = range[1]
        words.target = ("%s:%d"):format(words.target, range[1]) .. (range[2] and range[2] > 0 and "-" .. range[2] or "")
      end
    end
    return words
  end
  if name then
    title = name
  end
  local command = given(input.command)
  if block.tool == "execute" and type(command) == "string" and command ~= "" then
    return { verb = "Run", target = command, shell = true, note = title ~= "bash" and title ~= command and title or nil }
  end
  if cwd and cwd ~= "" and cwd ~= "/" then
    title = title:gsub(vim.pesc(cwd) .. "/", "")
  end
  if title == "" then -- all that is left of a call whose agent ended: Copilot tells its end alone when it resumes
    return { verb = "Tool call", target = "", shell = false }
  end
  return { verb = "", target = title, path = path, line = line }
end

return M
