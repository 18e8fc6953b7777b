--- `:CopilotBridge info`: which bridge, agent and sessions there are.

local client = require("copilot-bridge.client")
local session = require("copilot-bridge.session")

local M = {}

---@param add fun(line: string, ...)
---@param link copilot-bridge.Link
---@param info table?
---@param err table?
local function describe(add, link, info, err)
  add("# %s", vim.fn.fnamemodify(link.root, ":~"))
  local server = link.client and link.client.server_info
  if link.ready then
    add("- bridge: %s, process %s", server and server.version or "version unknown", tostring(link.client.rpc.pid))
    add("- buffers: %d", #vim.tbl_keys(link.client.attached_buffers))
  else
    add("- bridge: not running%s", link.down and (", " .. link.down) or "")
  end
  if info then
    add("- agent: %s %s, process %d", info.name, info.version, info.pid)
    if info.quirks and #info.quirks > 0 then
      add("- known of this version: %s", table.concat(info.quirks, ", "))
    end
  elseif err then
    add("- agent: %s", err.message)
  end
  for _, s in ipairs(session.list()) do
    if s.root == link.root then
      local mark = session.current() == s and "*" or "-"
      add("%s session %s: %s%s", mark, s.id, s.title or "(no title)", s.busy and ", working" or "")
    end
  end
  add("")
end

---@param lines string[]
local function open(lines)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = "markdown"
  vim.cmd("botright sbuffer " .. buf)
  vim.api.nvim_win_set_height(0, math.min(#lines, math.floor(vim.o.lines / 2)))
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true })
end

function M.show()
  local lines = {}
  local function add(line, ...)
    lines[#lines + 1] = select("#", ...) > 0 and line:format(...) or line
  end
  add("log: %s", vim.fn.fnamemodify(require("copilot-bridge.log").path(), ":~"))
  add("")
  local links = client.links()
  if #links == 0 then
    local cmd, err = require("copilot-bridge.binary").command()
    add("The bridge isn't running: it starts with the first prompt or chat")
    add("program: %s", cmd and table.concat(cmd, " ") or err)
    return open(lines)
  end
  local left = #links
  for _, link in ipairs(links) do
    local function done(err, info)
      describe(add, link, info, err)
      left = left - 1
      if left == 0 then
        open(lines)
      end
    end
    if link.ready then
      client.request(link, "copilot-bridge/agent/info", {}, done)
    else
      done(nil, nil)
    end
  end
end

return M
