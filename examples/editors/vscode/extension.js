// Starts `rulewright lsp --stdio` for the YAML files of the workspace. The server itself leaves alone what belongs to no project.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

/** Called by the editor when a workspace has a rulewright.yaml. */
exports.activate = async function activate() {
  const [command, ...args] = workspace.getConfiguration('rulewright').get('command');
  client = new LanguageClient(
    'rulewright',
    'Rulewright',
    { command, args },
    { documentSelector: [{ scheme: 'file', language: 'yaml' }] },
  );
  await client.start();
};

/** Called by the editor before it ends. */
exports.deactivate = () => client?.stop();
