import { FIELDS } from '../../expression/index.ts';
import type { Type } from '../../expression/index.ts';
import type { TestDocument } from '../../model/generated/documents.ts';
import type { PlanLevel, RequestWay } from '../../model/index.ts';
import {
  asPeopleKnow,
  checkLists,
  describeWay,
  evaluationOf,
  newFieldsFor,
  NO_NEW_FIELDS,
  readScenario,
  simulate,
  fieldSource,
} from '../../simulate/index.ts';
import type {
  FieldSource,
  Lists,
  NewFields,
  Scenario,
  SimulatedScope,
  TestProblem,
} from '../../simulate/index.ts';
import type { FileFindings } from '../run/results.ts';
import { usage } from '../run/usage-error.ts';
import { prepareZone } from './zone-rules.ts';
import type { ZonePreparation } from './zone-rules.ts';

type RequestTest = TestDocument['tests'][number];

/** A request to explain. */
export interface ExplainOptions {
  /** The zone; without it the one that the URL's host belongs to. */
  readonly zone?: string | undefined;
  readonly account?: string | undefined;
  readonly plan?: PlanLevel | undefined;
  readonly lists: Lists;
  readonly request: Exclude<RequestTest['request'], string>;
  /** Values of fields as texts; parsed by the type of each field. */
  readonly fields: ReadonlyMap<string, string>;
  readonly response?: NonNullable<RequestTest['response']> | undefined;
  readonly count?: number | undefined;
  /** When the request is made; now unless given. */
  readonly at?: string | undefined;
}

/** Answer of `explain`. */
export type ExplainResult =
  | ({ readonly kind: 'explained'; readonly zone: string; readonly way: RequestWay } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Builds the scenario of a request to a zone. Throws `usage/…` for a request that makes no sense. */
export function scenarioOf(
  options: ExplainOptions,
  zone: string,
  {
    newFields = NO_NEW_FIELDS,
    timeZone,
  }: { readonly newFields?: NewFields; readonly timeZone?: string | undefined },
): Scenario {
  const { lists, response, count, fields, at } = options;
  refuseDerived(fields.keys());
  const read = readScenario({
    test: {
      request: { ...options.request, fields: typed(fields, newFields) },
      ...(response === undefined ? {} : { response }),
      ...(count === undefined ? {} : { count }),
      ...(at === undefined ? {} : { at }),
    },
    zone,
    path: [],
    timeZone,
    newFields,
  });
  refuse([...checkLists(lists, []), ...(read.kind === 'invalid' ? read.problems : [])]);
  if (read.kind === 'invalid') {
    throw usage('the request is not valid');
  }
  return read.scenario;
}

/** Returns the way of a request through the rules of scopes, with every clause of their expressions. */
export function explainedWay(
  scopes: readonly SimulatedScope[],
  { scenario, lists, ...zone }: Omit<ZonePreparation, 'evaluation'> & ExplainedScenario,
): RequestWay {
  const newFields = newFieldsFor(scenario.request.fields.keys(), scopes);
  const evaluation = { ...evaluationOf(lists), newFields };
  const trace = simulate(
    prepareZone(
      scopes.map((scope) => asPeopleKnow(scope)),
      { ...zone, evaluation },
    ),
    scenario,
  );
  return describeWay(trace, { evaluation, wants: () => true, timeZone: scenario.timeZone });
}

interface ExplainedScenario {
  readonly scenario: Scenario;
  readonly lists: Lists;
}

/** Returns the host of a URL in lower case. Throws a usage error for a mere path, which could be in any zone. */
export function hostOf(url: string): string {
  const host = /^https?:\/\/([^/?#:]+)/iu.exec(url)?.[1];
  if (host === undefined) {
    throw usage(
      `${url} does not say which zone it is for`,
      'name the zone with --zone, or write the whole URL',
    );
  }
  return host.toLowerCase();
}

/** Returns the names that a zone with this host can have, longest first. */
export function zonesOfHost(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** Keeps the texts of string and address fields as they are; parses other values as JSON, and keeps the text if that fails. */
function typed(
  fields: ReadonlyMap<string, string>,
  newFields: NewFields,
): Record<string, string | number | boolean | object> {
  return Object.fromEntries(
    [...fields].map(([name, text]) => [name, valueOf(text, FIELDS.get(name)?.type ?? newFields.get(name))]),
  );
}

function valueOf(text: string, type: Type | undefined): string | number | boolean | object {
  const kind = type?.kind;
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

/** Hints on how to set the source of a derived field on the command line. */
const OPTIONS: Readonly<Record<FieldSource, string>> = {
  url: 'say it in the URL',
  host: 'say it in the URL, or use --header host:NAME',
  method: 'use --method METHOD',
  ip: 'use --ip ADDRESS',
  headers: 'use --header NAME:VALUE',
  body: 'use --body TEXT',
  zone: 'use --zone NAME',
  plan: 'use --plan LEVEL',
  status: 'use --status CODE',
  'response-headers': 'use --response-header NAME:VALUE',
  response: 'explain takes no fields of a response: rulewright test does, under `response`',
};

function refuseDerived(names: Iterable<string>): void {
  for (const name of names) {
    const source = FIELDS.has(name) ? fieldSource(name) : undefined;
    if (source !== undefined) {
      throw usage(`--field does not take ${name}: the rest of the request says it`, OPTIONS[source]);
    }
  }
}

function refuse([first]: readonly TestProblem[]): void {
  if (first !== undefined) {
    throw usage(first.message.replaceAll('`', ''), first.hint?.replaceAll('`', ''));
  }
}
