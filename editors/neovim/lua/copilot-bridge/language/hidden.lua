--- Files that are open for the language servers only: buffers in no list and no window, which the bridge is not told of. They are
--- closed a moment after they were last needed, so that one question after the other does not open and close them.

local text = require("copilot-bridge.text")

local M = {}

-- How long one stays open that nobody needs (milliseconds).
local LINGER = 3000

---@class copilot-bridge.Hidden
---@field users integer how many need it just now
---@field stamp string what its file was like when it was read
---@field uri string
---@field timer uv.uv_timer_t?
---@field loading boolean? Neovim enters a buffer that it reads, which nobody has gone to

---@type table<integer, copilot-bridge.Hidden> by buffer
local hidden = {}

--- What changes with the file.
---@param name string
---@return string
local function stamp(name)
  local stat = vim.uv.fs_stat(name)
  return stat and ("%d.%d.%d"):format(stat.mtime.sec, stat.mtime.nsec, stat.size) or ""
end

--- True while nobody but the servers has the buffer: a user who opens it takes it over.
---@param buf integer
---@return boolean
local function ours(buf)
  return vim.api.nvim_buf_is_valid(buf)
    and not vim.bo[buf].buflisted
    and not vim.bo[buf].modified
    and #vim.fn.win_findbuf(buf) == 0
end

---@param buf integer
local function drop(buf)
  local h = hidden[buf]
  hidden[buf] = nil
  if h and h.timer then
    h.timer:close()
  end
  if ours(buf) then
    pcall(vim.api.nvim_buf_delete, buf, { force = true })
  elseif vim.api.nvim_buf_is_valid(buf) then
    require("copilot-bridge.buffers").attach(buf)
  end
end

---@param buf integer
---@return boolean
function M.is(buf)
  return hidden[buf] ~= nil and ours(buf)
end

--- The buffer of a URI, if it is loaded, for whomever.
---@param uri string
---@return integer?
function M.find(uri)
  for buf, h in pairs(hidden) do
    if h.uri == uri and vim.api.nvim_buf_is_loaded(buf) then
      return buf
    end
  end
  return text.loaded(uri)
end

local group ---@type integer?

--- A user who goes into such a buffer has it read like any other.
function M.start()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.hidden", {})
  vim.api.nvim_create_autocmd("BufEnter", {
    group = group,
    nested = true,
    callback = function(ev)
      local h = hidden[ev.buf]
      if not h or h.loading then
        return
      end
      hidden[ev.buf] = nil
      if h.timer then
        h.timer:close()
      end
      vim.bo[ev.buf].swapfile, vim.bo[ev.buf].buflisted = vim.go.swapfile, true
      if not vim.bo[ev.buf].modified then
        pcall(vim.cmd, "silent keepalt edit!")
      end
    end,
  })
end

--- Gives the servers the files as they are now, which somebody else may have written.
function M.refresh()
  for buf, h in pairs(hidden) do
    local name = vim.api.nvim_buf_is_valid(buf) and vim.api.nvim_buf_get_name(buf) or ""
    local now = stamp(name)
    if now ~= h.stamp and ours(buf) then
      h.stamp = now
      local ok, lines = pcall(vim.fn.readfile, name)
      if ok then
        vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
        vim.bo[buf].modified = false
      else
        drop(buf)
      end
    end
  end
end

--- The buffer of a file, opened if it is not open; release() says that it is not needed any more. nil if there is no such file.
---@param uri string
---@return integer? buf
---@return fun() release
---@return boolean opened by this call
function M.open(uri)
  local buf, opened = M.find(uri), false
  local name = vim.uri_to_fname(uri)
  if not buf then
    if vim.fn.filereadable(name) == 0 then
      return nil, function() end, false
    end
    opened, buf = true, vim.fn.bufadd(name)
    hidden[buf] = { users = 0, stamp = stamp(name), uri = uri, loading = true }
    vim.bo[buf].swapfile = false
    local ok = pcall(vim.fn.bufload, buf)
    if ok and vim.bo[buf].filetype == "" then
      vim.api.nvim_buf_call(buf, function()
        pcall(vim.cmd, "silent! filetype detect")
      end)
    end
    hidden[buf].loading = nil
  end
  local h = hidden[buf]
  if not h then
    return buf, function() end, false
  end
  h.users = h.users + 1
  local done = false
  return buf,
    function()
      if done or hidden[buf] ~= h then
        return
      end
      done, h.users = true, h.users - 1
      h.timer = h.timer or assert(vim.uv.new_timer())
      h.timer:start(
        LINGER,
        0,
        vim.schedule_wrap(function()
          if h.users == 0 and hidden[buf] == h then
            drop(buf)
          end
        end)
      )
    end,
    opened
end

return M
