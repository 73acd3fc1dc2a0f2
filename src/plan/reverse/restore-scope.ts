import { NAMING_NOTES } from '../match/pair-rules.ts';
import { jsonEqual } from '../../data/index.ts';
import {
  ruleName,
  contentToWire,
  addressKey,
  mapReferences,
  ruleNameOf,
  ruleReference,
} from '../../model/index.ts';
import type {
  PlanNote,
  ScopePlan,
  Step,
  DesiredRuleset,
  LiveRuleset,
  RulesetAddress,
  Cause,
  LiveScope,
  RuleChange,
  RuleContent,
  LiveRule,
  Ignored,
} from '../../model/index.ts';
import { addressOf } from '../names/ruleset-names.ts';
import { planScope } from '../plan-scope.ts';
import { slug } from '../../text/index.ts';
import { isIgnored } from '../compare/ignore.ts';
import { heaviestIncreasing } from '../match/arrange.ts';
import { owns } from '../match/name-rules.ts';

/** Provisional names, by old id, for what comes back, until the service assigns new ids. */
interface Returning {
  /** `custom:<slug>` by the old id of the ruleset. */
  readonly rulesets: ReadonlyMap<string, string>;
  /** `rule:<ref>` by the id of the ruleset and the old id of the rule. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Returns what comes back under a new id when rulesets are restored to what they were. */
function returningTo(
  rulesets: readonly { readonly before: LiveRuleset | null; readonly live: LiveRuleset | null }[],
): Returning {
  const rulesetNames = new Map<string, string>();
  const rules = new Map<string, ReadonlyMap<string, string>>();
  for (const { before, live } of rulesets) {
    if (before !== null) {
      const alive = new Set(live?.rules.map((rule) => rule.id));
      const gone = before.rules.filter((rule) => !alive.has(rule.id));
      rules.set(before.id, new Map(gone.map((rule) => [rule.id, ruleReference(rule.ref)])));
      if (before.kind === 'custom' && live === null) {
        rulesetNames.set(before.id, `custom:${slug(before.name)}`);
      }
    }
  }
  return { rulesets: rulesetNames, rules };
}

/** Updates a content's references to what comes back. */
function repoint(content: RuleContent, { rulesets, rules }: Returning): RuleContent {
  return mapReferences(content, {
    ruleset: (id) => rulesets.get(id) ?? id,
    rule: (id, ruleset) => rules.get(ruleset)?.get(id) ?? id,
  });
}

/** The note that a deleted rule comes back, but not with its id. */
export function ruleLosesId(step: string, change: RuleChange, old: string): PlanNote {
  const message = `comes back with its ref and a new id; the old one was ${old}`;
  return { kind: 'id-lost', step, ...ruleNameOf(change), message };
}

/** The note that a deleted ruleset comes back, but with neither its id nor its history. */
export function rulesetLosesId(step: string, old: string): PlanNote {
  const message = `comes back with a new id, without its versions; the old id was ${old}`;
  return { kind: 'id-lost', step, rule: '', message };
}

/** The part of a ruleset that is restored. */
export interface RestoredShare extends Pick<DesiredRuleset, 'ownership' | 'place'> {
  readonly ignore: readonly Ignored[];
  /** Whether the part includes the ruleset's description. */
  readonly description: boolean;
}

/** All of a ruleset, whoever its rules belong to. */
export const WHOLE: RestoredShare = {
  ownership: { kind: 'all' },
  place: 'any',
  ignore: [],
  description: true,
};

/** Whether a rule is ours to bring back, change and delete. */
export function isInShare(
  { ownership, ignore }: RestoredShare,
  rule: { readonly id: string; readonly ref: string },
): boolean {
  return owns(ownership, rule) && !isIgnored(ignore, rule.ref);
}

/** A rule that a ruleset is to have again. */
interface FormerRule extends LiveRule {
  /** Number of the rule in its version, from 1. */
  readonly place: number;
  /** Marks a live rule of others, which only shows where ours stand. */
  readonly anchor?: true;
}

/** A rule of others that a version had and that is still live. */
export interface OthersRule {
  readonly former: LiveRule;
  readonly live: LiveRule;
  /** Whether the rule kept its order relative to the other ones that stayed. */
  readonly stayed: boolean;
}

/**
 * Returns the rules of a version to restore, with those rules of others that show where ours stood. A live rule is judged by its current `ref`,
 * a deleted one by its former `ref`. So a rule that others have taken over since stays theirs, and a rule of others that we have taken over
 * since keeps the name that we gave it.
 */
function ourPart(before: LiveRuleset, live: LiveRuleset, share: RestoredShare): readonly FormerRule[] {
  const byId = new Map(live.rules.map((rule) => [rule.id, rule]));
  const refs = new Set(before.rules.flatMap((rule) => (isInShare(share, rule) ? [rule.ref] : [])));
  const anchors = new Map(
    othersRules(before, live, share).flatMap((one) => (one.stayed ? [[one.former, one.live]] : [])),
  );
  return before.rules.flatMap((rule, index): readonly FormerRule[] => {
    const place = index + 1;
    const anchor = anchors.get(rule);
    const alive = byId.get(rule.id);
    if (anchor !== undefined) {
      return [{ ...anchor, place, anchor: true }];
    }
    if (alive !== undefined && !isInShare(share, alive)) {
      return [];
    }
    if (isInShare(share, rule)) {
      return [{ ...rule, place }];
    }
    return alive === undefined || refs.has(alive.ref) ? [] : [{ ...rule, ref: alive.ref, place }];
  });
}

/** Pairs the rules of others in a version with live ones, by id or else by `ref`, in the order of the version. */
export function othersRules(
  before: LiveRuleset,
  live: LiveRuleset,
  share: RestoredShare,
): readonly OthersRule[] {
  const known = new Set(before.rules.map((rule) => rule.id));
  const places = new Map(live.rules.map((rule, index) => [rule.id, index]));
  const byRef = new Map(live.rules.flatMap((rule) => (known.has(rule.id) ? [] : [[rule.ref, rule.id]])));
  const pairs = before.rules.flatMap((former) => {
    const at = places.get(former.id) ?? places.get(byRef.get(former.ref) ?? '');
    const rule = at === undefined ? undefined : live.rules[at];
    return at === undefined || rule === undefined || isInShare(share, rule)
      ? []
      : [{ former, live: rule, at }];
  });
  const stayed = heaviestIncreasing(pairs.map(({ at }) => ({ position: at, weight: 1 })));
  return pairs.map((pair, index) => ({ former: pair.former, live: pair.live, stayed: stayed.has(index) }));
}

/** A live ruleset, and what it is to be restored to; null: there is none, or there was none. */
export interface Restoration {
  readonly address: RulesetAddress;
  readonly before: LiveRuleset | null;
  readonly live: LiveRuleset | null;
  /** The part that is restored; all of it when absent. */
  readonly share?: RestoredShare;
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
interface ReversePlan {
  readonly plan: ScopePlan;
  readonly parts: readonly PartialRestoration[];
  readonly returning: Returning;
}

/** Plans to restore rulesets, without notes on lost ids and updated references. */
export function planBack({ rulesets, cause, ...live }: RestoreInput): ReversePlan {
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
interface PartialRestoration extends Omit<Restoration, 'before'> {
  readonly before: (Omit<LiveRuleset, 'rules'> & { readonly rules: readonly FormerRule[] }) | null;
}

function partOf(restoration: Restoration): PartialRestoration {
  const { before, live, share = WHOLE } = restoration;
  if (before === null) {
    return { ...restoration, before };
  }
  const rules = ourPart(before, live ?? { ...before, rules: [] }, share);
  return { ...restoration, before: { ...before, rules } };
}

/** Returns a former ruleset as a desired one: its rules in order, each with its `ref` and, if it is live, its `id`. */
function formerRuleset(
  { address, before, live, share = WHOLE, cause }: PartialRestoration,
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

function lostIds(step: Step, before: PartialRestoration['before']): readonly PlanNote[] {
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
function repointed(
  step: Step,
  before: PartialRestoration['before'],
  returning: Returning,
): readonly PlanNote[] {
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
