-- Neovim 0.11 or newer: save as ~/.config/nvim/lsp/rulewright.lua, and put vim.lsp.enable('rulewright') into init.lua.
return {
  cmd = { 'rulewright', 'lsp', '--stdio' },
  filetypes = { 'yaml' },
  root_markers = { 'rulewright.yaml' },
  workspace_required = true,
}
