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

/** A live ruleset, and what it is to be restored to; null: there is none, or there was none. */
export interface Restoration {
  readonly address: RulesetAddress;
  readonly before: LiveRuleset | null;
  readonly live: LiveRuleset | null;
  /** The part that is restored; all of it when absent. */
  readonly share?: Share;
  /** The cause of the changes; the former version when absent. */
  readonly cause?: Cause;
}

/** The rulesets of a scope to restore, and the scope's other live state. */
export interface RestoreInput extends Omit<LiveScope, 'entries'> {
  readonly rulesets: readonly Restoration[];
  readonly cause: Cause;
}

/**
 * Plans to restore rulesets to what they were. Rules that are still live keep their id; deleted ones come back with their `ref` and a new id,
 * and restored rules that name them by the old id are updated. Notes report both.
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

/** A restoring plan without notes on lost ids and updated references, and what it was made from. */
interface Back {
  readonly plan: ScopePlan;
  readonly parts: readonly Part[];
  readonly returning: Returning;
}

/** Plans to restore rulesets, without notes on lost ids and updated references. */
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

/** A restoration reduced to the part that is restored. */
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

/** Returns a former ruleset as a desired one: its rules in order, each with its `ref` and, if it is live, its `id`. */
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
    // A live rule that now bears another former rule's ref is taken by that one.
    const isThere = now !== undefined && (now === ref || !wanted.has(now));
    return {
      ref,
      ...(anchor === undefined ? {} : { anchor }),
      ...(isThere ? { id } : {}),
      // A rule whose ref was changed since gets its old one back.
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

/** Notes the rules that name something by its new id instead of the old one. */
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
