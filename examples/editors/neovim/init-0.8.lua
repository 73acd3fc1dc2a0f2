-- Neovim 0.8 to 0.10: put this into init.lua.
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'yaml',
  callback = function(event)
    local file = vim.fs.find('rulewright.yaml', { upward = true, path = vim.fs.dirname(event.file) })[1]
    if file then
      vim.lsp.start({ name = 'rulewright', cmd = { 'rulewright', 'lsp', '--stdio' }, root_dir = vim.fs.dirname(file) })
    end
  end,
})
