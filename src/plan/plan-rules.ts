import type { Move, Place, RuleChange } from '../model/change.ts';
import type { OrderEntry, PlanNote } from '../model/plan.ts';
import { identicalContent } from '../model/rule-fields.ts';
import type { LiveRule, RuleContent } from '../model/rule.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import { arrange } from './arrange.ts';
import type { Arranged, Role } from './arrange.ts';
import { carryOver } from './carry.ts';
import { compareContent } from './compare-rules.ts';
import type { RuleComparison } from './compare-rules.ts';
import { matchRules } from './match-rules.ts';
import type { NamedRule } from './name-rules.ts';
import { owns } from './ownership.ts';
import { judgeAdded, judgeChanged, judgeRemoved } from './protect/content.ts';
import type { Standing } from './protect/passed.ts';
import { rulesPassed } from './protect/passed.ts';
import type { Passed } from './protect/place.ts';
import { judgeMoved } from './protect/place.ts';
import { protectionOf, together } from './protect/verdict.ts';

/** What has to happen to the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  readonly order: readonly OrderEntry[];
  readonly notes: readonly Omit<PlanNote, 'step'>[];
}

/** A matched rule, compared. */
interface Compared {
  readonly rule: NamedRule;
  readonly live: LiveRule;
  readonly adopts: boolean;
  readonly comparison: RuleComparison;
}

/**
 * Plans the rules of one ruleset. `desired` has its references resolved. Changes come in the order of
 * the final list, deletions last in live order.
 */
export function planRules(
  desired: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'ownership' | 'place'>,
): RulesPlan {
  const { pairs, adoptable } = matchRules(desired, live, options.ownership);
  const notes: Omit<PlanNote, 'step'>[] = [];
  const compared = new Map<number, Compared>();
  for (const pair of pairs) {
    const rule = desired[pair.desired];
    const counterpart = live[pair.live];
    if (rule !== undefined && counterpart !== undefined) {
      compared.set(pair.desired, compare(rule, counterpart, notes));
    }
  }
  for (const pair of adoptable) {
    notes.push(adoptableNote(desired[pair.desired], live[pair.live]));
  }

  const byLive = new Map(pairs.map((pair) => [pair.live, compared.get(pair.desired)]));
  const roles = live.map((rule, index): Role => {
    const match = byLive.get(index);
    if (match !== undefined) {
      return isPatched(match) ? 'patched' : 'untouched';
    }
    return owns(options.ownership, rule) ? 'gone' : 'foreign';
  });
  const liveOf = new Map(pairs.map((pair) => [pair.desired, pair.live]));
  const { order, moved } = arrange(
    roles,
    desired.map((_rule, index) => liveOf.get(index)),
    options.place,
  );

  const standings = order.flatMap((entry): readonly Standing[] => {
    if (entry.kind === 'new') {
      return [];
    }
    const rule = live[entry.live];
    const match = byLive.get(entry.live);
    const content = match === undefined ? rule?.content : finalContent(match);
    return content === undefined
      ? []
      : [{ ref: match?.rule.ref ?? rule?.ref ?? '', live: entry.live, content }];
  });
  const refOf = (entry: Arranged): string =>
    (entry.kind === 'new'
      ? desired[entry.wanted]?.ref
      : finalRef(live[entry.live], byLive.get(entry.live))) ?? '';
  const changes: RuleChange[] = [];
  order.forEach((entry, index) => {
    const before = order[index - 1];
    const to: Place = { index: index + 1, after: before === undefined ? null : refOf(before) };
    if (entry.kind === 'new') {
      const rule = desired[entry.wanted];
      if (rule !== undefined) {
        const protection = protectionOf(judgeAdded(rule.content));
        changes.push({
          kind: 'add',
          ref: rule.ref,
          content: rule.content,
          place: to,
          protection,
          cause: rule.cause,
        });
      }
      return;
    }
    const match = byLive.get(entry.live);
    const move = moved.has(entry.live) ? { from: livePlace(live, entry.live), to } : undefined;
    if (match !== undefined) {
      const at = standings.findIndex((one) => one.live === entry.live);
      changes.push(
        ...changeOf(match, { place: to, move, passed: move === undefined ? [] : rulesPassed(standings, at) }),
      );
    }
  });
  live.forEach((rule, index) => {
    if (roles[index] === 'gone') {
      const place = livePlace(live, index);
      const protection = protectionOf(judgeRemoved(rule.content));
      changes.push({ kind: 'delete', id: rule.id, ref: rule.ref, before: rule.content, place, protection });
    }
  });
  return { changes, order: order.map((entry) => orderEntry(entry, live, refOf(entry))), notes };
}

function compare(rule: NamedRule, live: LiveRule, notes: Omit<PlanNote, 'step'>[]): Compared {
  if (rule.ref === live.ref && identicalContent(rule.content, live.content)) {
    return { rule, live, adopts: false, comparison: { kind: 'equal' } };
  }
  const { content, paths } = carryOver(rule.content, live.content);
  const comparison = compareContent(live.content, content);
  const adopts = rule.given && rule.ref !== live.ref;
  const ref = adopts || rule.given ? rule.ref : live.ref;
  const unknown = paths.filter((path) => path !== '/ratelimit/mitigation_timeout');
  if (unknown.length > 0) {
    const message = `keeps what this version does not know: ${unknown.join(', ')}`;
    notes.push({ kind: 'carried', rule: ref, message, cause: rule.cause });
  }
  if (comparison.kind === 'respelled') {
    const message = 'same meaning, other text: the live spelling stays';
    notes.push({ kind: 'respelled', rule: ref, message, cause: rule.cause });
  }
  return { rule: { ...rule, ref, content }, live, adopts, comparison };
}

function isPatched(match: Compared): boolean {
  return match.adopts || match.comparison.kind === 'different';
}

/** Where a matched rule ends, and what it passed on the way. */
interface Placing {
  readonly place: Place;
  readonly move: Move | undefined;
  readonly passed: readonly Passed[];
}

function changeOf(match: Compared, { place, move, passed }: Placing): readonly RuleChange[] {
  const { rule, live, comparison } = match;
  const moved = judgeMoved(finalContent(match), passed);
  if (isPatched(match)) {
    return [
      {
        kind: 'patch',
        id: live.id,
        ref: rule.ref,
        ...(match.adopts ? { adopts: live.ref } : {}),
        before: live.content,
        content: rule.content,
        fields: comparison.kind === 'equal' ? [] : comparison.fields,
        place,
        ...(move === undefined ? {} : { move }),
        protection: protectionOf(together([judgeChanged(live.content, rule.content), moved])),
        cause: rule.cause,
      },
    ];
  }
  if (move === undefined) {
    return [];
  }
  const { description } = live.content;
  const protection = protectionOf(moved);
  return [{ kind: 'move', id: live.id, ref: rule.ref, description, move, protection, cause: rule.cause }];
}

/** What a matched rule says in the end: a rule that is not patched keeps its live text. */
function finalContent(match: Compared): RuleContent {
  return isPatched(match) ? match.rule.content : match.live.content;
}

function finalRef(live: LiveRule | undefined, match: Compared | undefined): string | undefined {
  return match === undefined ? live?.ref : match.rule.ref;
}

function livePlace(live: readonly LiveRule[], index: number): Place {
  return { index: index + 1, after: live[index - 1]?.ref ?? null };
}

function orderEntry(entry: Arranged, live: readonly LiveRule[], ref: string): OrderEntry {
  return entry.kind === 'new' ? { kind: 'new', ref } : { kind: 'live', id: live[entry.live]?.id ?? '', ref };
}

function adoptableNote(rule: NamedRule | undefined, live: LiveRule | undefined): Omit<PlanNote, 'step'> {
  const message = `equals the live rule ${live?.ref ?? ''}; to keep its id, write that ref, or adopt: true`;
  return {
    kind: 'adoptable',
    rule: rule?.ref ?? '',
    message,
    ...(rule === undefined ? {} : { cause: rule.cause }),
  };
}
