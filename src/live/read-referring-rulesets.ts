import type { ReadClient } from '../api/client.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import { addressKey } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, LiveEntry } from '../model/state.ts';
import type { SettledReads } from './entries-reading.ts';
import { settleAll } from './entries-reading.ts';
import { entrypointsIn, readKept } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** Phases whose `skip` rules may name rulesets, including those of other phases (api.md 4.2, 5.4). */
const REFERRING_PHASES = ['http_request_firewall_custom', 'http_request_firewall_managed', 'magic_transit'];

/**
 * Reads the undeclared rulesets that may refer to a custom ruleset that the plan deletes: entry points and custom rulesets of its phase,
 * because `execute` works within a phase (api.md 4.4), and of the phases whose `skip` rules may name it. Reads nothing when nothing is
 * deleted, which is nearly always the case.
 */
export function readReferringRulesets(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly desired: DeclaredScope;
    readonly entries: readonly LiveEntry[];
    readonly listed: readonly LiveRulesetHead[];
    /** The scope's own custom rulesets. */
    readonly own: readonly LiveRulesetHead[];
    readonly cache: RulesetCache;
  },
): Promise<SettledReads<LiveRuleset>> {
  const { desired, entries, listed, own, cache } = about;
  const removed = entries.filter((entry) => isRemoved(desired, entry)).map(({ address }) => address.phase);
  const phases = new Set(removed.length === 0 ? [] : [...removed, ...REFERRING_PHASES]);
  const known = new Set(entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset.id] : [])));
  const heads = [...entrypointsIn(scope, listed), ...own].filter(
    ({ phase, id }) => phases.has(phase) && !known.has(id),
  );
  return settleAll(heads.map(async (head) => (await readKept(client, scope, { head, cache })).ruleset));
}

/** Whether an entry is an existing custom ruleset that the files delete. */
function isRemoved({ rulesets }: DeclaredScope, { address, slot }: LiveEntry): boolean {
  const key = addressKey(address);
  return (
    address.kind === 'custom' &&
    slot.kind === 'present' &&
    rulesets.every((ruleset) => addressKey(ruleset.address) !== key || ruleset.presence === 'absent')
  );
}
