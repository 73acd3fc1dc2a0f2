import type { ReadClient } from '../api/client.ts';
import type { LiveRulesetHead } from '../model/ruleset.ts';
import type { LiveScope } from '../model/state.ts';
import { settleAll } from './entries-reading.ts';
import { readKept } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/**
 * Adds to a scope that was read the undeclared custom rulesets that changed rules execute. A ruleset that cannot be read is left out: then
 * nothing can be proven about the rules that execute it, but everything else can be planned.
 */
export async function readExecuted(
  client: ReadClient,
  live: LiveScope,
  { heads, cache }: { readonly heads: readonly LiveRulesetHead[]; readonly cache: RulesetCache },
): Promise<LiveScope> {
  const { values } = await settleAll(heads.map((head) => readKept(client, live.scope, { head, cache })));
  return { ...live, users: [...(live.users ?? []), ...values.map(({ ruleset }) => ruleset)] };
}
