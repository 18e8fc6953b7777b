--- The options of `setup()`. Every default works without it.

local M = {}

---@class copilot-bridge.Config
---@field cmd string[]? the bridge and its arguments; without it `copilot-bridge lsp` from `:CopilotBridge install`, PATH or `:CopilotBridge build`
---@field env table<string, string> added to the environment of the bridge, and so of the agent
---@field init_options table the settings of the bridge, as in docs/dev/protocol.md
---@field root_markers string[] what makes a folder a project's
---@field autostart boolean start the bridge with the first file of a project instead of with the first command
---@field filetypes_off string[] file types whose buffers the agent is not shown
---@field review copilot-bridge.Config.Review
---@field permission copilot-bridge.Config.Permission
---@field end_bell boolean ring the terminal's bell when a turn has ended, nothing waits behind it, and the terminal is not in focus
---@field desktop "auto"|"osc9"|"osc777"|"off" how the terminal is asked for a notification when it is not in focus and a turn has ended or a question waits
---@field restart copilot-bridge.Config.Restart
---@field install {url: string?} where `:CopilotBridge install` downloads from, instead of the release's own place
---@field chat table see lua/copilot-bridge/chat/config.lua

---@class copilot-bridge.Config.Review
---@field sign string sign of a line that was changed, at most two cells
---@field sign_delete string sign where lines were taken out
---@field old_text boolean show the old text above the new
---@field max_old_lines integer lines of old text that are shown of one hunk
---@field hint boolean say at the end of a hunk's first line which of how many it is

---@class copilot-bridge.Config.Permission
---@field idle integer milliseconds without a key before a question may take the cursor: what is being typed is no answer
---@field bell boolean ring the terminal's bell when a question waits and the user is elsewhere
---@field select "auto"|"window"|"vim.ui.select" how a question is answered; auto: vim.ui.select where a picker has taken it over
---@field show "buffer"|"window" where a proposed change is shown: in the file, if a window shows that, or always in the question's

---@class copilot-bridge.Config.Restart
---@field max integer how often the bridge is started again within `window`, before it stays down
---@field window integer milliseconds
---@field delay integer milliseconds before the first start; doubles with each

---@type copilot-bridge.Config
local defaults = {
  cmd = nil,
  env = {},
  init_options = {},
  root_markers = { ".git", ".hg", ".jj" },
  autostart = false,
  filetypes_off = {},
  review = { sign = "┃", sign_delete = "▁", old_text = true, max_old_lines = 200, hint = true },
  permission = { idle = 600, bell = true, select = "auto", show = "buffer" },
  end_bell = true,
  desktop = "auto",
  restart = { max = 5, window = 60000, delay = 250 },
  install = {},
  chat = {},
}

---@type copilot-bridge.Config?
local current

---@return copilot-bridge.Config
local function fresh()
  local out = vim.deepcopy(defaults)
  local ok, chat = pcall(require, "copilot-bridge.chat.config")
  if ok then
    out.chat = vim.deepcopy(chat)
  end
  return out
end

-- Options that may be some words only.
local VALUES = {
  desktop = { "auto", "osc9", "osc777", "off" },
  ["permission.select"] = { "auto", "window", "vim.ui.select" },
  ["permission.show"] = { "buffer", "window" },
  ["chat.position"] = { "right", "left", "top", "bottom", "tab" },
  ["chat.while_busy"] = { "queue", "steer" },
  ["chat.icons"] = { "unicode", "ascii" },
}

--- What is wrong with a value, for the user who wrote it.
---@param name string
---@param value any
---@param like any the default
---@return string?
local function problem(name, value, like)
  if type(value) ~= type(like) then
    return ("`%s` must be a %s, not a %s"):format(name, type(like), type(value))
  end
end

--- The name that was meant, for one with a slip in it.
---@param key any
---@param known table
---@return string?
local function meant(key, known)
  local found = vim.fn.matchfuzzy(vim.tbl_keys(known), tostring(key))[1]
  for name in pairs(known) do -- one letter too many, or another one
    local a, b = tostring(name), tostring(key)
    if math.abs(#a - #b) <= 1 and (a:sub(1, 3) == b:sub(1, 3) or a:sub(-3) == b:sub(-3)) then
      found = found or a
    end
  end
  return found and ("; did you mean `%s`?"):format(found)
end

---@param into table
---@param from table
---@param at string
---@param bad string[]
local function merge(into, from, at, bad)
  for key, value in pairs(from) do
    local name = at .. tostring(key)
    local like = into[key]
    local free = at == "chat.signs." -- any sign may be another
    if name == "cmd" then
      if type(value) == "table" and type(value[1]) == "string" then
        into.cmd = value
      else
        bad[#bad + 1] = '`cmd` must be a list of strings, such as { "copilot-bridge", "lsp" }'
      end
    elseif name == "install.url" then
      if type(value) == "string" and value:match("^https?://") then
        into.url = value
      else
        bad[#bad + 1] = '`install.url` must be an address, such as "https://example.org/copilot-bridge"'
      end
    elseif like == nil and not free and at ~= "env." and at ~= "init_options." then
      bad[#bad + 1] = ("There is no option `%s`"):format(name) .. (meant(key, into) or "")
    elseif VALUES[name] and not vim.list_contains(VALUES[name], value) then
      bad[#bad + 1] = ("`%s` must be one of %s, not %s"):format(
        name,
        table.concat(VALUES[name], ", "),
        vim.inspect(value)
      )
    elseif like ~= nil and problem(name, value, like) then
      bad[#bad + 1] = problem(name, value, like)
    elseif type(like) == "table" and (name == "install" or not vim.islist(like) and next(like) ~= nil) then
      merge(like, value, name .. ".", bad)
    else
      into[key] = vim.deepcopy(value)
    end
  end
end

--- Takes the user's options in: `vim.g.copilot_bridge`, and over it those of setup(). What is wrong is said in one message, and the
--- rest counts.
---@param opts table?
function M.setup(opts)
  local bad = {}
  current = fresh()
  for name, given in pairs({ ["vim.g.copilot_bridge"] = vim.g.copilot_bridge or {}, ["setup()"] = opts or {} }) do
    if type(given) ~= "table" then
      bad[#bad + 1] = name .. " must be a table"
    end
  end
  for _, given in ipairs({ vim.g.copilot_bridge or {}, opts or {} }) do
    merge(current, type(given) == "table" and given or {}, "", bad)
  end
  M.problems = bad
  if #bad > 0 then
    table.sort(bad)
    require("copilot-bridge.notify").warn("Options: " .. table.concat(bad, "; "), " (:help copilot-bridge-options)")
  end
end

--- What the last setup() found wrong, for `:checkhealth`.
---@type string[]
M.problems = {}

---@return copilot-bridge.Config
function M.get()
  if not current then
    M.setup()
  end
  return current --[[@as copilot-bridge.Config]]
end

return M
