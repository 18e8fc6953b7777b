--- Which buffers a bridge sees, and when: those of the files in its project, under the name that they have, with what is typed
--- in them before anything that speaks of it.

local project = require("copilot-bridge.project")

local M = {}

--- The bridges, by the folder of their project; client.lua starts and ends them.
---@type table<string, copilot-bridge.Link>
M.links = {}

--- The link whose project a path is in, the innermost first.
---@param path string
---@return copilot-bridge.Link?
function M.link_for(path)
  local best
  for root, link in pairs(M.links) do
    if project.inside(path, root) and (not best or #root > #best.root) then
      best = link
    end
  end
  return best
end

-- What of a buffer has been sent, by changedtick.
---@type table<integer, integer>
local flushed = {}

--- What is typed reaches the server some time later; this sends it now. Without it a prompt could overtake the text it speaks of.
--- A request about a buffer has Neovim send that buffer's changes before it; this one costs the bridge nothing.
---@param client vim.lsp.Client
function M.flush(client)
  for buf in pairs(client.attached_buffers) do
    local tick = vim.api.nvim_buf_is_loaded(buf) and vim.api.nvim_buf_get_changedtick(buf)
    if tick and flushed[buf] ~= tick then
      flushed[buf] = tick
      local args = { "copilot-bridge/auth/status", vim.empty_dict(), function() end, buf }
      if vim.fn.has("nvim-0.11") == 1 then
        client:request(unpack(args, 1, 4))
      else
        client.request(unpack(args, 1, 4))
      end
    end
  end
end

--- Attaches the buffer of a file to the bridge of its project, if that runs.
---@param buf integer
function M.attach(buf)
  if require("copilot-bridge.language.hidden").is(buf) then
    return -- to the bridge its file is on disk
  end
  local path = project.file_of(buf)
  local link = path and M.link_for(path)
  if link and link.client and link.ready and not vim.lsp.buf_is_attached(buf, link.client.id) then
    vim.lsp.buf_attach_client(buf, link.client.id)
  end
end

--- Attaches all buffers of files, to a bridge that has just come.
function M.attach_all()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    M.attach(buf)
  end
end

local group ---@type integer?

-- Files whose buffers are about to get another name, by buffer.
---@type table<integer, string>
local named = {}

--- Tells of a file that was renamed together with its buffer, as plugins and commands do that speak no LSP.
---@param buf integer
local function renamed(buf)
  local from, to = named[buf], vim.api.nvim_buf_get_name(buf)
  named[buf] = nil
  local link = from and M.link_for(from)
  local client = link and link.ready and link.client
  if client and from ~= to and not vim.uv.fs_lstat(from) and vim.uv.fs_stat(to) then
    client.rpc.notify("workspace/didRenameFiles", {
      files = { { oldUri = vim.uri_from_fname(from), newUri = vim.uri_from_fname(to) } },
    })
  end
end

--- Follows the buffers that come and those that get another name. Calling it again changes nothing.
function M.follow()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.client", {})
  -- A buffer that is given another name is another document: Neovim itself would say so when it is written, and tell of changes
  -- in the new name until then.
  vim.api.nvim_create_autocmd("BufFilePre", {
    group = group,
    callback = function(ev)
      named[ev.buf] = named[ev.buf] or project.file_of(ev.buf)
      for _, link in pairs(M.links) do
        if link.client and vim.lsp.buf_is_attached(ev.buf, link.client.id) then
          M.flush(link.client)
          vim.lsp.buf_detach_client(ev.buf, link.client.id)
        end
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost", "FileType" }, {
    group = group,
    callback = function(ev)
      vim.schedule(function() -- the file type is known then
        if vim.api.nvim_buf_is_valid(ev.buf) then
          renamed(ev.buf)
          M.attach(ev.buf)
        end
      end)
    end,
  })
end

return M
