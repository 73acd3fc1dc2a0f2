import { refuse } from '../protocol/refusal.ts';
import type { Service } from '../call/service.ts';
import type { StoredRuleset } from '../records/ruleset.ts';

// How often one ruleset may be written is not public, only that it depends on its size (api.md 1.7). Assumed here: ten
// writes in ten seconds, one fewer for each hundred rules, but at least two.
const WINDOW = 10_000;
const MOST = 10;
const LEAST = 2;

/** Refuses a write that follows too many recent writes to the same ruleset, whose versions tell when these happened. */
export function checkWriteLimit(service: Service, ruleset: StoredRuleset): void {
  if (service.switches.rulesetWrites === 'unlimited') {
    return;
  }
  const now = service.clock.now();
  const times = ruleset.versions
    .map((version) => Date.parse(version.last_updated))
    .filter((time) => time > now - WINDOW);
  const rules = ruleset.versions.at(-1)?.rules.length ?? 0;
  const allowed = Math.max(LEAST, MOST - Math.floor(rules / 100));
  const [oldest] = times.slice(-allowed);
  if (times.length >= allowed && oldest !== undefined) {
    const wait = Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000));
    throw refuse(429, 'the ruleset is being updated too often', { headers: { 'retry-after': String(wait) } });
  }
}
