import { NAMING_NOTES } from '../rules/pair-rules.ts';
import { jsonEqual } from '../../model/json.ts';
import { ruleName } from '../../model/described-name.ts';
import type { PlanNote, ScopePlan, Step } from '../../model/plan.ts';
import type { DesiredRuleset, LiveRuleset, RulesetAddress } from '../../model/ruleset.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import type { Cause } from '../../model/source.ts';
import type { LiveScope } from '../../model/state.ts';
import { addressOf } from '../names/address.ts';
import { planScope } from '../plan-scope.ts';
import { addressKey } from '../../model/ruleset.ts';
import { repoint, returningTo, ruleLosesId, rulesetLosesId } from './repoint.ts';
import type { Returning } from './repoint.ts';
import type { FormerRule, Share } from './share.ts';
import { WHOLE, ourPart } from './share.ts';

/** A ruleset, and what it is to be again; null: there is none, or there was none. */
export interface Restoration {
  readonly address: RulesetAddress;
  readonly before: LiveRuleset | null;
  readonly live: LiveRuleset | null;
  /** What of it goes back; all of it unless given. */
  readonly share?: Share;
  /** Where it comes from; the version that it was unless given. */
  readonly cause?: Cause;
}

/** What of a scope is to be as it was, and what surrounds it. */
export interface RestoreInput extends Omit<LiveScope, 'entries'> {
  readonly rulesets: readonly Restoration[];
  readonly cause: Cause;
}

/**
 * The plan that makes rulesets again what they were. Rules that still live keep their id; those that are
 * gone come back with their `ref` and a new id, and rules among the given ones that name them by the old
 * id are re-pointed. The notes say each of these.
 */
export function restoreScope(input: RestoreInput): ScopePlan {
  const { plan, parts, returning } = planBack(input);
  if (plan.kind === 'failed') {
    return plan;
  }
  const before = new Map(parts.map((part) => [addressKey(part.address), part.before]));
  const lost = plan.steps.flatMap((step) => lostIds(step, before.get(keyOf(step)) ?? null));
  const named = plan.steps.flatMap((step) => repointed(step, before.get(keyOf(step)) ?? null, returning));
  return { ...plan, notes: [...plan.notes, ...lost, ...named] };
}

/** What a way back was planned from, and the plan without notes about what cannot be as it was. */
interface Back {
  readonly plan: ScopePlan;
  readonly parts: readonly Part[];
  readonly returning: Returning;
}

/** Plans the way back of rulesets, with no word yet of ids that are lost and of references to them. */
export function planBack({ rulesets, cause, ...live }: RestoreInput): Back {
  const parts = rulesets.map(partOf);
  const returning = returningTo(parts);
  const { kind, name } = live.scope;
  const plan = planScope(
    {
      scope: { kind, name },
      rulesetOwnership: 'declared',
      rulesets: parts.flatMap((part) => formerRuleset(part, returning, cause)),
      cause,
    },
    {
      ...live,
      entries: rulesets.map(({ address, live: ruleset }) => ({
        address,
        slot: ruleset === null ? { kind: 'absent' } : { kind: 'present', ruleset },
      })),
    },
  );
  return plan.kind === 'failed'
    ? { plan, parts, returning }
    : {
        plan: { ...plan, notes: plan.notes.filter((note) => !NAMING_NOTES.has(note.kind)) },
        parts,
        returning,
      };
}

/** What of a ruleset goes back. */
interface Part extends Omit<Restoration, 'before'> {
  readonly before: (Omit<LiveRuleset, 'rules'> & { readonly rules: readonly FormerRule[] }) | null;
}

function partOf(restoration: Restoration): Part {
  const { before, live, share = WHOLE } = restoration;
  if (before === null) {
    return { ...restoration, before };
  }
  const rules = ourPart(before, live ?? { ...before, rules: [] }, share);
  return { ...restoration, before: { ...before, rules } };
}

/** A ruleset as what is wanted now: its rules in their order, each with its `ref` and, where it lives, its `id`. */
function formerRuleset(
  { address, before, live, share = WHOLE, cause }: Part,
  returning: Returning,
  scopeCause: Cause,
): readonly DesiredRuleset[] {
  const { ownership, place, ignore } = share;
  if (before === null) {
    return live === null
      ? []
      : [{ address, ownership, place, presence: 'absent', rules: [], cause: scopeCause }];
  }
  const { version, description } = before;
  const refs = new Map(live?.rules.map((rule) => [rule.id, rule.ref]));
  const wanted = new Set(before.rules.map((rule) => rule.ref));
  const rules = before.rules.map(({ id, ref, content, place: at, anchor }) => {
    const now = refs.get(id);
    // A live rule whose ref another of the former rules has is taken by that one.
    const isThere = now !== undefined && (now === ref || !wanted.has(now));
    return {
      ref,
      ...(anchor === undefined ? {} : { anchor }),
      ...(isThere ? { id } : {}),
      // A rule that got another ref since gets its old one back.
      adopt: isThere && now !== ref,
      content: anchor === undefined ? repoint(content, returning) : content,
      exact: true as const,
      cause: cause ?? { version, rule: at },
    };
  });
  return [
    {
      address,
      ownership,
      place,
      ...(ignore.length === 0 ? {} : { ignore }),
      presence: 'present',
      ...(share.description ? { description } : {}),
      rules,
      cause: cause ?? { version },
    },
  ];
}

function keyOf({ target }: Step): string {
  return addressKey(addressOf(target));
}

function lostIds(step: Step, before: Part['before']): readonly PlanNote[] {
  if (before === null) {
    return [];
  }
  const oldIds = new Map(before.rules.map((rule) => [rule.ref, rule.id]));
  return [
    ...(step.operation === 'create' ? [rulesetLosesId(step.id, before.id)] : []),
    ...step.changes.flatMap((change) =>
      change.kind === 'add' ? [ruleLosesId(step.id, change, oldIds.get(change.ref) ?? '')] : [],
    ),
  ];
}

/** Rules that name something by its new id where they named it by the old one. */
function repointed(step: Step, before: Part['before'], returning: Returning): readonly PlanNote[] {
  return (before?.rules ?? []).flatMap(({ ref, content, anchor }): readonly PlanNote[] =>
    anchor === true || jsonEqual(contentToWire(content), contentToWire(repoint(content, returning)))
      ? []
      : [
          {
            kind: 'reversed',
            step: step.id,
            ...ruleName(ref, content.description),
            message: 'names what comes back by its new id',
          },
        ],
  );
}
