-- What goes with the next prompt beside its words: places in files, lists, images. Each is a chip in the bar above the input, and
-- in the conversation beside what was said with it.

local mention = require("copilot-bridge.chat.mention")

local M = {}

---@class copilot-bridge.Chip
---@field label string
---@field context table? a place, as in session/prompt
---@field block table? an ACP ContentBlock

---@param chat copilot-bridge.Chat
---@param chip copilot-bridge.Chip
local function add(chat, chip)
  for _, c in ipairs(chat.chips) do
    if c.label == chip.label then
      return
    end
  end
  table.insert(chat.chips, chip)
  chat:bars()
end

-- Programs that give the clipboard's image, whichever is there.
local CLIPBOARD = {
  { "wl-paste", "--type", "image/png" },
  { "xclip", "-selection", "clipboard", "-target", "image/png", "-out" },
  { "pngpaste", "-" },
}

---@param chat copilot-bridge.Chat
local function clipboard(chat)
  local notify = require("copilot-bridge.notify")
  local cmd = vim.iter(CLIPBOARD):find(function(c)
    return vim.fn.executable(c[1]) == 1
  end)
  if not cmd then
    return notify.warn("Reading an image from the clipboard needs wl-paste, xclip or pngpaste")
  end
  vim.system(cmd, { timeout = 5000 }, function(out)
    vim.schedule(function()
      if out.code ~= 0 or out.stdout == "" then
        return notify.info("There is no image in the clipboard")
      end
      local block, err = mention.image_of(out.stdout, "image/png")
      if not block then
        return notify.warn(err --[[@as string]])
      end
      add(chat, { label = ("clipboard image %d"):format(#chat.chips + 1), block = block })
    end)
  end)
end

--- Attaches something to the next prompt of a chat: "selection", "diagnostics", "quickfix", "clipboard", or a file by its path.
---@param chat copilot-bridge.Chat
---@param what string
function M.word(chat, what)
  if what == "clipboard" then
    return clipboard(chat)
  end
  local out = mention.expand("@" .. (what:find("%s") and '"' .. what .. '"' or what), chat:cwd())
  if #out.missing + #out.unknown > 0 then
    local why = out.missing[1] or ("There is no file %s"):format(what)
    return require("copilot-bridge.notify").warn(why)
  end
  for _, c in ipairs(out.context) do
    add(chat, { label = mention.label(c, chat:cwd()), context = c })
  end
  for i = 2, #out.prompt do -- the first is the words
    add(chat, { label = out.names[i - 1] or what, block = out.prompt[i] })
  end
end

--- Attaches a place in a file.
---@param chat copilot-bridge.Chat
---@param place table
function M.place(chat, place)
  add(chat, { label = mention.label(place, chat:cwd()), context = place })
end

--- Puts what is attached into a prompt.
---@param chat copilot-bridge.Chat
---@param expanded copilot-bridge.Expanded
function M.into(chat, expanded)
  for _, chip in ipairs(chat.chips) do
    if chip.context then
      table.insert(expanded.context, chip.context)
    else
      table.insert(expanded.prompt, chip.block)
      table.insert(expanded.names, chip.label)
    end
  end
  chat.chips = {}
  chat:bars()
end

--- Takes one off, the last one where it is not named.
---@param chat copilot-bridge.Chat
function M.take_off(chat)
  if #chat.chips < 2 then
    chat.chips = {}
    return chat:bars()
  end
  local labels = vim.tbl_map(function(c)
    return c.label
  end, chat.chips)
  vim.ui.select(labels, { prompt = "Remove an attachment", kind = "copilot-bridge-attachment" }, function(_, i)
    if i then
      table.remove(chat.chips, i)
      chat:bars()
    end
  end)
end

return M
