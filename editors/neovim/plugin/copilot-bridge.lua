-- Defines the command and the <Plug> maps. Nothing else is loaded, and nothing started, before one of them is used.
if vim.g.loaded_copilot_bridge then
  return
end
vim.g.loaded_copilot_bridge = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_create_user_command("CopilotBridge", function()
    vim.notify("copilot-bridge needs Neovim 0.10 or newer", vim.log.levels.ERROR)
  end, { nargs = "*", range = true, bang = true })
  return
end

vim.api.nvim_create_user_command("CopilotBridge", function(opts)
  require("copilot-bridge.command").run(opts)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "GitHub Copilot CLI in this editor",
  complete = function(lead, line, pos)
    return require("copilot-bridge.command").complete(lead, line, pos)
  end,
})

-- Where an earlier Neovim left changes to decide on they are shown without a command. A folder that is looked at once is all that
-- this costs where nothing waits.
if vim.uv.fs_stat(vim.fn.stdpath("state") .. "/copilot-bridge/pending") then
  vim.api.nvim_create_autocmd("VimEnter", {
    once = true,
    callback = vim.schedule_wrap(function()
      require("copilot-bridge.review.waiting").watch()
    end),
  })
end

---@param name string
---@param modes string[]
---@param run string the command line after :CopilotBridge
---@param desc string
local function plug(name, modes, run, desc)
  for _, mode in ipairs(modes) do
    -- In Visual mode `:` puts '<,'> before the command; <Cmd> would not.
    local rhs = mode == "x" and (":CopilotBridge " .. run .. "<CR>") or ("<Cmd>CopilotBridge " .. run .. "<CR>")
    vim.keymap.set(mode, "<Plug>(copilot-bridge-" .. name .. ")", rhs, { silent = true, desc = desc })
  end
end

plug("prompt", { "n", "x" }, "prompt", "Copilot: ask for a prompt and send it")
plug("chat", { "n" }, "chat", "Copilot: open or close the chat")
plug("cancel", { "n" }, "cancel", "Copilot: stop the turn that runs")
plug("keep", { "n", "x" }, "keep", "Copilot: keep the change under the cursor or in the selection")
plug("undo", { "n", "x" }, "undo", "Copilot: undo the change under the cursor or in the selection")
plug("keep-file", { "n" }, "keep file", "Copilot: keep all changes in this file")
plug("undo-file", { "n" }, "undo file", "Copilot: undo all changes in this file")
plug("keep-all", { "n" }, "keep all", "Copilot: keep all changes")
plug("undo-all", { "n" }, "undo all", "Copilot: undo all changes")
plug("diff", { "n" }, "diff", "Copilot: the file before and after, side by side")
plug("changes", { "n" }, "changes", "Copilot: all changes in the quickfix list")
plug("answer", { "n" }, "answer", "Copilot: answer the question that waits")
plug("sessions", { "n" }, "sessions", "Copilot: pick a session")
plug("attach", { "n", "x" }, "attach", "Copilot: attach the file or the selection to the next prompt")
plug("level", { "n" }, "level next", "Copilot: ask more or less, the next permission level")
plug("comment", { "n", "x" }, "comment", "Copilot: comment on the line or the selection")
plug("send", { "n" }, "send", "Copilot: send the comments")
plug("review", { "n" }, "review", "Copilot: all changes in one buffer")
plug("undo-turn", { "n" }, "undo turn", "Copilot: undo the last turn")
plug("new", { "n" }, "new", "Copilot: begin a new session")
plug("mode", { "n" }, "mode", "Copilot: pick the mode")
plug("option", { "n" }, "option", "Copilot: pick an option")

for name, desc in pairs({ next = "next", prev = "previous" }) do
  vim.keymap.set({ "n", "x" }, "<Plug>(copilot-bridge-" .. name .. ")", function()
    require("copilot-bridge")[name](vim.v.count1)
  end, { desc = "Copilot: go to the " .. desc .. " change" })
end
