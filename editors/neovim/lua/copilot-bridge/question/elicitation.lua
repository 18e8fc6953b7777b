--- Forms of the agent (ACP elicitation): one question after the other, with vim.ui.input and vim.ui.select. Leaving one of
--- them without an answer gives the whole form up.

local questions = require("copilot-bridge.question.queue")

local M = {}

---@param prop table a property of the schema
---@return {value: any, label: string}[]? the values it may have, nil for free text
local function choices(prop)
  local list = prop.oneOf or prop.anyOf or prop.enum
  if prop.type == "boolean" then
    return { { value = true, label = "yes" }, { value = false, label = "no" } }
  end
  if not list then
    return nil
  end
  local out = {}
  for i, v in ipairs(list) do
    if type(v) == "table" then
      out[i] = { value = v.const, label = v.title or tostring(v.const) }
    else
      out[i] = { value = v, label = prop.enumNames and prop.enumNames[i] or tostring(v) }
    end
  end
  return out
end

--- A typed text as the property wants it, or what is wrong with it.
---@param prop table
---@param typed string
---@return any value
---@return string? err
local function parse(prop, typed)
  if prop.type == "number" or prop.type == "integer" then
    local n = tonumber(typed)
    if not n or (prop.type == "integer" and n % 1 ~= 0) then
      return nil, prop.type == "integer" and "Enter a whole number" or "Enter a number"
    end
    if prop.minimum and n < prop.minimum or prop.maximum and n > prop.maximum then
      return nil, ("Enter a number between %s and %s"):format(prop.minimum or "-∞", prop.maximum or "∞")
    end
    return n
  end
  if prop.minLength and vim.fn.strchars(typed) < prop.minLength then
    return nil, ("Enter at least %d characters"):format(prop.minLength)
  end
  if prop.maxLength and vim.fn.strchars(typed) > prop.maxLength then
    return nil, ("Enter at most %d characters"):format(prop.maxLength)
  end
  return typed
end

--- Asks for a part of a form. Three answers that come too soon give the form up.
---@param show fun(answer: fun(value: any?))
---@param open fun(): boolean the form is still wanted
---@param given fun(value: any?) nil: given up
local function ask_timed(show, open, given)
  require("copilot-bridge.answer_timing").ask({ show = show, done = given, wanted = open, tired = given })
end

---@param label string
---@param prop table
---@param required boolean
---@param open fun(): boolean the form is still wanted
---@param done fun(ok: boolean, value: any) ok false: given up; value nil: left out
local function ask_text(label, prop, required, open, done)
  local default = prop.default ~= nil and tostring(prop.default) or nil
  ask_timed(
    function(answer)
      vim.ui.input({ prompt = label .. ": ", default = default }, answer)
    end,
    open,
    function(typed)
      if typed == nil then
        return done(false)
      end
      if typed == "" and not required then
        return done(true)
      end
      local value, err = parse(prop, typed)
      if err then
        require("copilot-bridge.notify").warn(err)
        return vim.schedule(function()
          ask_text(label, prop, required, open, done)
        end)
      end
      done(true, value)
    end
  )
end

---@param label string
---@param list {label: string}[]
---@param open fun(): boolean the form is still wanted
---@param done fun(ok: boolean, value: any) ok false: given up
---@param picked fun(item: table)
local function select(label, list, open, done, picked)
  ask_timed(
    function(answer)
      vim.ui.select(list, {
        prompt = label,
        kind = "copilot-bridge-input",
        format_item = function(item)
          return item.label
        end,
      }, answer)
    end,
    open,
    function(item)
      if not item then
        return done(false)
      end
      picked(item)
    end
  )
end

---@param label string
---@param items {value: any, label: string}[]
---@param prop table
---@param required boolean
---@param open fun(): boolean the form is still wanted
---@param done fun(ok: boolean, value: any)
local function ask_one(label, items, prop, required, open, done)
  local list = vim.deepcopy(items)
  for i, item in ipairs(items) do -- what is chosen by default comes first
    if item.value == prop.default and prop.default ~= nil then
      table.remove(list, i)
      table.insert(list, 1, item)
    end
  end
  if not required then
    list[#list + 1] = { label = "(skip)", skip = true }
  end
  select(label, list, open, done, function(item)
    done(true, not item.skip and item.value or nil)
  end)
end

---@param label string
---@param items {value: any, label: string}[]
---@param prop table
---@param open fun(): boolean the form is still wanted
---@param done fun(ok: boolean, value: any)
local function ask_many(label, items, prop, open, done)
  local on = {}
  for _, v in ipairs(prop.default or {}) do
    on[v] = true
  end
  local function again()
    local list = { { label = "Done", finished = true } }
    for _, item in ipairs(items) do
      list[#list + 1] = { label = (on[item.value] and "[x] " or "[ ] ") .. item.label, value = item.value }
    end
    select(label, list, open, done, function(item)
      if not item.finished then
        on[item.value] = not on[item.value] or nil
        return vim.schedule(again)
      end
      local value = {}
      for _, each in ipairs(items) do
        if on[each.value] then
          value[#value + 1] = each.value
        end
      end
      done(true, value)
    end)
  end
  again()
end

---@param schema table
---@return string[] in the order of `required`, then by name: a JSON object has none
local function order(schema)
  local names, seen = {}, {}
  for _, name in ipairs(schema.required or {}) do
    if schema.properties and schema.properties[name] and not seen[name] then
      names[#names + 1], seen[name] = name, true
    end
  end
  local rest = vim.tbl_filter(function(name)
    return not seen[name]
  end, vim.tbl_keys(schema.properties or {}))
  table.sort(rest)
  return vim.list_extend(names, rest)
end

--- A question of the agent's with answers to choose from and words of one's own (docs/dev/protocol.md, the tool `ask`): one
--- question, whose last answer leads to the words.
---@param title string
---@param schema table
---@param done fun(value: table?)
---@param open fun(): boolean
---@return boolean it is one
local function choice_or_words(title, schema, done, open)
  local answer, other = (schema.properties or {}).answer, (schema.properties or {}).other
  local items = answer and other and choices(answer)
  if not items then
    return false
  end
  items[#items + 1] = { label = other.title or "Something else…", other = true }
  local function given(ok, value)
    done(ok and value or nil)
  end
  select(title ~= "" and title or answer.title or "Copilot asks", items, open, given, function(item)
    if not item.other then
      return given(true, { answer = item.value })
    end
    vim.schedule(function()
      ask_text(other.title or "Answer", other, true, open, function(ok, words)
        given(ok, { other = words })
      end)
    end)
  end)
  return true
end

---@param title string
---@param schema table
---@param done fun(value: table?)
---@param open fun(): boolean the form is still wanted
local function form(title, schema, done, open)
  if choice_or_words(title, schema, done, open) then
    return
  end
  local names, value = order(schema), vim.empty_dict()
  local required = {}
  for _, name in ipairs(schema.required or {}) do
    required[name] = true
  end
  local function step(i)
    if not open() then
      return
    end
    local name = names[i]
    if not name then
      return done(value)
    end
    local prop = schema.properties[name]
    local label = (i == 1 and title ~= "" and title:gsub("%s*\n%s*", " ") .. " · " or "")
      .. (prop.title or name)
      .. (prop.description and " (" .. prop.description:gsub("%s*\n%s*", " ") .. ")" or "")
    local function got(ok, v)
      if not ok then
        return done(nil)
      end
      value[name] = v
      vim.schedule(function()
        step(i + 1)
      end)
    end
    local items = choices(prop.type == "array" and prop.items or prop)
    if prop.type == "array" then
      ask_many(label, items or {}, prop, open, got)
    elseif items then
      ask_one(label, items, prop, required[name] or false, open, got)
    else
      ask_text(label, prop, required[name] or false, open, got)
    end
  end
  step(1)
end

---@param url string
---@param title string
---@param done fun(value: table?)
---@return fun() close
local function open_url(url, title, done)
  return require("copilot-bridge.question.dialog").open({
    title = "Copilot",
    kind = "copilot-bridge-input",
    lines = { { title }, { "" }, { url, hl = "CopilotBridgeKey" } },
    options = {
      { label = "Open in the browser", value = "open", keys = { "o" } },
      { label = "Don't", value = "no", keys = { "n" } },
    },
    done = function(answer)
      if answer == "open" then
        vim.ui.open(url)
        return done(vim.empty_dict())
      end
      done(nil)
    end,
  })
end

---@param p {id: string, sessionId: string, title: string, schema: table?, url: string?}
---@param reply fun(result: any, err: table?)
---@return fun() withdraw
function M.request(p, reply)
  local wanted = true
  local withdraw = questions.push({
    title = p.title,
    drop = function()
      reply(nil)
    end,
    show = function(finish)
      local function done(value)
        if wanted then
          wanted = false
          reply(value and { value = value } or nil)
        end
        finish()
      end
      if p.url then
        return open_url(p.url, p.title, done)
      end
      form(p.title, p.schema or {}, done, function()
        return wanted
      end)
      return function() end
    end,
  })
  return function()
    wanted = false
    withdraw()
  end
end

return M
