import type { ReadClient } from '../api/client.ts';
import { getEntrypoint, getRuleset } from '../api/rulesets.ts';
import { isNotFound } from '../api/service-error.ts';
import { RulewrightError } from '../model/error.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetKind } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { isId, scopeLabel } from '../model/scope.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** The kind of an entry point, by the kind of its scope (api.md 3.1). */
export const ENTRYPOINT_KIND: Readonly<Record<Scope['kind'], RulesetKind>> = {
  zone: 'zone',
  account: 'root',
};

/** The entry points of a scope itself among what its list shows. */
export function entrypointsIn(
  { kind }: Pick<Scope, 'kind'>,
  listed: readonly LiveRulesetHead[],
): readonly LiveRulesetHead[] {
  return listed.filter((head) => head.kind === ENTRYPOINT_KIND[kind]);
}

/** The ruleset behind a head of a list. Rejects when it has gone since, or is another one. */
export async function readListed(
  client: ReadClient,
  scope: Scope,
  head: LiveRulesetHead,
): Promise<LiveRuleset> {
  try {
    const ruleset = await getRuleset(client, scope, head.id, { phase: head.phase });
    if (ruleset.id !== head.id || ruleset.phase !== head.phase || ruleset.kind !== head.kind) {
      throw mismatch(scope, `${head.kind} ruleset ${head.id} of phase ${head.phase}`, ruleset);
    }
    return usable(scope, ruleset);
  } catch (error) {
    if (isNotFound(error)) {
      throw new RulewrightError(
        `${scopeLabel(scope)}: the ruleset ${head.id} was in the list a moment ago and is gone.`,
        {
          code: 'live/changed-while-reading',
          fault: 'remote',
          hint: 'Somebody is changing this scope: run it again.',
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** As `readListed`, or what the cache kept of it; `asked` says whether the service was. */
export async function readKept(
  client: ReadClient,
  scope: Scope,
  { head, cache }: { readonly head: LiveRulesetHead; readonly cache: RulesetCache },
): Promise<{ readonly ruleset: LiveRuleset; readonly asked: boolean }> {
  const kept = await cache.find(scope, head);
  if (kept !== null) {
    return { ruleset: kept, asked: false };
  }
  const ruleset = await readListed(client, scope, head);
  await cache.keep(scope, ruleset);
  return { ruleset, asked: true };
}

/** The entry point of a phase that a list does not show; `null` is the proof that it does not exist. */
export async function readUnlisted(
  client: ReadClient,
  scope: Scope,
  phase: string,
): Promise<LiveRuleset | null> {
  const ruleset = await getEntrypoint(client, scope, phase);
  if (ruleset !== null && (ruleset.phase !== phase || ruleset.kind !== ENTRYPOINT_KIND[scope.kind])) {
    throw mismatch(scope, `entry point of phase ${phase}`, ruleset);
  }
  return ruleset === null ? null : usable(scope, ruleset);
}

function mismatch(scope: Scope, asked: string, got: LiveRuleset): RulewrightError {
  return new RulewrightError(
    `${scopeLabel(scope)}: asked for the ${asked}, the service answered with the ${got.kind} ruleset ${got.id} of phase ${got.phase}.`,
    { code: 'api/unexpected-answer', fault: 'remote' },
  );
}

/** What cannot be named in a request cannot be kept in order: every id must be one. */
function usable(scope: Scope, ruleset: LiveRuleset): LiveRuleset {
  const index = ruleset.rules.findIndex(({ id }) => !isId(id));
  if (!isId(ruleset.id) || index !== -1) {
    const what = index === -1 ? 'the ruleset itself' : `rule ${index + 1}`;
    throw new RulewrightError(
      `${scopeLabel(scope)}: in the ruleset ${JSON.stringify(ruleset.id)} of phase ${ruleset.phase}, ${what} has no usable id.`,
      {
        code: 'live/unusable-id',
        fault: 'remote',
        hint: 'Ids are 32 lower-case hex characters; without one nothing can be changed safely.',
      },
    );
  }
  return ruleset;
}
