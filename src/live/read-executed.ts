import type { ReadClient } from '../api/client.ts';
import type { LiveRulesetHead } from '../model/ruleset.ts';
import type { LiveScope } from '../model/state.ts';
import { settleAll } from './entries-reading.ts';
import { readKept } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/**
 * What was read of a scope, and with it custom rulesets that no file declares and that changes execute. One that cannot be read is left
 * out: nothing can be proven of what executes it, and all else can be planned.
 */
export async function readExecuted(
  client: ReadClient,
  live: LiveScope,
  { heads, cache }: { readonly heads: readonly LiveRulesetHead[]; readonly cache: RulesetCache },
): Promise<LiveScope> {
  const { values } = await settleAll(heads.map((head) => readKept(client, live.scope, { head, cache })));
  return { ...live, users: [...(live.users ?? []), ...values.map(({ ruleset }) => ruleset)] };
}
