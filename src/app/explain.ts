import { FIELDS } from '../expression/index.ts';
import type { TestDocument } from '../model/generated/documents.ts';
import { RulewrightError } from '../model/error.ts';
import type { PlanLevel } from '../model/plan-level.ts';
import type { RequestWay } from '../model/simulation.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkLists, describeWay, evaluationOf, readScenario, simulate } from '../simulate/index.ts';
import type { Lists, TestProblem } from '../simulate/index.ts';
import { load } from './load.ts';
import type { FileFindings } from './results.ts';
import type { Selection } from './selection.ts';
import { prepareZone, zoneScopes } from './zone-rules.ts';

type RuleTest = TestDocument['tests'][number];

/** A request to explain. */
export interface ExplainOptions {
  /** The zone; without it the one that the URL's host belongs to. */
  readonly zone?: string;
  readonly account?: string;
  readonly plan?: PlanLevel;
  readonly lists: Lists;
  readonly request: Exclude<RuleTest['request'], string>;
  /** Values of fields as texts; read by the type of each field. */
  readonly fields: ReadonlyMap<string, string>;
  readonly response?: NonNullable<RuleTest['response']>;
  readonly count?: number;
}

/** Answer of `explain`. */
export type ExplainResult =
  | ({ readonly kind: 'explained'; readonly zone: string; readonly way: RequestWay } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/**
 * Sends one request through the rules of the files and tells what each says and why; no network. Throws `usage/…` for a request that
 * makes no sense.
 */
export async function explain(selection: Selection, options: ExplainOptions): Promise<ExplainResult> {
  const loaded = await load(selection);
  const { diagnostics, sources } = loaded;
  if (loaded.kind === 'invalid') {
    return { kind: 'invalid', diagnostics, sources };
  }
  const all = loaded.project.scopes;
  const zone = options.zone ?? zoneOf(options.request.url, all);
  const scopes = scopesOf(all, zone, options.account);
  const { lists, plan, response, count } = options;
  const request = { ...options.request, fields: typed(options.fields) };
  const read = readScenario({
    test: {
      request,
      ...(response === undefined ? {} : { response }),
      ...(count === undefined ? {} : { count }),
    },
    zone,
    path: [],
  });
  refuse([...checkLists(lists, []), ...(read.kind === 'invalid' ? read.problems : [])]);
  if (read.kind === 'invalid') {
    throw usage('the request makes no sense');
  }
  const evaluation = evaluationOf(lists);
  const prepared = prepareZone(scopes, { name: zone, plan, evaluation });
  const way = describeWay(simulate(prepared, read.scenario), { evaluation, wants: () => true });
  return { kind: 'explained', zone, way, diagnostics, sources };
}

/** The zone with the longest name that the host ends with. */
function zoneOf(url: string, all: readonly DesiredScope[]): string {
  const host = /^https?:\/\/([^/?#:]+)/iu.exec(url)?.[1]?.toLowerCase() ?? '';
  const names = all.filter(({ scope }) => scope.kind === 'zone').map(({ scope }) => scope.name);
  const [zone] = names
    .filter((name) => host === name || host.endsWith(`.${name}`))
    .sort((a, b) => b.length - a.length);
  if (zone === undefined) {
    throw usage('no zone of the files has this host', `name one with --zone: ${names.join(', ')}`);
  }
  return zone;
}

function scopesOf(
  all: readonly DesiredScope[],
  zone: string,
  account: string | undefined,
): readonly DesiredScope[] {
  const found = zoneScopes(all, { zone, account });
  switch (found.kind) {
    case 'found':
      return found.scopes;
    case 'no-zone':
      throw usage(`the files have no zone ${zone}`, `they have ${found.known.join(', ')}`);
    case 'no-account':
      throw usage(`the files have no account ${account ?? ''}`, `they have ${found.known.join(', ')}`);
    default:
      throw usage(
        'the files have several accounts, and each has rules of its own',
        `name the one that holds the zone with --account: ${found.known.join(', ')}`,
      );
  }
}

/** Texts are taken as they are where a field holds texts or addresses; other values are read as JSON. */
function typed(fields: ReadonlyMap<string, string>): Record<string, string | number | boolean | object> {
  return Object.fromEntries([...fields].map(([name, text]) => [name, valueOf(name, text)]));
}

function valueOf(name: string, text: string): string | number | boolean | object {
  const kind = FIELDS.get(name)?.type.kind;
  if (kind === undefined || kind === 'Bytes' || kind === 'Ip') {
    return text;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'object' && value !== null)
      ? value
      : text;
  } catch {
    return text;
  }
}

function refuse([first]: readonly TestProblem[]): void {
  if (first !== undefined) {
    throw usage(first.message.replaceAll('`', ''), first.hint?.replaceAll('`', ''));
  }
}

function usage(message: string, hint?: string): RulewrightError {
  const details = { code: 'usage/invalid', fault: 'user' } as const;
  return new RulewrightError(message, hint === undefined ? details : { ...details, hint });
}
