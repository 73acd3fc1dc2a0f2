import type { CommandTable } from './command.ts';

/**
 * The commands of every project, in the order of help: the line that lists each, what its output is, and where it stands. `start` puts those of extensions
 * behind `expression`.
 */
export const COMMANDS: CommandTable = {
  init: {
    brief: 'Begin a project, from nothing or from live',
    output: 'report',
    load: async () => (await import('./commands/init-command.ts')).initCommand,
  },
  validate: {
    brief: 'Check the files; no network',
    output: 'all',
    load: async () => (await import('./commands/validate-command.ts')).validateCommand,
  },
  fmt: {
    brief: 'Bring the files into one style',
    output: 'report',
    load: async () => (await import('./commands/fmt-command.ts')).fmtCommand,
  },
  plan: {
    brief: 'Show what apply would change; writes nothing',
    output: 'all',
    load: async () => (await import('./commands/plan-command.ts')).planCommand,
  },
  apply: {
    brief: 'Make live equal to the files',
    output: 'report',
    load: async () => (await import('./commands/apply-command.ts')).applyCommand,
  },
  drift: {
    brief: 'Show how live differs from the files; writes nothing',
    output: 'all',
    load: async () => (await import('./commands/drift-command.ts')).driftCommand,
  },
  watch: {
    brief: 'Pull a branch and plan or apply it, again and again',
    output: 'endless',
    load: async () => (await import('./commands/watch-command.ts')).watchCommand,
  },
  merge: {
    brief: 'Combine plans, drift reports, journals or replays of shards',
    output: 'report',
    load: async () => (await import('./commands/merge-command.ts')).mergeCommand,
  },
  import: {
    brief: 'Write live state to files, or update them',
    output: 'report',
    load: async () => (await import('./commands/import-command.ts')).importCommand,
  },
  doctor: {
    brief: 'Check connection, token and permissions',
    output: 'all',
    load: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
  },
  catalog: {
    brief: 'List managed rulesets, their rules and tags',
    output: 'all',
    load: async () => (await import('./commands/catalog-command.ts')).catalogCommand,
  },
  versions: {
    brief: 'Show earlier versions of a ruleset',
    output: 'all',
    load: async () => (await import('./commands/versions-command.ts')).versionsCommand,
  },
  rollback: {
    brief: 'Go back to an earlier version of a ruleset',
    output: 'report',
    load: async () => (await import('./commands/rollback-command.ts')).rollbackCommand,
  },
  test: {
    brief: 'Test rules with requests, without traffic',
    output: 'all',
    load: async () => (await import('./commands/test-command.ts')).testCommand,
  },
  explain: {
    brief: 'Show what each rule does with one request, and why',
    output: 'all',
    load: async () => (await import('./commands/explain-command.ts')).explainCommand,
  },
  replay: {
    brief: 'Show what a plan would have done to recorded requests',
    output: 'all',
    load: async () => (await import('./commands/replay-command.ts')).replayCommand,
  },
  usage: {
    brief: 'Show which rules left security events, and which none',
    output: 'all',
    load: async () => (await import('./commands/usage-command.ts')).usageCommand,
  },
  expression: {
    brief: 'Parse or evaluate expressions, JSON lines on stdin',
    output: 'endless',
    load: async () => (await import('./commands/expression-command.ts')).expressionCommands,
  },
  github: {
    brief: 'Write to pull requests and issues on GitHub',
    output: 'report',
    load: async () => (await import('./commands/forge-command.ts')).githubCommands,
  },
  gitlab: {
    brief: 'Write to merge requests and issues on GitLab',
    output: 'report',
    load: async () => (await import('./commands/forge-command.ts')).gitlabCommands,
  },
  cache: {
    brief: 'Manage the cache of live state',
    output: 'report',
    load: async () => (await import('./commands/cache-command.ts')).cacheCommands,
  },
  emulator: {
    brief: 'Run the embedded service until interrupted',
    output: 'endless',
    load: async () => (await import('./commands/emulator-command.ts')).emulatorCommand,
  },
  lsp: {
    brief: 'Serve an editor over the Language Server Protocol',
    output: 'endless',
    load: async () => (await import('./commands/lsp-command.ts')).lspCommand,
  },
  schema: {
    brief: 'Print the JSON Schema of a file or document',
    output: 'all',
    load: async () => (await import('./commands/schema-command.ts')).schemaCommand,
  },
  completion: {
    brief: 'Print the completion script of a shell',
    output: 'all',
    load: async () => (await import('./commands/completion-command.ts')).completionCommand,
  },
  version: {
    brief: 'Print the version, the build and that of Node',
    output: 'all',
    load: async () => (await import('./commands/version-command.ts')).versionCommand,
  },
};
