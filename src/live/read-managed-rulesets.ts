import type { ReadClient } from '../api/index.ts';
import { getRuleset, orElse } from '../api/index.ts';
import type { ManagedLookUp, Scope } from '../model/index.ts';

/** Looks up managed rulesets, each once in a run: the vendor's rulesets are the same in every scope. */
export type ManagedRulesets = (client: ReadClient, scope: Scope, id: string) => Promise<ManagedLookUp>;

/** Creates a reader of managed rulesets that remembers its results. It rejects only for bugs. */
export function createManagedRulesets(): ManagedRulesets {
  const readings = new Map<
    string,
    { readonly client: ReadClient; readonly reading: Promise<ManagedLookUp> }
  >();
  return async (client, scope, id) => {
    const known = readings.get(id);
    // A failed look-up is repeated with another client, whose token may see the ruleset.
    if (known !== undefined && (known.client === client || (await known.reading).kind === 'found')) {
      return known.reading;
    }
    const reading = readManaged(client, scope, id);
    readings.set(id, { client, reading });
    return reading;
  };
}

function readManaged(client: ReadClient, scope: Scope, id: string): Promise<ManagedLookUp> {
  return orElse<ManagedLookUp, ManagedLookUp>(
    getRuleset(client, scope, id).then((ruleset) => ({ kind: 'found', ruleset })),
    ({ message }) => ({ kind: 'failed', message }),
  );
}
