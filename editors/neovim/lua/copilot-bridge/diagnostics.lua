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

--- The items of an answer: of the files that are named, or of all that something is said about, open or not.
---@param uris string[]?
---@return table[]
local function items_of(uris)
  local bufs, items = {}, {}
  if uris and #uris > 0 then
    for _, uri in ipairs(uris) do
      bufs[#bufs + 1] = text.loaded(uri)
    end
  else
    bufs = vim.tbl_filter(function(buf)
      return vim.api.nvim_buf_get_name(buf) ~= ""
    end, vim.api.nvim_list_bufs())
  end
  for _, buf in ipairs(bufs) do
    local list = M.of(buf)
    if #list > 0 or uris then
      items[#items + 1] = { uri = vim.uri_from_bufnr(buf), diagnostics = list }
    end
  end
  return items
end

--- Answers at once, or, with `spoken`, when the servers of a file have spoken about the text that it has now.
---@param params {uris: string[]?, spoken: {uri: string, ms: integer}?}
---@param reply fun(result: any, err: table?)
function M.request(params, reply)
  local spoken = params.spoken
  if not spoken then
    return reply({ items = items_of(params.uris) })
  end
  local hidden, servers = require("copilot-bridge.language.hidden"), require("copilot-bridge.language.servers")
  hidden.refresh()
  local buf, release, opened = hidden.open(spoken.uri)
  local function answer(state)
    release()
    reply({ items = items_of(params.uris), servers = state })
  end
  if not buf then -- a file that is to be made: there is nothing to say of it
    return answer("spoken")
  end
  servers.with(buf, opened, function(clients)
    if #clients == 0 then
      return answer("none")
    end
    servers.await(buf, spoken.ms, function(ok)
      answer(ok and "spoken" or "silent")
    end)
  end)
end

return M
