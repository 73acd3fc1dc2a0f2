import { resolve } from 'node:path';
import {
  createMetrics,
  currentBranch,
  fileLease,
  journalPath,
  openKubernetesLease,
  projectFolder,
  runTime,
  stoppedFileOf,
  usage,
  watch,
} from '../../app/index.ts';
import type { LeaseName, RoundEnd, RoundQuestion, RoundResult, StatusAddress } from '../../app/index.ts';
import { assertNever } from '../../data/index.ts';
import { escapeText } from '../../report/index.ts';
import { secondsOf, wholeSecond } from '../../text/index.ts';
import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import type { CliContext, OutputStream } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { reportFailure } from '../report-failure.ts';
import type { FlagsOf } from '../flag.ts';
import { keptFlag, listFlag, switchFlag, textFlag, valueFlag, valueFlagOr } from '../flag.ts';
import { CACHE_FLAGS, OUTPUT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { selectionOf } from '../service-choice.ts';
import { startSession } from '../session.ts';
import { journalChoice } from '../run/journal-of-run.ts';
import { probeHost } from '../run/apply-run.ts';
import { runApply } from './apply-command.ts';
import { runPlan } from './plan-command.ts';

/** Flags of `watch`. */
const WATCH_FLAGS = {
  interval: valueFlagOr(interval, '5m', { placeholder: 'TIME', brief: 'Time between two rounds' }),
  apply: switchFlag('Apply, without asking; needs --branch'),
  onlyStrengthening: switchFlag('With --apply, leave out what weakens or deletes'),
  branch: textFlag('NAME', 'The branch to follow (default: the one checked out)'),
  remote: valueFlagOr(remoteName, 'origin', { placeholder: 'NAME', brief: 'The remote to pull from' }),
  lease: keptFlag('lock', 'FILE', 'Of all watchers with this file, one works at a time'),
  leaseName: valueFlag(leaseName, '[NAMESPACE/]NAME', 'The same by a Lease of Kubernetes'),
  listen: valueFlag(statusAddress, '[HOST:]PORT', 'Serve /healthz and /metrics there'),
  webhook: switchFlag('Begin a round when a webhook comes, signed with RULEWRIGHT_WATCH_SECRET'),
  journal: keptFlag('journal', 'FILE', 'Journal (default: .rulewright/journal.jsonl)'),
  allowProbeHost: listFlag(probeHost, 'HOST', 'Let probes ask a host that is in none of the zones'),
  ...SELECTION_FLAGS,
  ...CACHE_FLAGS,
  ...SERVICE_FLAGS,
  ...OUTPUT_FLAGS,
};

/** The values of `WATCH_FLAGS`. */
type WatchFlags = FlagsOf<typeof WATCH_FLAGS>;

/** The shortest interval, in seconds: a round of a few zones takes as long. */
const SHORTEST = 10;

function interval(text: string): number {
  const seconds = /^\d{1,6}[smhd]$/u.test(text) ? secondsOf(text) : 0;
  if (seconds < SHORTEST) {
    throw new Error(`expected a number and s, m, h or d, such as 5m, and ${SHORTEST}s at least`);
  }
  return seconds;
}

function remoteName(text: string): string {
  if (!/^[\w./-]+$/u.test(text) || text.startsWith('-')) {
    throw new Error('expected the name of a remote of the checkout, such as origin');
  }
  return text;
}

function leaseName(text: string): LeaseName {
  // As RFC 1123 has names of hosts.
  const [, namespace = null, name = ''] =
    /^(?:([a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)\/)?([a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)$/u.exec(text) ?? [];
  if (name === '') {
    throw new Error('expected the name of a Lease, such as rulewright-watch or edge/rulewright-watch');
  }
  return { namespace, name };
}

function statusAddress(text: string): StatusAddress {
  const [, host = '127.0.0.1', port = ''] = /^(?:([\w.-]+|\[[\da-f:]+\]):)?(\d{1,5})$/iu.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new Error('expected a port, or an address and a port, such as 0.0.0.0:9090');
  }
  return { host: host.replaceAll(/^\[|\]$/gu, ''), port: Number(port) };
}

/** Watches until interrupted. */
async function runWatch(
  context: CliContext,
  flags: WatchFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  if (flags.apply === true && flags.branch === undefined) {
    throw usage(
      '--apply needs --branch: what it applies is what that branch says',
      'name the branch that only reviewed changes reach: --branch main',
    );
  }
  if (flags.webhook === true && flags.listen === undefined) {
    throw usage('--webhook needs --listen: webhooks come to /webhook there', 'name a port: --listen 9090');
  }
  const secret = webhookSecret(context, flags);
  const folder = await projectFolder(selectionOf(context, flags, paths));
  const branch = flags.branch ?? (await currentBranch(folder));
  if (branch === null) {
    throw usage(
      `${folder} is no Git checkout that is on a branch`,
      'watch follows a branch: clone the repository, or name the branch with --branch',
    );
  }
  const show = newOutput(context);
  await watch(
    {
      branch: { folder, remote: flags.remote, branch },
      intervalMs: flags.interval * 1000,
      applies: flags.apply === true,
      lease: await leaseOf(context, flags),
      stoppedFile: stoppedFileOf(journalPath(await journalChoice(context, flags, paths))),
      status: flags.listen === undefined ? null : { ...flags.listen, webhookSecret: secret },
    },
    {
      clock: context.clock,
      signal: context.signal,
      round: (question) => goRound(context, flags, { question, paths, show }),
      tell: (line) => context.stdout.write(`${wholeSecond(context.clock.now())} ${escapeText(line)}\n`),
    },
  );
  return EXIT.done;
}

/** Returns what one of several watchers holds; null if there is one only. */
async function leaseOf(
  { cwd, env, clock }: CliContext,
  { lease, leaseName: name }: WatchFlags,
): Promise<Parameters<typeof watch>[0]['lease']> {
  if (lease !== undefined && name !== undefined) {
    throw usage('--lease is a file, --lease-name an object of the cluster', 'leave one of them out');
  }
  return name !== undefined
    ? openKubernetesLease(name, { env }, clock)
    : lease === undefined
      ? null
      : fileLease(resolve(cwd, lease), clock);
}

/** The shortest secret: with a shorter one, a signature can be guessed from what was seen. */
const SHORTEST_SECRET = 16;

/** Returns what webhooks have to be signed with; null if none are taken. */
function webhookSecret({ env }: CliContext, { webhook }: WatchFlags): string | null {
  const secret = env['RULEWRIGHT_WATCH_SECRET'] ?? '';
  if (webhook === true && secret.length < SHORTEST_SECRET) {
    throw usage(
      `RULEWRIGHT_WATCH_SECRET has to have ${SHORTEST_SECRET} characters at least`,
      'set it to the secret that the webhook has: openssl rand -hex 32',
    );
  }
  return webhook === true ? secret : null;
}

/** Shows what a round printed, unless the round before that did the same printed the same. */
type ShowOutput = (act: RoundQuestion['act'], printed: Printed) => void;

/** What a round printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

function newOutput(context: CliContext): ShowOutput {
  const shown = new Map<string, string>();
  return (act, printed) => {
    for (const stream of ['stderr', 'stdout'] as const) {
      const key = `${act} ${stream}`;
      if (shown.get(key) !== printed[stream]) {
        context[stream].write(printed[stream]);
      }
      shown.set(key, printed[stream]);
    }
  };
}

/** A stream that is no terminal, and keeps what is written to it. */
function keeping(stream: OutputStream, keep: (text: string) => void): OutputStream {
  return {
    ...stream,
    isTTY: false,
    write: keep,
    writeAll: (text) => {
      for (const piece of typeof text === 'string' ? [text] : text) {
        keep(piece);
      }
      return Promise.resolve();
    },
  };
}

interface RoundCommand {
  readonly question: RoundQuestion;
  readonly paths: readonly string[];
  readonly show: ShowOutput;
}

/** Runs plan or apply as its command does, with a session, a day and metrics of its own. */
async function goRound(
  context: CliContext,
  flags: WatchFlags,
  { question, paths, show }: RoundCommand,
): Promise<RoundEnd> {
  const { act, mayWrite } = question;
  const session = startSession();
  const metrics = createMetrics({ command: act, version: context.version() }, context.clock);
  session.observe(metrics.observe);
  const printed = { stdout: '', stderr: '' };
  const own: CliContext = {
    ...context,
    ...runTime(context.clock),
    confirm: null,
    ask: null,
    // The run asks its journal; a watcher whose lease is gone must not write either.
    session: { ...session, mayWrite: async () => (await mayWrite()) ?? session.mayWrite() },
    stdout: keeping(context.stdout, (text) => {
      printed.stdout += text;
    }),
    // An apply may take long, and tells meanwhile what it does.
    stderr:
      act === 'apply'
        ? context.stderr
        : keeping(context.stderr, (text) => {
            printed.stderr += text;
          }),
  };
  const {
    listen: _listen,
    webhook: _webhook,
    lease: _lease,
    leaseName: _name,
    remote: _remote,
    ...given
  } = flags;
  const shared = { ...given, format: 'text' } as const;
  const code = await (
    act === 'apply'
      ? runApply(own, { ...shared, yes: true, writes: 'auto', preflight: 'auto' }, ...paths)
      : runPlan(own, { ...shared, logFormat: 'auto', exitCode: true }, ...paths)
  ).catch((error: unknown) => reportFailure(own, flags, error));
  await session.runExitHooks(code);
  show(act, printed);
  return { result: resultOf(code), metrics: metrics.text(code) };
}

function resultOf(code: ExitCode): RoundResult {
  switch (code) {
    case EXIT.done:
      return 'well';
    case EXIT.differences:
      return 'differs';
    case EXIT.refused:
      return 'refused';
    case EXIT.partial:
      return 'partial';
    case EXIT.failed:
    case EXIT.usage:
    case EXIT.interrupted:
      return 'failed';
    default:
      return assertNever(code);
  }
}

/** `rulewright watch`. */
export const watchCommand = command({
  run: runWatch,
  text: `Pulls a branch and plans it, again and again, until interrupted. With --apply it
applies instead, without asking and without allowing what a guard refuses. What is
refused, or written in part, is not applied again until the branch has a new commit.
The checkout has to be on the branch, without changes of its own.`,
  examples: [
    ['rulewright watch', 'plan every five minutes'],
    ['rulewright watch --apply --branch main', 'apply what is merged'],
    ['rulewright watch --interval 1h --listen 9090', 'with /healthz and /metrics'],
    ['rulewright watch --listen 9090 --webhook', 'and when somebody pushes'],
    ['rulewright watch --lease /shared/watch', 'one of several works'],
    ['rulewright watch --lease-name rulewright-watch', 'the same in a cluster'],
  ],
  flags: WATCH_FLAGS,
  positional: PATHS,
});
