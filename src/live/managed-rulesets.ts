import type { ReadClient } from '../api/client.ts';
import { getRuleset } from '../api/rulesets.ts';
import { isServiceError } from '../api/service-error.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';

/** A managed ruleset as it was looked up, or why it could not be. */
export type ManagedReading =
  | { readonly kind: 'found'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'failed'; readonly message: string };

/** Looks managed rulesets up, each once in a run: the vendor's rulesets are the same in every scope. */
export type ManagedRulesets = (client: ReadClient, scope: Scope, id: string) => Promise<ManagedReading>;

/** A reader of managed rulesets that remembers what it has read. Rejects only for bugs. */
export function createManagedRulesets(): ManagedRulesets {
  const readings = new Map<
    string,
    { readonly client: ReadClient; readonly reading: Promise<ManagedReading> }
  >();
  return async (client, scope, id) => {
    const known = readings.get(id);
    // The token of another client may see what this one may not.
    if (known !== undefined && (known.client === client || (await known.reading).kind === 'found')) {
      return known.reading;
    }
    const reading = readManaged(client, scope, id);
    readings.set(id, { client, reading });
    return reading;
  };
}

async function readManaged(client: ReadClient, scope: Scope, id: string): Promise<ManagedReading> {
  try {
    return { kind: 'found', ruleset: await getRuleset(client, scope, id) };
  } catch (error) {
    if (isServiceError(error)) {
      return { kind: 'failed', message: error.message };
    }
    throw error;
  }
}
