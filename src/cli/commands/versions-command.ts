import { RULESET_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import type { OnEvent, RulesetChoice, ServiceOptions } from '../../app/index.ts';
import {
  findVersionToDelete,
  listRulesetVersions,
  removeRulesetVersion,
  rulesetYaml,
  showRulesetVersion,
  usage,
} from '../../app/index.ts';
import { counted } from '../../text/index.ts';
import { scopeLabel, MOST_VERSIONS } from '../../model/index.ts';
import { guardRefusal, escapeText, versionsDocument } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeErrorJson } from '../report-failure.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import type { RulesetArguments } from '../arguments.ts';
import { ask } from '../run/ask.ts';
import { startGuarded } from '../run/guarded.ts';
import type { FlagsOf } from '../flag.ts';
import { valueFlag, valueFlagOr } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

const NUMBER = between(1, Number.MAX_SAFE_INTEGER);

/** Flags of `versions`. */
const VERSIONS_FLAGS = {
  limit: valueFlagOr(between(1, MOST_VERSIONS), '10', {
    placeholder: 'N',
    brief: 'How many versions to list',
  }),
  show: valueFlag(NUMBER, 'N', 'Print this version as YAML'),
  delete: valueFlag(NUMBER, 'N', 'Delete this version permanently'),
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  ...LIVE_FLAGS,
};

/** The values of `VERSIONS_FLAGS`. */
type VersionsFlags = FlagsOf<typeof VERSIONS_FLAGS>;

interface VersionsRun {
  readonly context: CliContext;
  readonly flags: VersionsFlags;
  readonly choice: RulesetChoice;
  readonly options: ServiceOptions;
}

/** Lists the versions of a ruleset, shows one, or deletes one. */
async function runVersions(
  context: CliContext,
  flags: VersionsFlags,
  ...[scope, ruleset]: RulesetArguments
): Promise<ExitCode> {
  if (flags.show !== undefined && flags.delete !== undefined) {
    throw usage('--show and --delete cannot be combined');
  }
  const started = await startGuarded(context, flags);
  if (started.kind === 'ended') {
    return started.code;
  }
  const { guards, options } = started;
  const run: VersionsRun = { context, flags, options, choice: { scope, ruleset, guards } };
  if (flags.delete !== undefined) {
    return remove(run, String(flags.delete));
  }
  return flags.show === undefined ? list(run) : show(run, String(flags.show));
}

async function list({ context, flags, choice, options }: VersionsRun): Promise<ExitCode> {
  const work = (report: OnEvent) => listRulesetVersions({ ...choice, limit: flags.limit }, options, report);
  const found = await startProgress(context, flags, work);
  await writeResult(context, flags, {
    document: () => versionsDocument(found),
    json: () => ({ kind: 'versions', formatVersion: 1, ...found }),
  });
  return EXIT.done;
}

async function show({ context, flags, choice, options }: VersionsRun, version: string): Promise<ExitCode> {
  const work = (report: OnEvent) => showRulesetVersion({ ...choice, version }, options, report);
  const { scope, live } = await startProgress(context, flags, work);
  const yaml = (): string => rulesetYaml(scope, live, choice.guards.timeZone);
  await writeResult(context, flags, {
    document: () => ({
      title: 'Rulewright versions',
      heading: [`${scopeLabel(scope)}/${live.phase}, version ${version}`],
      body: [{ kind: 'verbatim', language: 'yaml', lines: yaml().trimEnd().split('\n') }],
    }),
    text: yaml,
    json: () => ({ kind: 'version', formatVersion: 1, scope, ruleset: live }),
  });
  return EXIT.done;
}

async function remove({ context, flags, choice, options }: VersionsRun, version: string): Promise<ExitCode> {
  const deletion = { ...choice, version, allow: flags.allow ?? [] };
  const { rules, refusals } = await startProgress(context, flags, (report) =>
    findVersionToDelete(deletion, options, report),
  );
  if (refusals.length > 0) {
    const { message, hint } = guardRefusal(refusals, deletion.allow);
    const found = refusals.map((one) => `${one.kind}: ${escapeText(one.message)}\n`).join('');
    context.stderr.write(`${found}${message}\n${hint}\n`);
    await writeErrorJson(context, flags, { code: 'versions/refused', message, hint });
    return EXIT.refused;
  }
  const question = `Delete version ${version}, with ${counted(rules, 'rule')}, permanently? Type "yes" to confirm: `;
  const answer = await ask(context, flags, { question, act: 'delete' });
  if (answer.kind === 'ended') {
    return answer.code;
  }
  const work = (report: OnEvent) => removeRulesetVersion(deletion, options, report);
  const { scope, live } = await startProgress(context, flags, work);
  const { rules: _rules, ...ruleset } = live;
  await writeResult(context, flags, {
    document: () => ({
      title: 'Rulewright versions',
      summary: [[`Deleted version ${version} of ${scopeLabel(scope)}/${live.phase}.`]],
      body: [],
    }),
    json: () => ({ kind: 'version-deleted', formatVersion: 1, scope, ruleset, version }),
  });
  return EXIT.done;
}

/** `rulewright versions`. */
export const versionsCommand = command({
  run: runVersions,
  text: `Lists the latest versions of a ruleset that the service still has, newest first,
each with the rules that it changed. Each costs a request. Can also show one
version, or delete it (needs --allow irreversible). To go back to one, use
rulewright rollback.`,
  examples: [
    ['rulewright versions shop.example http_ratelimit', 'the last ten'],
    ['rulewright versions shop.example http_ratelimit --show 3', 'one, as YAML'],
    ['rulewright versions shop.example ddos_l7 --delete 3 --allow irreversible', 'delete one'],
  ],
  flags: VERSIONS_FLAGS,
  positional: RULESET_ARGUMENTS,
});
