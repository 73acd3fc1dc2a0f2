import type { ReadClient } from '../../api/index.ts';
import { getVersion, listVersions, isNotFound, orElse } from '../../api/index.ts';
import { declaredScopesOf, RulewrightError, addressKey, addressOfRuleset } from '../../model/index.ts';
import type { LiveRuleset, ScopeRef } from '../../model/index.ts';
import { formerRules } from '../../plan/index.ts';
import type { RulesetToday, RuleToday } from '../../plan/index.ts';
import type { ServiceOpening } from '../service/open-service.ts';
import { withScope } from '../service/with-scope.ts';
import type { Guards } from '../project/project-guards.ts';
import type { ProjectSecrets } from '../project/project-secrets.ts';
import { requireKnown } from '../project/require-sensitive.ts';
import type { FoundRuleset } from './find-ruleset.ts';
import { findRuleset } from './find-ruleset.ts';
import type { RulesetName } from './ruleset-name.ts';

/** A ruleset of a scope, as named by the user. */
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

/** Finds a ruleset and calls `use` with it; closes the service afterwards. */
export function withRuleset<Client extends ReadClient, Answer>(
  choice: RulesetChoice,
  opening: ServiceOpening<Client>,
  use: (found: FoundRuleset, client: Client, service: ReachedBy) => Promise<Answer>,
): Promise<Answer> {
  const wanted = { ref: choice.scope, scopes: choice.guards.scopes };
  return withScope(wanted, opening, async ({ client, scope, tokenEnv }, identity) =>
    use(await findRuleset(client, scope, choice.ruleset), client, { identity, tokenEnv }),
  );
}

/** Returns what live and the files say about a ruleset, which tells where it has sensitive values. */
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

/**
 * Returns what is known of a ruleset's sensitive values for one of its versions: for rules that neither live nor the files have any more, the
 * latest version that has them, in which the values that are known now are references. Throws `sensitive/unknown-value` if it has to look for values that
 * are not set. Reads no other version while live and the files have all.
 */
export async function rulesetThen(
  choice: RulesetChoice,
  found: FoundRuleset,
  { client, version, secrets }: ReadVersion,
): Promise<RulesetToday> {
  const today = rulesetToday(choice, found);
  const isOpen = (known: readonly RuleToday[]): boolean => formerRules(version, known).length > 0;
  if (secrets.known.length + secrets.missing.length === 0 || !isOpen(today.rules)) {
    return today;
  }
  requireKnown(
    secrets,
    `version ${version.version} could show it in a rule that neither live nor the files have`,
  );
  const heads = await listVersions(client, found.scope, found.live.id);
  const since = heads.slice(heads.findIndex((head) => head.version === version.version) + 1).reverse();
  let rules = today.rules;
  for (const head of since) {
    if (!isOpen(rules)) {
      break;
    }
    const later = await versionIfKept(client, found, head.version);
    rules = later === null ? rules : [...rules, ...formerRules(later, rules)];
  }
  return { ...today, rules };
}

/** A version that was read, and the means to read others. */
interface ReadVersion {
  readonly client: ReadClient;
  readonly version: LiveRuleset;
  readonly secrets: ProjectSecrets;
}

/** Reads one version of a ruleset. Throws `versions/no-version`, which names the existing versions, if it does not exist. */
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

/** Reads one version of a ruleset; null if it is no longer kept. */
export function versionIfKept(
  client: ReadClient,
  { scope, live }: FoundRuleset,
  version: string,
): Promise<LiveRuleset | null> {
  return orElse(getVersion(client, scope, live.id, version), () => null, isNotFound);
}

/** Throws `versions/managed` for a managed ruleset. */
export function requireOurs({ id, kind }: LiveRuleset): void {
  if (kind === 'managed') {
    throw new RulewrightError(`the ruleset ${id} is the vendor's and cannot be changed`, {
      code: 'versions/managed',
      fault: 'user',
    });
  }
}
