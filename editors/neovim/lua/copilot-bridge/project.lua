--- Which files an agent may be shown, and which project they are of.

local config = require("copilot-bridge.config")

local M = {}

--- The buffer of a file that an agent may be shown.
---@param buf integer
---@return string? path
function M.file_of(buf)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= "" then
    return nil
  end
  local name = vim.api.nvim_buf_get_name(buf)
  if name == "" or name:match("^%w[%w+.-]+://") then
    return nil
  end
  if vim.list_contains(config.get().filetypes_off, vim.bo[buf].filetype) then
    return nil
  end
  return vim.fs.normalize(name)
end

--- Whether a path is in a folder, or is it.
---@param path string
---@param root string
---@return boolean
function M.inside(path, root)
  return root == "/" or path == root or vim.startswith(path, root .. "/")
end

--- The project of a buffer: the nearest folder with one of `root_markers`, else the working folder.
---@param buf integer?
---@return string
function M.root_of(buf)
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  local path = M.file_of(buf or vim.api.nvim_get_current_buf())
  if not path then
    return vim.fs.root(cwd, config.get().root_markers) or cwd
  end
  local root = vim.fs.root(path, config.get().root_markers)
  if root then
    return vim.fs.normalize(root)
  end
  return M.inside(path, cwd) and cwd or vim.fs.dirname(path)
end

return M
