import { explain, explainLive, usage } from '../../app/index.ts';
import type { ExplainOptions, ExplainResult } from '../../app/index.ts';
import { groupBy } from '../../data/index.ts';
import { explanationText } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { NameValue, ExplainFlags } from '../flags/explain.ts';
import { reportFindings, reportInvalidFiles } from './report-findings.ts';

/** Shows what the rules do with one request, and why. */
export async function runExplain(context: CliContext, flags: ExplainFlags, url: string): Promise<ExitCode> {
  const result = await explained(context, flags, optionsOf(flags, url));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  const { zone, way } = result;
  await writeResult(context, flags, {
    text: (look) => explanationText(way, look),
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

function optionsOf(flags: ExplainFlags, url: string): ExplainOptions {
  const { zone, account, plan, count, status, responseHeader } = flags;
  return {
    zone,
    account,
    plan,
    count,
    lists: Object.fromEntries((flags.list ?? []).map(([name, items]) => [name, itemsOf(items)])),
    request: requestOf(flags, url),
    fields: new Map(flags.field),
    response:
      status === undefined && responseHeader === undefined
        ? undefined
        : { status: status ?? 200, headers: joined(responseHeader) },
  };
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
