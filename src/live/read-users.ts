import type { ReadClient } from '../api/client.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import { addressKey } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, LiveEntry } from '../model/state.ts';
import type { EndedReads } from './entries-reading.ts';
import { ended } from './entries-reading.ts';
import { entrypointsIn, readKept } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** Phases whose `skip` rules may name rulesets, also those of other phases (api.md 4.2, 5.4). */
const NAMING_PHASES = ['http_request_firewall_custom', 'http_request_firewall_managed', 'magic_transit'];

/**
 * Reads what no file declares and may name a custom ruleset that is to go: entry points and the scope's own custom rulesets, of its
 * phase, since a rule executes only rulesets of its own phase (api.md 4.4), and where rules skip rulesets. Nothing where nothing goes,
 * as in nearly every run.
 */
export function readUsers(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly desired: DeclaredScope;
    readonly entries: readonly LiveEntry[];
    readonly listed: readonly LiveRulesetHead[];
    /** Custom rulesets of the scope's own. */
    readonly own: readonly LiveRulesetHead[];
    readonly cache: RulesetCache;
  },
): Promise<EndedReads<LiveRuleset>> {
  const { desired, entries, listed, own, cache } = about;
  const gone = entries.filter((entry) => goes(desired, entry)).map(({ address }) => address.phase);
  const phases = new Set(gone.length === 0 ? [] : [...gone, ...NAMING_PHASES]);
  const known = new Set(entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset.id] : [])));
  const heads = [...entrypointsIn(scope, listed), ...own].filter(
    ({ phase, id }) => phases.has(phase) && !known.has(id),
  );
  return ended(heads.map(async (head) => (await readKept(client, scope, { head, cache })).ruleset));
}

/** Whether a custom ruleset is there that the files want gone. */
function goes({ rulesets }: DeclaredScope, { address, slot }: LiveEntry): boolean {
  const key = addressKey(address);
  return (
    address.kind === 'custom' &&
    slot.kind === 'present' &&
    rulesets.every((ruleset) => addressKey(ruleset.address) !== key || ruleset.presence === 'absent')
  );
}
