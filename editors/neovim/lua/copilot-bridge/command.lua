--- `:CopilotBridge`, its subcommands and their completion.

local M = {}

---@class copilot-bridge.Subcommand
---@field run fun(api: table, args: string[], opts: table)
---@field complete fun(args: string[]): string[]? for the last word

---@param list string[]
---@return fun(): string[]
local function words(list)
  return function()
    return list
  end
end

---@return copilot-bridge.Session?
local function current()
  local session = package.loaded["copilot-bridge.session"]
  return session and session.current()
end

--- The part of an id that is worth typing.
---@param id string
---@return string
local function short(id)
  return (id:match("[#/]([^#/]+)$") or id):lower()
end

---@return string[]
local function complete_sessions()
  local session = package.loaded["copilot-bridge.session"]
  return session and vim.tbl_map(function(s)
    return s.id
  end, session.list()) or {}
end

---@return string[]
local function complete_modes()
  local s = current()
  return s and s.modes and vim.tbl_map(function(m)
    return short(m.id)
  end, s.modes.availableModes) or {}
end

---@param args string[]
---@return string[]
local function complete_options(args)
  local s = current()
  if not s or not s.configOptions then
    return {}
  end
  if #args <= 1 then
    return vim.tbl_map(function(o)
      return short(o.id)
    end, s.configOptions)
  end
  local pick = require("copilot-bridge.pick")
  local option = pick.find(s.configOptions, "id", args[1])
  return option
      and vim.tbl_map(function(v)
        return short(tostring(v.value == true and "on" or v.value == false and "off" or v.value))
      end, pick.values(option))
    or {}
end

---@param opts table
---@return table[]?
local function selection(opts)
  if opts.range == 0 then
    return nil
  end
  local context = require("copilot-bridge.context")
  -- A range that is the marks of the selection means what was selected, also part of a line.
  local from, to = vim.api.nvim_buf_get_mark(0, "<")[1], vim.api.nvim_buf_get_mark(0, ">")[1]
  local place = from == opts.line1 and to == opts.line2 and context.selection() or context.lines(opts.line1, opts.line2)
  return place and { place } or nil
end

---@param action "keep"|"undo"
---@return copilot-bridge.Subcommand
local function resolver(action)
  return {
    run = function(api, args, opts)
      local scope = args[1]
      if scope == "turn" and action == "undo" then
        return require("copilot-bridge.review").undo_turn(args[2])
      end
      if scope and scope ~= "file" and scope ~= "all" then
        return require("copilot-bridge.notify").error(
          ("There is no %q to %s: try `file` or `all`"):format(scope, action)
        )
      end
      if not scope and opts.range > 0 then
        return api[action]("lines", { first = opts.line1, last = opts.line2 })
      end
      api[action](scope or "cursor")
    end,
    complete = words(action == "undo" and { "file", "all", "turn" } or { "file", "all" }),
  }
end

---@param verb "next"|"prev"
---@return copilot-bridge.Subcommand
local function motion(verb)
  return {
    run = function(api, args, opts)
      -- A count before the command arrives as a range.
      local count = tonumber(args[1]) or (opts.range == 1 and opts.count > 0 and opts.count) or 1
      api[verb](count)
    end,
  }
end

---@type table<string, copilot-bridge.Subcommand>
local SUBCOMMANDS = {
  prompt = {
    run = function(api, _, opts)
      local context = selection(opts)
      -- Not the words one by one: Neovim takes backslashes and spaces out of those.
      local text = opts.args:match("^%s*%S+%s+(.-)%s*$") or ""
      if text ~= "" then
        return api.prompt(text, { context = context })
      end
      vim.ui.input({ prompt = context and "Copilot, about the selection: " or "Copilot: " }, function(typed)
        if typed and vim.trim(typed) ~= "" then
          api.prompt(typed, { context = context })
        end
      end)
    end,
  },
  new = {
    run = function(api)
      api.new()
    end,
  },
  chat = {
    run = function(api, args)
      api.chat(args[1])
    end,
    complete = complete_sessions,
  },
  cancel = {
    run = function(api)
      api.cancel()
    end,
  },
  keep = resolver("keep"),
  undo = resolver("undo"),
  next = motion("next"),
  prev = motion("prev"),
  diff = {
    run = function(api)
      api.diff()
    end,
  },
  changes = {
    run = function(api)
      api.changes()
    end,
  },
  answer = {
    run = function(api)
      vim.schedule(api.answer) -- after the command line is gone
    end,
  },
  sessions = {
    run = function(api)
      api.sessions()
    end,
  },
  level = {
    run = function(api, args)
      api.level(args[1])
    end,
    complete = function()
      local s = current()
      return vim.tbl_map(function(l)
        return l.id
      end, s and require("copilot-bridge.session").levels(s) or {})
    end,
  },
  attach = {
    run = function(api, args, opts)
      api.attach(args[1] and table.concat(args, " "), selection(opts))
    end,
    complete = function(args)
      local list = { "selection", "diagnostics", "quickfix", "clipboard" }
      return vim.list_extend(list, vim.fn.getcompletion(args[#args], "file"))
    end,
  },
  comment = {
    run = function(_, args, opts)
      require("copilot-bridge.review.comments").add(opts.line1, opts.line2, opts.range, table.concat(args, " "))
    end,
  },
  comments = {
    run = function()
      require("copilot-bridge.review.comments").quickfix()
    end,
  },
  send = {
    run = function(_, args)
      require("copilot-bridge.review.comments").send(table.concat(args, " "))
    end,
  },
  review = {
    run = function(api)
      api.review()
    end,
  },
  login = {
    run = function(api)
      api.login()
    end,
  },
  mode = {
    run = function(api, args)
      api.mode(args[1] and table.concat(args, " "))
    end,
    complete = complete_modes,
  },
  option = {
    run = function(api, args)
      api.option(args[1], args[2] and table.concat(args, " ", 2))
    end,
    complete = complete_options,
  },
  permissions = {
    run = function(api)
      api.permissions()
    end,
  },
  restart = {
    run = function(api, args)
      api.restart(args[1])
    end,
    complete = words({ "agent", "bridge" }),
  },
  stop = {
    run = function(api)
      api.stop()
    end,
  },
  log = {
    run = function(api)
      api.log()
    end,
  },
  info = {
    run = function(api)
      api.info()
    end,
  },
  build = {
    run = function(api)
      api.build()
    end,
  },
  install = {
    run = function(api)
      api.install()
    end,
  },
}

---@param opts table as nvim_create_user_command gives it
function M.run(opts)
  local args = vim.list_extend({}, opts.fargs)
  local name = table.remove(args, 1) or "chat"
  local sub = SUBCOMMANDS[name]
  if not sub then
    local close = vim.tbl_filter(function(other)
      return vim.startswith(other, name)
    end, vim.tbl_keys(SUBCOMMANDS))
    if #close ~= 1 then
      local all = vim.tbl_keys(SUBCOMMANDS)
      table.sort(all)
      return require("copilot-bridge.notify").error(
        ("There is no :CopilotBridge %s: try %s"):format(name, table.concat(all, " "))
      )
    end
    sub = SUBCOMMANDS[close[1]]
  end
  sub.run(require("copilot-bridge"), args, opts)
end

---@param lead string
---@param line string
---@param pos integer
---@return string[]
function M.complete(lead, line, pos)
  local before = line:sub(1, pos)
  local args = vim.split(vim.trim(before:gsub("^.-CopilotBridge!?", "", 1)), "%s+", { trimempty = true })
  if before:match("%s$") or #args == 0 then
    args[#args + 1] = ""
  end
  local list
  if #args <= 1 then
    list = vim.tbl_keys(SUBCOMMANDS)
    table.sort(list)
  else
    local sub = SUBCOMMANDS[args[1]]
    list = sub and sub.complete and sub.complete(vim.list_slice(args, 2)) or {}
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, list)
end

return M
