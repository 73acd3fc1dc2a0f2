import { resolveScope } from '../api/resolve-scope.ts';
import type { ReadClient } from '../api/client.ts';
import { getEntrypoint, getRuleset, listRulesets } from '../api/rulesets.ts';
import { isNotFound } from '../api/service-error.ts';
import { RulewrightError } from '../model/error.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import { isId, scopeLabel } from '../model/scope.ts';
import { slug } from '../model/slug.ts';

/** A ruleset as it is typed: `http_ratelimit`, `http_request_firewall_custom/custom:login`, or 32 hex. */
export type RulesetName =
  | { readonly kind: 'entrypoint'; readonly phase: string }
  | { readonly kind: 'custom'; readonly phase: string; readonly slug: string }
  | { readonly kind: 'id'; readonly id: string };

/** Reads the name of a ruleset; null when it is none. */
export function parseRulesetName(text: string): RulesetName | null {
  if (isId(text)) {
    return { kind: 'id', id: text };
  }
  const [, phase, name] = /^([a-z0-9_]+)(?:\/custom:([a-z0-9-]+))?$/.exec(text) ?? [];
  if (phase === undefined) {
    return null;
  }
  return name === undefined ? { kind: 'entrypoint', phase } : { kind: 'custom', phase, slug: name };
}

/** Reads a scope: `shop.example` and `zone:shop.example` are zones, `account:Shop` is an account. */
export function parseScopeName(text: string): ScopeRef | null {
  const [, kind, name] = /^(?:(zone|account):)?([^/]+)$/.exec(text) ?? [];
  return name === undefined ? null : { kind: kind === 'account' ? 'account' : 'zone', name };
}

/** A ruleset as it is now, in its scope. */
export interface FoundRuleset {
  readonly scope: Scope;
  readonly live: LiveRuleset;
}

/** Looks a ruleset up. Throws `versions/no-ruleset` when there is none, and for a slug with several bearers. */
export async function findRuleset(
  client: ReadClient,
  ref: ScopeRef,
  name: RulesetName,
): Promise<FoundRuleset> {
  const scope = await resolveScope(client, ref);
  const live = await look(client, scope, name);
  if (live === null) {
    throw new RulewrightError(`${scopeLabel(scope)} has no ${describe(name)}`, {
      code: 'versions/no-ruleset',
      fault: 'user',
      hint: 'a ruleset is a phase, PHASE/custom:<name> (lower case, dashes), or an id of 32 hex characters',
    });
  }
  return { scope, live };
}

async function look(client: ReadClient, scope: Scope, name: RulesetName): Promise<LiveRuleset | null> {
  switch (name.kind) {
    case 'entrypoint':
      return getEntrypoint(client, scope, name.phase);
    case 'custom':
      return lookCustom(client, scope, name);
    case 'id':
      try {
        return await getRuleset(client, scope, name.id);
      } catch (error) {
        if (isNotFound(error)) {
          return null;
        }
        throw error;
      }
    default:
      return name satisfies never;
  }
}

async function lookCustom(
  client: ReadClient,
  scope: Scope,
  name: Extract<RulesetName, { readonly kind: 'custom' }>,
): Promise<LiveRuleset | null> {
  const heads = (await listRulesets(client, scope)).filter(
    (head) => head.kind === 'custom' && head.phase === name.phase && slug(head.name) === name.slug,
  );
  const [head, ...others] = heads;
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
      return name satisfies never;
  }
}
