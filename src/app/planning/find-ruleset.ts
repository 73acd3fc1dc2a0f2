import { assertNever } from '../../data/index.ts';
import type { ReadClient } from '../../api/index.ts';
import {
  getEntrypoint,
  getRuleset,
  listRulesets,
  ownRulesets,
  isNotFound,
  isServiceError,
  orElse,
} from '../../api/index.ts';
import { didYouMean } from '../../config/index.ts';
import {
  RulewrightError,
  PHASES,
  phaseFacts,
  addressOfRuleset,
  scopeLabel,
  rulesetName,
} from '../../model/index.ts';
import type { LiveRuleset, LiveRulesetHead, Scope } from '../../model/index.ts';
import { slug, someNames } from '../../text/index.ts';
import type { RulesetName } from './ruleset-name.ts';
import { rulesetNameText } from './ruleset-name.ts';

/** A live ruleset and its scope. */
export interface FoundRuleset {
  readonly scope: Scope;
  readonly live: LiveRuleset;
}

/**
 * Looks a ruleset up. Throws `versions/no-ruleset` or `versions/no-phase` if there is none, and `versions/ambiguous-ruleset` for a
 * slug that several rulesets have.
 */
export async function findRuleset(
  client: ReadClient,
  scope: Scope,
  name: RulesetName,
): Promise<FoundRuleset> {
  const live = await look(client, scope, name);
  if (live === null) {
    throw new RulewrightError(`${scopeLabel(scope)} has no ${describe(name)}`, {
      code: 'versions/no-ruleset',
      fault: 'user',
      hint: (name.kind === 'id' ? undefined : misspelt(name.phase)) ?? (await rulesetsThere(client, scope)),
    });
  }
  return { scope, live };
}

const RULESET_FORMS =
  'a ruleset is a phase, PHASE/custom:<name> (lower case, dashes), or an id of 32 hex characters';

/** The most rulesets that a hint names. */
const MAX_NAMED = 8;

/** Returns a hint that names the scope's own rulesets as they are typed or, if these cannot be read, the forms of a ruleset name. */
async function rulesetsThere(client: ReadClient, scope: Scope): Promise<string> {
  const heads = await orElse(changeable(client, scope), () => []);
  const names = heads.map((head) => rulesetName(addressOfRuleset(head)));
  return names.length === 0 ? RULESET_FORMS : `there are ${someNames([...new Set(names)].sort(), MAX_NAMED)}`;
}

/** Lists the scope's own rulesets, without managed ones. */
async function changeable(client: ReadClient, scope: Scope): Promise<readonly LiveRulesetHead[]> {
  const listed = await listRulesets(client, scope);
  return ownRulesets(
    client,
    scope,
    listed.filter(({ kind }) => kind !== 'managed'),
  );
}

/** Suggests the phase that was likely meant if the typed one is unknown. */
function misspelt(phase: string): string | undefined {
  return phaseFacts(phase) === undefined
    ? didYouMean(
        phase,
        PHASES.map(({ name }) => name),
      )
    : undefined;
}

function look(client: ReadClient, scope: Scope, name: RulesetName): Promise<LiveRuleset | null> {
  switch (name.kind) {
    case 'entrypoint':
      return lookEntrypoint(client, scope, name.phase);
    case 'custom':
      return lookCustom(client, scope, name);
    case 'id':
      return orElse(getRuleset(client, scope, name.id), () => null, isNotFound);
    default:
      return assertNever(name);
  }
}

/** Reads an entry point. Throws `versions/no-phase` for a phase that neither we nor the service know, since it is mistyped. */
async function lookEntrypoint(client: ReadClient, scope: Scope, phase: string): Promise<LiveRuleset | null> {
  try {
    return await getEntrypoint(client, scope, phase);
  } catch (error) {
    if (isServiceError(error, 400) && phaseFacts(phase) === undefined) {
      throw new RulewrightError(`there is no phase ${phase}`, {
        code: 'versions/no-phase',
        fault: 'user',
        hint: misspelt(phase) ?? (await rulesetsThere(client, scope)),
        cause: error,
      });
    }
    throw error;
  }
}

async function lookCustom(
  client: ReadClient,
  scope: Scope,
  name: Extract<RulesetName, { readonly kind: 'custom' }>,
): Promise<LiveRuleset | null> {
  const listed = (await listRulesets(client, scope)).filter(
    (head) => head.kind === 'custom' && head.phase === name.phase,
  );
  const customs = await ownRulesets(client, scope, listed);
  const isNamed = (head: LiveRulesetHead): boolean => slug(head.name) === name.slug;
  if (listed.some(isNamed) && !customs.some(isNamed)) {
    throw new RulewrightError(`the ${describe(name)} belongs to the account of ${scopeLabel(scope)}`, {
      code: 'versions/no-ruleset',
      fault: 'user',
      hint: `name it with its account: account:${scope.accountId} ${rulesetNameText(name)}`,
    });
  }
  const heads = customs.filter(isNamed);
  const [head, ...others] = heads;
  if (head === undefined && customs.length > 0) {
    const known = customs.map((one) => slug(one.name));
    throw new RulewrightError(`${scopeLabel(scope)} has no ${describe(name)}`, {
      code: 'versions/no-ruleset',
      fault: 'user',
      hint: didYouMean(name.slug, known) ?? `there are ${known.map((one) => `custom:${one}`).join(', ')}`,
    });
  }
  if (head !== undefined && others.length > 0) {
    throw new RulewrightError(
      `${scopeLabel(scope)} sees ${heads.length} rulesets of this name: ${heads.map(({ id }) => id).join(', ')}`,
      { code: 'versions/ambiguous-ruleset', fault: 'user', hint: 'name the one that is meant by its id' },
    );
  }
  return head === undefined ? null : getRuleset(client, scope, head.id);
}

function describe(name: RulesetName): string {
  switch (name.kind) {
    case 'entrypoint':
      return `entry point of ${name.phase}`;
    case 'custom':
      return `ruleset custom:${name.slug} of ${name.phase}`;
    case 'id':
      return `ruleset ${name.id}`;
    default:
      return assertNever(name);
  }
}
