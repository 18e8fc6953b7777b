-- What can be done in the chat's buffers, as <Plug> mappings, and the keys that are on them unless `chat.keys` is false.

local config = require("copilot-bridge.chat.config_of")

local M = {}

local function chat()
  return require("copilot-bridge.chat").of_buf(vim.api.nvim_get_current_buf())
end

-- run makes a mapping's function of an action of the chat's.
local function run(name, ...)
  local args = { ... }
  return function()
    local c = chat()
    if c then
      c[name](c, unpack(args))
    end
  end
end

-- edge goes through the history, or moves the cursor as the key does.
local function edge(step, key)
  return function()
    local c = chat()
    if not (c and c.input:edge(step)) then
      vim.api.nvim_feedkeys(vim.keycode(key), "n", false)
    end
  end
end

local function tab()
  if vim.fn.pumvisible() == 1 then
    return "<C-n>"
  end
  local pos = vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_get_current_line():sub(1, pos[2])
  return require("copilot-bridge.chat.complete").start(line, pos[1]) and "<C-x><C-o>" or "<Tab>"
end

---@class copilot-bridge.ChatKey
---@field [1] string modes
---@field [2] string key
---@field [3] string name of the <Plug> mapping
---@field [4] function|string
---@field [5] string description

---@type copilot-bridge.ChatKey[]
M.transcript = {
  { "n", "<CR>", "act", run("act"), "Open what is under the cursor, or fold it" },
  { "n", "gf", "open", run("open_link"), "Open the file under the cursor" },
  { "n", "gF", "open-line", run("open_link"), "Open the file under the cursor at its line" },
  { "n", "<Tab>", "fold", run("fold"), "Open or close the fold" },
  { "n", "]]", "next-prompt", run("jump", 1), "Next prompt" },
  { "n", "[[", "previous-prompt", run("jump", -1), "Previous prompt" },
  { "n", "i", "insert", run("write"), "Go to the input" },
  { "n", "a", "append", run("write"), "Go to the input" },
  { "n", "o", "below", run("write"), "Go to the input" },
  { "n", "x", "remove", run("remove"), "Remove queued prompt" },
  { "n", "e", "edit", run("edit_queued"), "Edit queued prompt" },
  { "n", "U", "undo-turn", run("undo_turn"), "Undo the turn under the cursor" },
  { "n", "<S-Tab>", "level", run("level"), "Ask more or less: the next permission level" },
  { "n", "gm", "model", run("option", "model"), "Pick the model" },
  { "n", "gM", "mode", run("mode"), "Pick the mode" },
  { "n", "gA", "all", run("all"), "Draw the whole conversation" },
  { "n", "q", "close", run("close"), "Close the chat" },
  { "n", "<C-c>", "cancel", run("cancel"), "Stop the turn" },
  { "n", "g?", "keys", run("help"), "Show the keys" },
}

---@type copilot-bridge.ChatKey[]
M.input = {
  { "n", "<CR>", "send", run("submit"), "Send" },
  { "ni", "<C-s>", "send", run("submit"), "Send" },
  { "n", "g<CR>", "steer", run("submit", true), "Add to the running turn" },
  { "ni", "<M-CR>", "steer", run("submit", true), "Add to the running turn" },
  { "n", "<C-c>", "cancel", run("cancel"), "Stop the turn, or leave editing" },
  { "n", "<C-p>", "older", run("older", 1), "Older prompt" },
  { "n", "<C-n>", "newer", run("older", -1), "Newer prompt" },
  { "i", "<Up>", "up", edge(1, "<Up>"), "Older prompt from the first line" },
  { "i", "<Down>", "down", edge(-1, "<Down>"), "Newer prompt from the last line" },
  { "i", "<Tab>", "complete", tab, "Complete @… and /…" },
  { "ni", "<S-Tab>", "level", run("level"), "Ask more or less: the next permission level" },
  { "n", "gm", "model", run("option", "model"), "Pick the model" },
  { "n", "gM", "mode", run("mode"), "Pick the mode" },
  { "n", "gx", "detach", run("take_off"), "Remove an attachment" },
  { "n", "g?", "keys", run("help"), "Show the keys" },
}

---@param buf integer
---@param which "transcript"|"input"
function M.attach(buf, which)
  for _, k in ipairs(M[which]) do
    local plug = ("<Plug>(copilot-bridge-chat-%s)"):format(k[3])
    for mode in k[1]:gmatch(".") do
      vim.keymap.set(mode, plug, k[4], {
        buffer = buf,
        silent = true,
        desc = "Copilot chat: " .. k[5],
        expr = k[4] == tab,
        replace_keycodes = k[4] == tab,
      })
      if config.get().keys then
        vim.keymap.set(mode, k[2], plug, { buffer = buf, remap = true, silent = true, desc = "Copilot chat: " .. k[5] })
      end
    end
  end
end

-- The keys as lines, for g?.
---@return string[]
function M.help()
  local out = {}
  for _, which in ipairs({ "transcript", "input" }) do
    out[#out + 1] = which == "transcript" and "In the conversation" or "In the input"
    for _, k in ipairs(M[which]) do
      out[#out + 1] = ("  %-8s %s%s"):format(k[2], k[5], k[1] == "i" and " (insert mode)" or "")
    end
    out[#out + 1] = ""
  end
  out[#out] = nil
  return out
end

return M
