import { command } from '../command.ts';
import { nonEmpty, choiceFlag, listFlag, switchFlag, textFlag, valueFlag } from '../flag.ts';
import { CODES_TO_EXPLAIN, explain, explainCode, explainLive, isCode, usage } from '../../app/index.ts';
import type { ExplainOptions, ExplainResult } from '../../app/index.ts';
import { groupBy } from '../../data/index.ts';
import { wholeSecond } from '../../text/index.ts';
import { codeDocument, explanationDocument } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportFindings, reportInvalidFiles } from '../run/report-findings.ts';
import { PLAN_LEVELS } from '../../model/index.ts';
import type { FlagsOf } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';

/** A name and a value. */
type NameValue = readonly [name: string, value: string];

/** Flags of `explain`. */
const EXPLAIN_FLAGS = {
  live: switchFlag('All rules that the service has, whoever made them'),
  zone: textFlag('NAME', 'The zone (default: that of the URL)'),
  account: textFlag('NAME', 'Its account (default: the only one)'),
  plan: choiceFlag(PLAN_LEVELS, 'The plan level of the zone'),
  method: valueFlag(method, 'METHOD', 'Method of the request (default: GET)'),
  ip: textFlag('ADDRESS', 'Address of the visitor'),
  header: pairs('NAME:VALUE', 'A header (repeatable; default: the user agent of a browser)', ':'),
  body: valueFlag(String, 'TEXT', 'The body'),
  field: pairs('NAME=VALUE', 'A field, such as a score (repeatable)', '='),
  list: pairs('NAME=ITEM,ITEM', 'Contents of a list (repeatable)', '='),
  count: valueFlag(
    between(1, Number.MAX_SAFE_INTEGER),
    'N',
    'Requests counted by rate limits, this one included',
  ),
  challengeSolved: switchFlag('Treat challenges as solved'),
  at: textFlag('TIME', 'When it is made, such as 2026-12-24T18:00Z (default: now)'),
  status: valueFlag(between(100, 999), 'CODE', "Status code of the origin's answer"),
  responseHeader: pairs('NAME:VALUE', "Header of the origin's answer (repeatable)", ':'),
  ...PROJECT_FLAGS,
  // Without `concurrency` and `budget`: one zone is read.
  baseUrl: SERVICE_FLAGS.baseUrl,
  emulator: SERVICE_FLAGS.emulator,
  emulatorState: SERVICE_FLAGS.emulatorState,
  ...RESULT_FLAGS,
};

/** The values of `EXPLAIN_FLAGS`. */
type ExplainFlags = FlagsOf<typeof EXPLAIN_FLAGS>;

function method(given: string): string {
  if (!/^[A-Z][A-Z0-9_-]*$/.test(given)) {
    throw new Error('methods are in upper case, such as POST');
  }
  return given;
}

function pairs(placeholder: string, brief: string, sign: ':' | '=') {
  return listFlag(pair(sign), placeholder, brief);
}

function pair(sign: ':' | '='): (text: string) => NameValue {
  return (text) => {
    const at = text.indexOf(sign);
    if (at < 1) {
      throw new Error(`expected a name and a value with ${sign} between them`);
    }
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  };
}

/** Shows what the rules do with one request, and why. */
async function runExplain(context: CliContext, flags: ExplainFlags, url: string): Promise<ExitCode> {
  if (isCode(url) && flags.zone === undefined) {
    const told = await explainCode(url);
    await writeResult(context, flags, {
      document: () => codeDocument(told),
      json: () => ({ kind: 'code', formatVersion: 1, ...told }),
    });
    return EXIT.done;
  }
  const result = await explained(context, flags, optionsOf(flags, url, context.clock));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  const { zone, way } = result;
  await writeResult(context, flags, {
    // Of a request at another time, nobody asks what is left now.
    document: () =>
      explanationDocument(way, { now: flags.at === undefined ? context.clock.now() : undefined }),
    json: () => ({ kind: 'explanation', formatVersion: 1, zone, way }),
  });
  return EXIT.done;
}

async function explained(
  context: CliContext,
  flags: ExplainFlags,
  options: ExplainOptions,
): Promise<ExplainResult> {
  const selection = selectionOf(context, flags, []);
  if (flags.live !== true) {
    return explain(selection, options);
  }
  if (flags.account !== undefined) {
    throw usage('--account is about files', 'live, the service says which account holds the zone');
  }
  const service = await serviceOptions(context, flags, selection);
  return startProgress(context, flags, (report) => explainLive(selection, options, { service, report }));
}

function optionsOf(flags: ExplainFlags, url: string, clock: CliContext['clock']): ExplainOptions {
  const { zone, account, plan, count, status, responseHeader } = flags;
  return {
    zone,
    account,
    plan,
    count,
    lists: Object.fromEntries((flags.list ?? []).map(([name, items]) => [name, itemsOf(items)])),
    request: requestOf(flags, url),
    fields: new Map(flags.field),
    at: momentOf(flags, clock),
    response:
      status === undefined && responseHeader === undefined
        ? undefined
        : { status: status ?? 200, headers: joined(responseHeader) },
  };
}

/** Returns when the request is made: as asked, or now. Whoever sets the field of the time means that. */
function momentOf({ at, field = [] }: ExplainFlags, clock: CliContext['clock']): string | undefined {
  const isSet = field.some(([name]) => name === 'http.request.timestamp.sec');
  return at ?? (isSet ? undefined : wholeSecond(clock.now()));
}

function requestOf(flags: ExplainFlags, url: string): ExplainOptions['request'] {
  const { method, ip, body, header, challengeSolved } = flags;
  return {
    url,
    ...(method === undefined ? {} : { method }),
    ...(ip === undefined ? {} : { ip }),
    ...(body === undefined ? {} : { body }),
    headers: joined(header),
    challenge_solved: challengeSolved === true,
  };
}

/** Groups headers by name: a header that is given several times has several values. */
function joined(pairs: readonly NameValue[] = []): Readonly<Record<string, readonly string[]>> {
  const byName = groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.map(([, value]) => value)]));
}

/** Parses the items of a list; whole numbers are AS numbers. */
function itemsOf(text: string): readonly (string | number)[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (/^\d+$/.test(item) ? Number(item) : item));
}

/** `rulewright explain`. */
export const explainCommand = command({
  run: runExplain,
  text: `Sends one request through the rules of the files. Shows what each rule does with
it, which clause decides, and how the request ends. Needs no network. With
--live, it reads all rules of the zone and its account, including rules of
others. Given the code of a finding or an error, explains that.`,
  examples: [
    ['rulewright explain https://shop.example/admin', 'the zone of the URL'],
    ['rulewright explain --zone shop.example /admin', 'a path of a zone'],
    ['... --ip 198.51.100.20 --method POST --count 6', 'with more of the request'],
    ['rulewright explain --live https://shop.example/admin', 'with the live rules'],
    ['... --field cf.bot_management.score=5', 'with a field'],
    ['... --header user-agent:curl/8.9', 'not from a browser'],
    ['rulewright explain lint/unreachable-rule', 'a code, with an example'],
  ],
  flags: EXPLAIN_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: nonEmpty,
        placeholder: 'URL|CODE',
        brief: 'The URL, with --zone a path of the zone; or a code',
        proposeCompletions: (partial) => CODES_TO_EXPLAIN.filter((code) => code.startsWith(partial)),
      },
    ],
  },
});
