import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { getVersion, listVersions, isNotFound, orElse } from '../../api/index.ts';
import { declaredScopesOf, RulewrightError, addressKey, addressOfRuleset } from '../../model/index.ts';
import type { LiveRuleset, ScopeRef } from '../../model/index.ts';
import { formerRules, withPast } from '../../plan/index.ts';
import type { RulesetToday } from '../../plan/index.ts';
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

/** The most other versions that are read to learn what was sensitive. */
const MOST_READ = 100;

/** The most versions that are read concurrently. */
export const VERSIONS_AT_ONCE = 4;

/**
 * Returns what is known of a ruleset's sensitive values for one of its versions: what live and the files say, and what other versions tell
 * (`withPast`), the nearest ones first. Throws `sensitive/unknown-value` if values are not set that would tell it of rules which neither live nor the
 * files have. Reads no other version if the project has no sensitive values.
 */
export async function rulesetThen(
  choice: RulesetChoice,
  found: FoundRuleset,
  { client, version, secrets }: ReadVersion,
): Promise<RulesetToday> {
  const today = rulesetToday(choice, found);
  if (!hasSecrets(secrets)) {
    return today;
  }
  if (formerRules(version, today.rules).length > 0) {
    requireKnown(
      secrets,
      `version ${version.version} could show it in a rule that neither live nor the files have`,
    );
  }
  const heads = await listVersions(client, found.scope, found.live.id);
  const at = heads.findIndex((head) => head.version === version.version);
  const others = heads
    .map((head, index) => ({ head, away: Math.abs(index - at) }))
    .filter(({ head, away }) => away > 0 && head.version !== found.live.version)
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST_READ);
  const limit = pLimit(VERSIONS_AT_ONCE);
  const read = await Promise.all(
    others.map(({ head }) => limit(() => versionIfKept(client, found, head.version))),
  );
  return withPast(today, [version, ...read.filter((one) => one !== null)]);
}

/** Whether a project calls values sensitive. */
export function hasSecrets({ known, missing }: ProjectSecrets): boolean {
  return known.length + missing.length > 0;
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
