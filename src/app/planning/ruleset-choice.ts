import type { ReadClient } from '../../api/client.ts';
import { getVersion, listVersions } from '../../api/rulesets.ts';
import { isNotFound, orElse } from '../../api/service-error.ts';
import { declaredScopesOf } from '../../model/declared-scope.ts';
import { RulewrightError } from '../../model/error.ts';
import { addressKey, addressOfRuleset } from '../../model/ruleset.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { ScopeRef } from '../../model/scope.ts';
import type { RulesetToday } from '../../plan/hide/hide-text.ts';
import type { FoundRuleset } from './find-ruleset.ts';
import { findRuleset } from './find-ruleset.ts';
import type { Opening } from '../service/open-service.ts';
import { withScope } from '../service/with-scope.ts';
import type { Guards } from '../project/project-guards.ts';
import type { RulesetName } from './ruleset-name.ts';

/** Which ruleset of which scope. */
export interface RulesetChoice {
  readonly scope: ScopeRef;
  readonly ruleset: RulesetName;
  readonly guards: Guards;
}

/** The service that a ruleset was found in, and the variable of the token that it was found with. */
export interface ReachedBy {
  readonly identity: string;
  readonly tokenEnv: string | undefined;
}

/** Finds a ruleset and does something with it, through one service that is closed afterwards. */
export function withRuleset<Client extends ReadClient, Answer>(
  choice: RulesetChoice,
  opening: Opening<Client>,
  use: (found: FoundRuleset, client: Client, service: ReachedBy) => Promise<Answer>,
): Promise<Answer> {
  const wanted = { ref: choice.scope, scopes: choice.guards.scopes };
  return withScope(wanted, opening, async ({ client, scope, tokenEnv }, identity) =>
    use(await findRuleset(client, scope, choice.ruleset), client, { identity, tokenEnv }),
  );
}

/** What live and the files say of a ruleset, and with it where they have sensitive values. */
export function rulesetToday({ guards }: RulesetChoice, { scope, live }: FoundRuleset): RulesetToday {
  const rulesets = declaredScopesOf(guards.scopes, scope)
    .flatMap((declared) => declared.rulesets)
    .filter(({ address }) => address.phase === live.phase);
  const address = addressKey(addressOfRuleset(live));
  return {
    rules: [...live.rules, ...rulesets.flatMap(({ rules }) => rules)],
    descriptions: [
      live.description,
      ...rulesets.flatMap((declared) =>
        addressKey(declared.address) === address ? (declared.description ?? []) : [],
      ),
    ],
  };
}

/** One version of a ruleset; a user's error that names the versions there are when it is none of them. */
export async function readVersion(
  client: ReadClient,
  { scope, live }: FoundRuleset,
  version: string,
): Promise<LiveRuleset> {
  const read = await versionIfKept(client, { scope, live }, version);
  if (read === null) {
    const known = await listVersions(client, scope, live.id);
    throw new RulewrightError(`the ruleset ${live.id} has no version ${version}`, {
      code: 'versions/no-version',
      fault: 'user',
      hint: `it has ${known.length === 1 ? 'the version' : 'the versions'} ${known.map((one) => one.version).join(', ')}`,
    });
  }
  return read;
}

/** One version of a ruleset; null when it is not kept any more. */
export function versionIfKept(
  client: ReadClient,
  { scope, live }: FoundRuleset,
  version: string,
): Promise<LiveRuleset | null> {
  return orElse(getVersion(client, scope, live.id, version), () => null, isNotFound);
}

/** Throws for a ruleset of the vendor. */
export function requireOurs({ id, kind }: LiveRuleset): void {
  if (kind === 'managed') {
    throw new RulewrightError(`the ruleset ${id} is the vendor's and cannot be changed`, {
      code: 'versions/managed',
      fault: 'user',
    });
  }
}
