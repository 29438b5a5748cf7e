-- pclgen in Neovim 0.7 or newer. Copy this file to ~/.config/nvim/plugin/pclgen.lua.
--
-- It starts `pclgen lsp` for files that end in `.pp`. `:PclgenShow go` opens the code that the program becomes in a window
-- beside it, at the lines of what is under the cursor; `vim.g.pclgen_command` is the command, `{ "pclgen", "lsp" }` by default.

local ROOTS = { "pclgen.toml", "Pulumi.yaml", ".git" }
local FILETYPES = { python = "python", typescript = "typescript", go = "go", yaml = "yaml" }
local clients = {}

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, name in ipairs(ROOTS) do
    local file = vim.fn.findfile(name, folder .. ";")
    local found = file ~= "" and file or vim.fn.finddir(name, folder .. ";")
    if found ~= "" then
      return vim.fn.fnamemodify(found, ":p:s?/$??:h")
    end
  end
  return folder
end

local function start(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local config = { name = "pclgen", cmd = vim.g.pclgen_command or { "pclgen", "lsp" }, root_dir = root }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
    clients[root] = vim.lsp.start_client(config)
  end
  vim.lsp.buf_attach_client(buffer, clients[root])
end

-- The line of the generated file that comes from this line of the program.
local function line_of(mappings, uri, line)
  local at, fewest
  for _, mapping in ipairs(mappings or {}) do
    local first, last = mapping.source.range.start.line, mapping.source.range["end"].line
    if mapping.source.uri == uri and first <= line and line <= last and (not fewest or last - first < fewest) then
      at, fewest = mapping.range.start.line + 1, last - first
    end
  end
  return at
end

local function open(answer, uri, line)
  for path, text in pairs(answer.files) do
    local at = line_of(answer.mappings[path], uri, line)
    if at or vim.tbl_count(answer.files) == 1 then
      vim.cmd("botright vnew")
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n"))
      vim.bo.buftype, vim.bo.bufhidden, vim.bo.modified = "nofile", "wipe", false
      vim.bo.filetype = FILETYPES[answer.language] or ""
      vim.api.nvim_win_set_cursor(0, { at or 1, 0 })
      return
    end
  end
  local messages = vim.tbl_isempty(answer.messages) and { "nothing of the program is here" } or answer.messages
  vim.notify("pclgen: " .. table.concat(messages, "; "), vim.log.levels.WARN)
end

local function show(language)
  local uri, line = vim.uri_from_bufnr(0), vim.api.nvim_win_get_cursor(0)[1] - 1
  local request = { command = "pclgen.showGenerated", arguments = { { uri = uri, language = language } } }
  vim.lsp.buf_request(0, "workspace/executeCommand", request, function(failure, answer)
    if failure or type(answer) ~= "table" then
      vim.notify("pclgen: no answer from the server", vim.log.levels.WARN)
    else
      open(answer, uri, line)
    end
  end)
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.pp",
  callback = function()
    vim.bo.filetype = "pcl"
  end,
})
vim.api.nvim_create_autocmd("FileType", {
  pattern = "pcl",
  callback = function(event)
    local buffer = event.buf or vim.api.nvim_get_current_buf()
    vim.bo[buffer].commentstring = "# %s"
    start(buffer)
  end,
})
vim.api.nvim_create_user_command("PclgenShow", function(command)
  show(command.args)
end, {
  nargs = 1,
  complete = function()
    return { "python", "typescript", "go", "yaml" }
  end,
})
