import { assertNever } from '../../model/assert-never.ts';
import { changesById } from '../../model/change.ts';
import { concealedBetween } from '../../model/conceal.ts';
import type { Place, RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { orderAfter, orderBefore, placeAfter, stayingOf } from '../../model/rule-order.ts';
import type { RuleBefore } from '../../model/rule-order.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { hasReferences } from '../hide/hide-text.ts';
import type { Stand } from '../protect/stand.ts';
import { judgeGone, judgeNew, judgePatched } from '../protect/place.ts';
import type { Moves, Standing } from '../protect/passed.ts';
import { createMoves } from '../protect/passed.ts';
import { pairedChanges, recreatedIn } from '../protect/recreated.ts';
import type { Verdict } from '../protect/verdict.ts';
import { SAME } from '../protect/verdict.ts';
import { agrees, areTrue, contentUntruths } from './untruths.ts';

/**
 * What a step says of live that is not so, such as `rule a: /action`. `live` is the ruleset at the step's
 * base, null where the step makes one. Guards read what a plan says; it was made from this ruleset when
 * nothing is found, so that they have seen what it does.
 */
export function planMismatches(step: Step, live: LiveRuleset | null, scope: ScopeRef): readonly string[] {
  const stand = { scope, phase: step.target.phase };
  const rules = live?.rules ?? [];
  const told = untrueOrder(step, rules);
  const before = {
    rules,
    at: new Map(rules.map(({ id }, index) => [id, index])),
    changes: changesById(step.changes),
  };
  const twins = recreatedIn(step.changes);
  const again = pairedChanges(twins);
  const twinOf = new Map([...twins].map(([{ ref }, { id }]) => [ref, id]));
  const after = afterwards(standingsOf(step, rules, twinOf), { step, twinOf, stand });
  return [
    ...(isDescriptionUntrue(step, live) ? ['its description'] : []),
    ...told,
    ...step.changes.flatMap((change) =>
      mismatchesOf(change, before, {
        ...after,
        stand,
        isAgain: again.has(change),
      }).map((part) => `rule ${change.ref}: ${part}`),
    ),
  ];
}

function isDescriptionUntrue(step: Step, live: LiveRuleset | null): boolean {
  if (step.operation !== 'update' || step.description === undefined) {
    return false;
  }
  return !agrees(step.description.before, live?.description);
}

/** Every live rule stays, moves or goes, those that stay keep their sequence, and rules are where their changes say. */
function untrueOrder(step: Step, live: readonly LiveRule[]): readonly string[] {
  const changes = changesById(step.changes);
  const at = new Map(live.map((rule, index) => [rule.id, index]));
  const named = new Set(orderBefore(step));
  const nameOf = (id: string): string => changes.get(id)?.ref ?? live[at.get(id) ?? -1]?.ref ?? id;
  const added = new Map(
    step.changes.flatMap((change) => (change.kind === 'add' ? [[change.ref, change]] : [])),
  );
  const after = orderAfter(step).map((entry): RuleBefore => {
    if (entry.kind === 'new') {
      return { ref: entry.ref, description: added.get(entry.ref)?.content.description ?? '' };
    }
    const rule = live[at.get(entry.id) ?? -1];
    const description = rule === undefined ? '' : descriptionAfter(rule, changes.get(entry.id));
    return { ref: nameOf(entry.id), description };
  });
  return [
    ...live.filter(({ id }) => !named.has(id)).map(({ ref }) => `rule ${ref}: that it is not there`),
    ...[...named]
      .filter((id) => !at.has(id) && changes.get(id)?.kind !== 'delete')
      .map((id) => `rule ${nameOf(id)}: that it is there`),
    ...stayingOf(step).flatMap((id, index, staying) =>
      (at.get(staying[index - 1] ?? '') ?? -1) > (at.get(id) ?? live.length)
        ? [`rule ${nameOf(id)}: its place`]
        : [],
    ),
    ...step.changes.flatMap((change) => {
      const to = newPlace(change);
      const wrong = to === null ? [] : placeUntruths(to, placeAfter(after[to.index - 2], to.index - 1));
      return wrong.map((part) => `rule ${change.ref}: ${part}`);
    }),
  ];
}

/** What a live rule is described as in the end. */
function descriptionAfter({ content }: LiveRule, change: RuleChange | undefined): string {
  return (change?.kind === 'patch' ? change.content : content).description;
}

/** Where a change says that its rule is afterwards; null for one that goes. */
function newPlace(change: RuleChange): Place | null {
  return change.kind === 'delete' ? null : change.kind === 'move' ? change.move.to : change.place;
}

/** The id of the rule that is there again under a new `ref`, by that. */
type Twins = ReadonlyMap<string, string>;

/** The rules that live before and after, also under another name, in their new sequence, as planning sees them. */
function standingsOf(step: Step, live: readonly LiveRule[], twinOf: Twins): readonly Standing[] {
  const changes = changesById(step.changes);
  const at = new Map(live.map((rule, index) => [rule.id, { rule, index }]));
  return orderAfter(step).flatMap((entry): readonly Standing[] => {
    const id = entry.kind === 'live' ? entry.id : (twinOf.get(entry.ref) ?? '');
    const found = at.get(id);
    if (found === undefined) {
      return [];
    }
    const change = changes.get(id);
    const content = change?.kind === 'patch' ? change.content : found.rule.content;
    const { ref } = entry.kind === 'new' ? entry : (change ?? found.rule);
    return [{ ref, live: found.index, content, before: found.rule.content }];
  });
}

/** The rules as they are live, and where each stands. */
interface Before {
  readonly rules: readonly LiveRule[];
  readonly at: ReadonlyMap<string, number>;
  readonly changes: ReadonlyMap<string, RuleChange>;
}

interface After {
  readonly standings: readonly Standing[];
  /** Place among the standings, by the place in live. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** Of each new rule, how many that live stand before it. */
  readonly ahead: ReadonlyMap<string, number>;
  readonly moves: Moves;
  /** Whether the rule goes and is there again under another `ref`: only its place matters. */
  readonly isAgain: boolean;
  readonly stand: Stand;
}

function afterwards(
  standings: readonly Standing[],
  { step, twinOf, stand }: { readonly step: Step; readonly twinOf: Twins; readonly stand: Stand },
): Omit<After, 'isAgain' | 'stand'> {
  const ahead = new Map<string, number>();
  let passed = 0;
  for (const entry of orderAfter(step)) {
    if (entry.kind === 'new' && !ahead.has(entry.ref)) {
      ahead.set(entry.ref, passed);
    }
    passed += entry.kind === 'live' || twinOf.has(entry.ref) ? 1 : 0;
  }
  const placeOf = new Map(standings.map(({ live }, index) => [live, index] as const).reverse());
  return { standings, placeOf, ahead, moves: createMoves(standings, stand) };
}

function mismatchesOf(
  change: RuleChange,
  { rules: live, at: indexes, changes }: Before,
  after: After,
): readonly string[] {
  if (change.kind === 'add') {
    const ahead = after.ahead.get(change.ref) ?? 0;
    return hiddenWeakening(
      change,
      after.isAgain
        ? after.moves.forth(ahead)
        : judgeNew(change.content, { rules: after.standings, ahead, stand: after.stand }),
    );
  }
  const index = indexes.get(change.id) ?? -1;
  const rule = live[index];
  if (rule === undefined) {
    return change.kind === 'delete' ? ['that it is there'] : [];
  }
  const at = after.placeOf.get(index) ?? -1;
  const previous = live[index - 1];
  const from = placeAfter(
    previous && { ref: previous.ref, description: descriptionAfter(previous, changes.get(previous.id)) },
    index,
  );
  switch (change.kind) {
    case 'delete':
      return [
        ...(change.ref === rule.ref ? [] : ['/ref']),
        ...contentUntruths(change.before, rule.content),
        ...placeUntruths(change.place, from),
        ...(after.isAgain
          ? []
          : hiddenWeakening(
              change,
              judgeGone(rule.content, { rules: after.standings, ahead: 0, live: index, stand: after.stand }),
            )),
      ];
    case 'move':
      return [
        ...(change.ref === rule.ref ? [] : ['/ref']),
        ...(agrees(change.description, rule.content.description) ? [] : ['/description']),
        ...placeUntruths(change.move.from, from),
        ...hiddenWeakening(change, after.moves.forth(at)),
      ];
    case 'patch': {
      const moved = change.move === undefined ? SAME : after.moves.forth(at);
      const around = { rules: after.standings, ahead: at, live: index, stand: after.stand };
      const isHiding = hasReferences(change.content);
      const different = compareContent(rule.content, change.content);
      const fields = different.kind === 'equal' ? [] : different.fields;
      const untrue = contentUntruths(change.before, rule.content);
      const concealed = concealedBetween(
        after.stand.phase,
        contentToWire(rule.content),
        contentToWire(change.content),
      );
      return [
        ...((change.adopts ?? change.ref) === rule.ref ? [] : ['/ref']),
        ...untrue,
        ...(isHiding || untrue.length > 0 || areTrue(change.fields, fields, concealed)
          ? []
          : ['which fields change']),
        ...(change.move === undefined ? [] : placeUntruths(change.move.from, from)),
        ...hiddenWeakening(change, judgePatched(rule.content, change.content, { moved, around })),
      ];
    }
    default:
      return assertNever(change);
  }
}

/** A weakening that the plan calls something else. */
function hiddenWeakening({ protection }: RuleChange, verdict: Verdict): readonly string[] {
  return verdict.kind === 'weaker' && protection.kind !== 'weakening'
    ? [`that it does not weaken (${verdict.reason})`]
    : [];
}

function placeUntruths(said: Place, live: Place): readonly string[] {
  return said.index === live.index && said.after === live.after && agrees(said.description, live.description)
    ? []
    : ['its place'];
}
