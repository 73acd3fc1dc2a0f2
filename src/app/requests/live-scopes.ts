import type { ReadClient } from '../../api/index.ts';
import { accountOfZone, isForbidden, orElse } from '../../api/index.ts';
import { namedLists } from '../../expression/index.ts';
import { createAccountLists, readWholeScope } from '../../live/index.ts';
import type { WholeScope } from '../../live/index.ts';
import { addressOfRuleset } from '../../model/index.ts';
import type { Scope } from '../../model/index.ts';
import { nameTargets } from '../../plan/index.ts';
import type { SimulatedScope } from '../../simulate/index.ts';

/** Reads the rules of the zone and its account; leaves out the account if the token may not read it. */
export async function readBoth(
  client: ReadClient,
  zone: Scope,
): Promise<{ readonly above: WholeScope | undefined; readonly own: WholeScope }> {
  const lists = createAccountLists(client);
  const account = await accountOfZone(client, zone.id);
  const [above, own] = await Promise.all([
    orElse(readWholeScope(client, account, lists), () => undefined, isForbidden),
    readWholeScope(client, zone, lists),
  ]);
  return { above, own };
}

/** Returns the names of the lists that rules look something up in; without lists of redirects, which are not simulated. */
export function listNames(scopes: readonly SimulatedScope[]): ReadonlySet<string> {
  const rules = scopes.flatMap(({ rulesets }) => rulesets).flatMap((ruleset) => ruleset.rules);
  return new Set(
    rules.flatMap(({ content }) =>
      namedLists(content.expression, 'filter').flatMap(({ name, holds }) =>
        holds === 'redirect' ? [] : [name],
      ),
    ),
  );
}

/** Returns the rules of a scope as a simulation takes them: they name rulesets as files do. */
export function simulated({ scope, rulesets, catalogue }: WholeScope): SimulatedScope {
  return {
    scope: { kind: scope.kind, name: scope.name },
    rulesets: rulesets.map((ruleset) => ({
      id: ruleset.id,
      address: addressOfRuleset(ruleset),
      rules: ruleset.rules.map((rule) => ({
        id: rule.id,
        ref: rule.ref,
        content: nameTargets(rule.content, ruleset.phase, catalogue),
      })),
    })),
  };
}
