import type { ReadClient } from '../api/client.ts';
import { loneEntrypoint } from '../model/lone-entrypoint.ts';
import { namesRulesets } from '../model/ruleset-references.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, LiveEntry } from '../model/state.ts';
import { readUnlisted } from './read-ruleset.ts';

/**
 * Reads the one entry point that the files declare of a scope, without its list: one request tells what stands there,
 * or that nothing does, and the list would take one as well. Null where the list is needed: for several rulesets, for
 * custom ones, and where a rule on either side names another ruleset.
 */
export async function readAlone(
  client: ReadClient,
  scope: Scope,
  desired: DeclaredScope,
): Promise<LiveEntry | null> {
  const address = loneEntrypoint(desired);
  if (address === null) {
    return null;
  }
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    return { address, slot: { kind: 'absent' } };
  }
  return namesRulesets(ruleset.rules) ? null : { address, slot: { kind: 'present', ruleset } };
}
