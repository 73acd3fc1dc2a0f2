// What people type who come from Terraform, OpenTofu or octorules, and how it is said here.

/** Commands of other tools: what to say after "there is no command …". */
export const FOREIGN_COMMANDS: Readonly<Record<string, string>> = {
  state:
    ': there is no state file to look after, since each plan reads what is live; rulewright plan shows the difference',
  refresh: ': every plan reads what is live; rulewright drift shows how it differs from the files',
  destroy:
    ': an entry point with rules: [] is emptied and a ruleset with absent: true is deleted, by plan and apply',
  show: '; a saved plan is shown by rulewright apply PLAN.json --dry-run, and live by rulewright versions',
  output: '; results are files of their own: rulewright plan --format json --output FILE',
  workspace: '; environments are labels and variables of the project: see docs/gitops.md',
  taint: '; no rule is ever replaced to bring it up to date: a plan patches it and keeps its id',
  console: '; try an expression with rulewright expression eval',
  providers: '; rulewright doctor checks connection, token and permissions',
  'force-unlock':
    '; apply holds its journal only while it runs, and a run after a crash goes on where it ended',
  get: '; packs are files of the project, and nothing has to be fetched',
  login: '; the token comes from CLOUDFLARE_API_TOKEN',
  sync: '; did you mean apply?',
  dump: '; did you mean import?',
  lint: '; did you mean validate?',
  audit: '; did you mean drift --unmanaged?',
  check: '; did you mean validate?',
  diff: '; did you mean plan?',
};

/** Flags of other tools, without dashes: what to say after "there is no flag …". */
export const FOREIGN_FLAGS: Readonly<Record<string, string>> = {
  'auto-approve': '; did you mean --yes?',
  'refresh-only': '; did you mean rulewright drift?',
  refresh: ': every plan reads what is live; --no-cache reads all of it again',
  'detailed-exitcode': ': plan has --exit-code, and drift always ends with 2 where live differs',
  'var-file': '; variables stand in the files (vars), and --var NAME=VALUE sets one',
  parallelism: '; did you mean --concurrency?',
  chdir: '; did you mean --config FILE, or the folder as an argument?',
  json: '; did you mean --format json?',
  destroy: ': an entry point with rules: [] is emptied and a ruleset with absent: true is deleted',
  replace: '; no rule is ever replaced to bring it up to date: a plan patches it and keeps its id',
  state: ': there is no state file, since each plan reads what is live',
  lock: ': apply holds its journal while it runs',
  'lock-timeout': ': apply holds its journal while it runs',
  input: ': --yes answers where a command asks',
  recursive: ': all files of the project are formatted',
};

/**
 * Returns the message about a flag with one dash, as Terraform spells them (`-out=x`); undefined if there is none. `flags` are the flags of the
 * command, as they are typed.
 */
export function singleDash(argv: readonly string[], flags: ReadonlySet<string>): string | undefined {
  const end = argv.indexOf('--');
  for (const word of end === -1 ? argv : argv.slice(0, end)) {
    const [, name = '', value = ''] = /^-([a-z][a-z-]+)(=.*)?$/su.exec(word) ?? [];
    if (flags.has(`--${name}`) || name === 'help' || name === 'version') {
      return `there is no flag -${name}; flags have two dashes: --${name}${value}`;
    }
    if (name !== '') {
      return `there is no flag -${name}${FOREIGN_FLAGS[name] ?? ''}`;
    }
  }
  return undefined;
}
