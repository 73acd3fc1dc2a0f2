import { paths, command, commandGroup } from '../../cli/index.ts';
import { DEPRECATIONS_LIST_FLAGS, DEPRECATIONS_SCAN_FLAGS } from '../legacy-flags.ts';

const list = command({
  run: async () => (await import('./run-deprecations.ts')).runList,
  brief: 'Show what the service retires, by date',
  text: `Lists the deprecations that take effect within 90 days, later ones, and past
ones, with methods, paths, fields, and what to use instead. Needs no network.`,
  examples: [
    ['rulewright deprecations list', 'all of it'],
    ['rulewright deprecations list --format json', 'as JSON'],
  ],
  flags: DEPRECATIONS_LIST_FLAGS,
});

const scan = command({
  run: async () => (await import('./run-deprecations.ts')).runScan,
  brief: 'Find where files use what the service retires',
  text: `Searches files and folders (this folder unless you name some): rules, Terraform,
OpenAPI and Postman files, recordings and access logs, scripts, source code.
Skips folders such as .git and node_modules, and binary files. Needs no network.
Exit code 2 if something is found, 1 if a file could not be read.`,
  examples: [
    ['rulewright deprecations scan', 'this folder'],
    ['rulewright deprecations scan infra access.log', 'a folder and a file'],
    ['rulewright deprecations scan --format sarif', 'for code scanning'],
  ],
  flags: DEPRECATIONS_SCAN_FLAGS,
  positional: paths('PATH', 'Files and folders (default: this folder)'),
});

/** `rulewright deprecations list|scan`. */
export const deprecationsCommands = commandGroup({
  brief: 'Show what the service retires, and where you use it',
  text: `Shows what the service retires, when, and what to use instead. Finds where your
files use it.`,
  examples: [
    ['rulewright deprecations list', 'what is due soon, what is past'],
    ['rulewright deprecations scan infra', 'where a folder uses it'],
  ],
  routes: { list, scan },
});
