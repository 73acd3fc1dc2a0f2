import type { PlanNote, ScopePlan } from '../model/plan.ts';
import type { DesiredRuleset, LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { Cause } from '../model/source.ts';
import { planScope } from './plan-scope.ts';

/**
 * A version of a ruleset as what is wanted now: its rules in their order, each with its `ref` and `id`, so
 * that rules that still live keep their id; its description.
 */
function desiredVersion(
  address: RulesetAddress,
  version: LiveRuleset,
  { live, cause }: { readonly live: LiveRuleset; readonly cause: Cause },
): DesiredRuleset {
  const refs = new Map(live.rules.map((rule) => [rule.id, rule.ref]));
  const wanted = new Set(version.rules.map((rule) => rule.ref));
  // A live rule whose ref another rule of the version has is taken by that one.
  const isFree = (liveRef: string | undefined, ref: string): boolean =>
    liveRef === undefined || liveRef === ref || !wanted.has(liveRef);
  return {
    address,
    presence: 'present',
    description: version.description,
    rules: version.rules.map(({ id, ref, content }) => ({
      ref,
      ...(refs.has(id) && isFree(refs.get(id), ref) ? { id } : {}),
      // A rule that got another ref since gets its old one back.
      adopt: refs.has(id) && isFree(refs.get(id), ref) && refs.get(id) !== ref,
      content,
      cause,
    })),
    ownership: { kind: 'all' },
    place: 'last',
    cause,
  };
}

/** A ruleset, one of its versions, and what surrounds it. */
export interface RollbackInput {
  readonly scope: Scope;
  readonly live: LiveRuleset;
  readonly version: LiveRuleset;
  /** Managed rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
}

/**
 * The plan that gives a ruleset the rules of one of its versions again. Rules that still live keep their
 * id; those that are gone come back with their `ref` and a new id, and the notes say so.
 */
export function planRollback({ scope, live, version, catalogue }: RollbackInput): ScopePlan {
  const address = addressOf(live);
  const cause: Cause = { file: `versions/${version.version}`, line: 1, column: 1 };
  const plan = planScope(
    {
      scope,
      rulesetOwnership: 'declared',
      rulesets: [desiredVersion(address, version, { live, cause })],
      cause,
    },
    { scope, entries: [{ address, slot: { kind: 'present', ruleset: live } }], catalogue },
  );
  if (plan.kind === 'failed') {
    return plan;
  }
  const oldIds = new Map(version.rules.map((rule) => [rule.ref, rule.id]));
  const lost = plan.steps.flatMap((step) =>
    step.changes.flatMap((change): readonly PlanNote[] =>
      change.kind === 'add'
        ? [
            {
              kind: 'id-lost',
              step: step.id,
              rule: change.ref,
              message: `comes back with its ref and a new id; the old one was ${oldIds.get(change.ref) ?? ''}`,
            },
          ]
        : [],
    ),
  );
  return { ...plan, notes: [...plan.notes.filter((note) => note.kind !== 'adoptable'), ...lost] };
}

function addressOf({ kind, phase, name }: LiveRuleset): RulesetAddress {
  return kind === 'custom' ? { kind, phase, name } : { kind: 'entrypoint', phase };
}
