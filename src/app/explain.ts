import type { DesiredScope } from '../model/state.ts';
import { explainedWay, hostOf, scenarioOf, usage, zonesOfHost } from './requests/explain-request.ts';
import type { ExplainOptions, ExplainResult } from './requests/explain-request.ts';
import { load } from './project/load.ts';
import type { Selection } from './project/selection.ts';
import { zoneScopes } from './requests/zone-rules.ts';

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
  const scenario = scenarioOf(options, zone);
  const { lists, plan } = options;
  const way = explainedWay(scopes, { name: zone, plan, source: 'files', lists, scenario });
  return { kind: 'explained', zone, way, diagnostics, sources };
}

/** The zone with the longest name that the host ends with. */
function zoneOf(url: string, all: readonly DesiredScope[]): string {
  const names = all.filter(({ scope }) => scope.kind === 'zone').map(({ scope }) => scope.name);
  const zone = zonesOfHost(hostOf(url)).find((name) => names.includes(name));
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
