-- Works on main.pp in Neovim with the shipped configuration, and writes what its buffers had to seen.json.
local seen = {}

local function wait(what, condition)
  seen[what] = vim.wait(30000, condition, 50)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 30000) or {}
  local _, answer = next(answers)
  return answer and answer.result
end

local function work()
  vim.cmd("edit main.pp")
  seen.filetype = vim.bo.filetype
  wait("diagnosed", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local first = vim.diagnostic.get(0)[1]
  seen.diagnostic = { first.code, first.lnum, first.col }

  vim.cmd("%s/nmae/name/")
  wait("mended", function()
    return #vim.diagnostic.get(0) == 0
  end)
  vim.fn.cursor(2, 27)
  vim.lsp.buf.hover()
  local float
  wait("hovered", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      float = vim.api.nvim_win_get_config(window).relative ~= "" and window or float
    end
    return float ~= nil
  end)
  seen.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), "\n")
  vim.api.nvim_win_close(float, true)

  local completion = ask("textDocument/completion")
  seen.completion = vim.tbl_map(function(item)
    return item.label
  end, completion.items or completion)

  vim.lsp.buf.rename("label")
  wait("renamed", function()
    return text():find("value = label", 1, true) ~= nil
  end)
  seen.text = text()

  vim.cmd("%s/ value/     value/")
  local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
  format()
  seen.formatted = text()

  vim.fn.cursor(3, 1)
  vim.cmd("PclgenShow go")
  wait("shown", function()
    return vim.bo.filetype == "go"
  end)
  seen.generated = text()
  seen.line = vim.api.nvim_get_current_line()
end

local ok, failure = pcall(work)
seen.failure = not ok and tostring(failure) or vim.NIL
vim.fn.writefile({ vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen) }, "seen.json")
vim.cmd("qall!")
