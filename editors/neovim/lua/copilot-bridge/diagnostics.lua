--- What the other language servers and linters say of the files, for the agent.

local text = require("copilot-bridge.text")

local M = {}

--- The diagnostics of a buffer that are not our own, as LSP has them.
---@param buf integer
---@return table[]
function M.of(buf)
  local ours = {}
  for _, client in ipairs(vim.lsp.get_clients({ name = require("copilot-bridge.client").NAME })) do
    ours[vim.lsp.diagnostic.get_namespace(client.id)] = true
  end
  local out = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    if not ours[d.namespace] then
      out[#out + 1] = {
        range = {
          start = text.position(buf, d.lnum, d.col),
          ["end"] = text.position(buf, d.end_lnum or d.lnum, d.end_col or d.col),
        },
        severity = d.severity,
        source = d.source,
        code = d.code,
        message = d.message,
      }
    end
  end
  return out
end

---@param params {uris: string[]?}
---@param reply fun(result: any, err: table?)
function M.request(params, reply)
  local bufs = {}
  if params.uris and #params.uris > 0 then
    for _, uri in ipairs(params.uris) do
      bufs[#bufs + 1] = text.loaded(uri)
    end
  else
    bufs = vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.api.nvim_list_bufs())
  end
  local items = {}
  for _, buf in ipairs(bufs) do
    local list = M.of(buf)
    if #list > 0 or params.uris then
      items[#items + 1] = { uri = vim.uri_from_bufnr(buf), diagnostics = list }
    end
  end
  reply({ items = items })
end

return M
