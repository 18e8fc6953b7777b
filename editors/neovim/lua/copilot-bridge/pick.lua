--- Pickers: level, mode, options, permissions.

local notify = require("copilot-bridge.notify")
local session = require("copilot-bridge.session")
local text = require("copilot-bridge.text")

local M = {}

local failed = notify.failed

---@param what string
---@param cb fun(s: copilot-bridge.Session)
local function with_session(what, cb)
  session.ensure(function(err, s)
    if not s then
      return failed(err)
    end
    if not s[what] then
      return notify.info("This agent has nothing to choose from here")
    end
    cb(s)
  end)
end

--- An entry by its id, the end of its id after `#` or `/`, or its name; upper and lower case are the same.
---@generic T
---@param list T[]
---@param key string
---@param wanted string
---@return T?
function M.find(list, key, wanted)
  wanted = wanted:lower()
  for _, item in ipairs(list) do
    local id = tostring(item[key]):lower()
    if id == wanted or id:match("[#/]([^#/]*)$") == wanted or (item.name or ""):lower() == wanted then
      return item
    end
  end
end

---@param s copilot-bridge.Session
---@param level {id: string, name: string}
local function set_level(s, level)
  session.request("session/setLevel", { sessionId = s.id, level = level.id }, function(err, result)
    if err then
      return failed(err)
    end
    s.level = result.level or level.id
    notify.glance("Permissions: " .. level.name)
    require("copilot-bridge.events").emit("session/didChange", { sessionId = s.id, level = s.level })
  end)
end

--- Sets how much the current session asks; without a name it is picked, with "next" it is the one after the one that is set.
--- The last one, which asks least, is never come to by going on.
---@param name string?
function M.level(name)
  session.ensure(function(err, s)
    if not s then
      return failed(err)
    end
    local levels = session.levels(s)
    if #levels == 0 then
      return notify.info("This bridge has no permission levels: update it")
    end
    if name == "next" then
      for i, level in ipairs(levels) do
        if level.id == s.level and i < #levels - 1 then
          return set_level(s, levels[i + 1])
        end
      end
      return set_level(s, levels[1])
    elseif name then
      local level = M.find(levels, "id", name)
      if not level then
        local names = vim.tbl_map(function(l)
          return l.id
        end, levels)
        return notify.error(("There is no level %q: try %s"):format(name, table.concat(names, ", ")))
      end
      return set_level(s, level)
    end
    vim.ui.select(levels, {
      prompt = "Permissions",
      kind = "copilot-bridge-level",
      format_item = function(l)
        return (l.id == s.level and "* " or "  ") .. l.name .. (l.description and " · " .. l.description or "")
      end,
    }, function(level)
      if level then
        set_level(s, level)
      end
    end)
  end)
end

---@param s copilot-bridge.Session
---@param mode table
local function set_mode(s, mode)
  session.request("session/setMode", { sessionId = s.id, id = mode.id }, function(err)
    if err then
      return failed(err)
    end
    s.modes.currentModeId = mode.id
    notify.info("Mode: " .. mode.name)
  end)
end

--- Sets the mode of the current session; without a name it is picked.
---@param name string?
function M.mode(name)
  with_session("modes", function(s)
    local modes = s.modes.availableModes
    if name then
      local mode = M.find(modes, "id", name)
      if not mode then
        return notify.error(("There is no mode %q: try %s"):format(
          name,
          table.concat(
            vim.tbl_map(function(m)
              return m.name
            end, modes),
            ", "
          )
        ))
      end
      return set_mode(s, mode)
    end
    vim.ui.select(modes, {
      prompt = "Copilot mode",
      kind = "copilot-bridge-mode",
      format_item = function(m)
        local mark = m.id == s.modes.currentModeId and "* " or "  "
        return mark .. m.name .. (m.description and " · " .. m.description:gsub("%s*\n%s*", " ") or "")
      end,
    }, function(mode)
      if mode then
        set_mode(s, mode)
      end
    end)
  end)
end

--- The values of an option, groups opened up.
---@param option table ACP SessionConfigOption
---@return table[] {value, name, description?}
function M.values(option)
  if option.type == "boolean" then
    return { { value = true, name = "on" }, { value = false, name = "off" } }
  end
  local out = {}
  for _, o in ipairs(option.options or {}) do
    if o.options then
      vim.list_extend(out, o.options)
    else
      out[#out + 1] = o
    end
  end
  return out
end

---@param s copilot-bridge.Session
---@param option table
---@param value table
local function set_option(s, option, value)
  session.request("session/setOption", { sessionId = s.id, id = option.id, value = value.value }, function(err, result)
    if err then
      return failed(err)
    end
    s.configOptions = result.configOptions or s.configOptions
    notify.info(("%s: %s"):format(option.name, value.name))
  end)
end

---@param option table
---@return string
local function current_value(option)
  for _, v in ipairs(M.values(option)) do
    if v.value == option.currentValue then
      return v.name
    end
  end
  return tostring(option.currentValue)
end

---@param s copilot-bridge.Session
---@param option table
local function pick_value(s, option)
  vim.ui.select(M.values(option), {
    prompt = option.name,
    kind = "copilot-bridge-option",
    format_item = function(v)
      return (v.value == option.currentValue and "* " or "  ")
        .. v.name
        .. (v.description and " · " .. v.description or "")
    end,
  }, function(value)
    if value then
      set_option(s, option, value)
    end
  end)
end

--- Sets an option of the current session; what is not named is picked.
---@param name string?
---@param value string?
function M.option(name, value)
  with_session("configOptions", function(s)
    local option = name and M.find(s.configOptions, "id", name)
    if name and not option then
      return notify.error(("There is no option %q"):format(name))
    end
    if option and value then
      local v = M.find(M.values(option), "value", value)
      if not v then
        return notify.error(("%s cannot be %q"):format(option.name, value))
      end
      return set_option(s, option, v)
    end
    if option then
      return pick_value(s, option)
    end
    vim.ui.select(s.configOptions, {
      prompt = "Copilot options",
      kind = "copilot-bridge-option",
      format_item = function(o)
        return o.name .. ": " .. current_value(o)
      end,
    }, function(picked)
      if picked then
        vim.schedule(function()
          pick_value(s, picked)
        end)
      end
    end)
  end)
end

---@param rule copilot-bridge.wire.Rule
---@return string
local function describe(rule)
  local what = rule.path or rule.argv and table.concat(rule.argv, " ") or "everything"
  return ("%s %s %s · %s"):format(rule.decision, rule.tool, what:gsub("%s*\n%s*", " "), text.age(rule.createdAt or ""))
end

--- Lists the answers that were given for good; the one that is picked is taken back, if that is confirmed.
function M.permissions()
  session.request("permissions/list", {}, function(err, result)
    if err then
      return failed(err)
    end
    local rules = result.rules or {}
    if #rules == 0 then
      return notify.info("No remembered answers")
    end
    vim.ui.select(rules, {
      prompt = "Remembered answers: pick one to forget it",
      kind = "copilot-bridge-permissions",
      format_item = describe,
    }, function(rule)
      if not rule then
        return
      end
      vim.schedule(function()
        vim.ui.select({ "Forget it", "Keep it" }, { prompt = describe(rule) }, function(answer)
          if answer == "Forget it" then
            session.request("permissions/revoke", { id = rule.id }, function(refused)
              if refused then
                return failed(refused)
              end
              notify.info("Forgotten: " .. describe(rule))
            end)
          end
        end)
      end)
    end)
  end)
end

return M
