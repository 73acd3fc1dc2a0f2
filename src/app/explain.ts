import { isVersion, zoneName } from '../model/index.ts';
import type { Diagnostic, DesiredScope } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { someNames } from '../text/index.ts';
import { declaredItems, newFieldsFor } from '../simulate/index.ts';
import { explainedWay, hostOf, scenarioOf, zonesOfHost } from './requests/explain-request.ts';
import { settingsBeside } from './requests/settings-beside.ts';
import type { ExplainOptions, ExplainResult } from './requests/explain-request.ts';
import { load } from './project/load.ts';
import type { Selection } from './project/selection.ts';
import { zoneScopes } from './requests/zone-rules.ts';
import { usage } from './run/usage-error.ts';

/**
 * Traces one request through the rules of the files, and tells what each rule does and why; no network. Throws `usage/…` for options
 * that do not fit the request or the files.
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
  const scenario = scenarioOf(options, zone, {
    newFields: newFieldsFor(options.fields.keys(), scopes),
    timeZone: scopes.find(({ timeZone }) => timeZone !== undefined)?.timeZone,
  });
  const { plan } = options;
  const lists = { ...declaredItems(scopes), ...options.lists };
  const traced = explainedWay(scopes, { name: zone, plan, source: 'files', lists, scenario });
  const way = { ...traced, notSimulated: [...traced.notSimulated, ...settingsBeside(scopes)] };
  return { kind: 'explained', zone, way, diagnostics: concerning(diagnostics, scopes), sources };
}

/**
 * Keeps the findings in the files of these scopes, those in packs that these files use, and those without a place; the others are
 * left to `validate`.
 */
function concerning(
  diagnostics: readonly Diagnostic[],
  scopes: readonly DesiredScope[],
): readonly Diagnostic[] {
  const files = new Set(
    scopes
      .flatMap(({ cause, rulesets }) => [
        cause,
        ...rulesets.flatMap((ruleset) => [ruleset.cause, ...ruleset.rules.map((rule) => rule.cause)]),
      ])
      .flatMap((cause) => (isVersion(cause) ? [] : [(cause.via?.at(-1) ?? cause).file])),
  );
  return diagnostics.filter(
    ({ where }) => where === undefined || files.has((where.via?.at(-1) ?? where).file),
  );
}

/** The most zones or accounts that a hint names. */
const MAX_NAMED = 20;

function named(names: readonly string[]): string {
  return someNames(names, MAX_NAMED);
}

/** Returns the zone whose name is the longest suffix of the host. Throws a usage error when no zone or several match. */
function zoneOf(url: string, all: readonly DesiredScope[]): string {
  const zones = all.filter(({ scope }) => scope.kind === 'zone').map(({ scope }) => scope);
  const byName = groupBy(zones, (scope) => zoneName(scope).bare);
  const name = zonesOfHost(hostOf(url)).find((one) => byName.has(one));
  const found = byName.get(name ?? '') ?? [];
  const [zone, ...others] = found;
  if (zone === undefined || others.length > 0) {
    throw usage(
      `${zone === undefined ? 'no zone' : 'more than one zone'} of the files has this host`,
      `name one with --zone: ${named((zone === undefined ? zones : found).map(({ name }) => name))}`,
    );
  }
  return zone.name;
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
      throw usage(`the files have no zone ${zone}`, `they have ${named(found.known)}`);
    case 'no-account':
      throw usage(`the files have no account ${account ?? ''}`, `they have ${named(found.known)}`);
    case 'same-account':
      throw usage(
        `the zone is in the account ${found.id}, and whether that is ${found.known.join(' or ')} is not known, since the files name no id there`,
        'name the one that holds the zone with --account; if none does, name each by its id in its file',
      );
    case 'other-account':
      throw usage(
        `the zone is in the account ${found.id}, so the rules of ${account ?? ''} do not apply to it`,
        'leave out --account',
      );
    default:
      throw usage(
        'the files have several accounts, and the rules of an account apply to its zones',
        `name the one that holds the zone with --account: ${found.known.join(', ')}`,
      );
  }
}
