import type { Place, RuleChange } from '../model/change.ts';
import type { OrderEntry } from '../model/plan.ts';
import type { LiveRule } from '../model/rule.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import { everyRequestNotes } from './every-request.ts';
import { arrange } from './arrange.ts';
import type { Arranged, Role } from './arrange.ts';
import { describeClaim } from './claims.ts';
import { isIgnored } from './ignore.ts';
import { matchRules } from './match-rules.ts';
import { changeOf, compareMatched, finalContent, isPatched } from './matched-rule.ts';
import type { MatchedRule, RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { keepRefsApart } from './name-rules.ts';
import { owns } from './ownership.ts';
import { judgeAdded, judgeRemoved } from './protect/content.ts';
import type { Standing } from './protect/passed.ts';
import { rulesPassed } from './protect/passed.ts';
import { judgeAhead } from './protect/place.ts';
import { protectionOf, together } from './protect/verdict.ts';
import { shadowNote } from './shadowed.ts';

/** What has to happen to the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  readonly order: readonly OrderEntry[];
  readonly notes: readonly RuleNote[];
  /** Rules that name a live rule they cannot have; then nothing may be done. */
  readonly problems: readonly string[];
}

/**
 * Plans the rules of one ruleset. `desired` has its references resolved. Changes come in the order of
 * the final list, deletions last in live order.
 */
export function planRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'ownership' | 'place' | 'ignore'>,
): RulesPlan {
  const { ownership, ignore = [] } = options;
  const { pairs, adoptable, refused } = matchRules(wanted, live, {
    owns: (rule) => owns(ownership, rule),
    ignores: (rule) => isIgnored(ignore, rule.ref),
  });
  const desired = keepRefsApart(wanted, live, new Set(pairs.map((pair) => pair.desired)));
  const notes: RuleNote[] = [];
  const compared = new Map<number, MatchedRule>();
  for (const pair of pairs) {
    const rule = desired[pair.desired];
    const counterpart = live[pair.live];
    if (rule !== undefined && counterpart !== undefined) {
      compared.set(pair.desired, compareMatched(rule, counterpart, { ignore, notes }));
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
    if (owns(ownership, rule) && !isIgnored(ignore, rule.ref)) {
      return 'gone';
    }
    return 'foreign';
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
  /** The live rules that stand behind a place of the final order. */
  const behind = (index: number): readonly Standing[] => {
    const ahead = order.slice(0, index).filter((entry) => entry.kind === 'live').length;
    return standings.slice(ahead);
  };
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
        const protection = protectionOf(
          together([judgeAdded(rule.content), judgeAhead(null, rule.content, behind(index))]),
        );
        const others = order.slice(0, index).flatMap((other) => foreignRule(other, roles, live));
        notes.push(...shadowNote(rule, others));
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
        ...changeOf(match, {
          place: to,
          move,
          passed: move === undefined ? [] : rulesPassed(standings, at),
          behind: isPatched(match) ? standings.slice(at + 1) : [],
        }),
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
  live.forEach((rule, index) => {
    if (roles[index] === 'foreign' && owns(ownership, rule)) {
      const message = 'is not in the file and stays: the file lets the whole rule differ';
      notes.push({ kind: 'ignored', rule: rule.ref, message });
    }
  });
  const problems = refused.flatMap((claim) => {
    const [rule, counterpart] = [desired[claim.desired], live[claim.live]];
    return rule === undefined || counterpart === undefined
      ? []
      : [describeClaim(rule, counterpart, claim.problem)];
  });
  const entries = order.map((entry) => orderEntry(entry, live, refOf(entry)));
  return { changes, order: entries, notes: [...notes, ...everyRequestNotes(changes)], problems };
}

/** The live rule of an entry of the final order, when it is not ours. */
function foreignRule(
  entry: Arranged,
  roles: readonly Role[],
  live: readonly LiveRule[],
): readonly LiveRule[] {
  const rule = entry.kind === 'live' && roles[entry.live] === 'foreign' ? live[entry.live] : undefined;
  return rule === undefined ? [] : [rule];
}

function finalRef(live: LiveRule | undefined, match: MatchedRule | undefined): string | undefined {
  return match === undefined ? live?.ref : match.rule.ref;
}

function livePlace(live: readonly LiveRule[], index: number): Place {
  return { index: index + 1, after: live[index - 1]?.ref ?? null };
}

function orderEntry(entry: Arranged, live: readonly LiveRule[], ref: string): OrderEntry {
  return entry.kind === 'new' ? { kind: 'new', ref } : { kind: 'live', id: live[entry.live]?.id ?? '', ref };
}

function adoptableNote(rule: NamedRule | undefined, live: LiveRule | undefined): RuleNote {
  const message = `equals the live rule ${live?.ref ?? ''}; to keep its id, write that ref, or adopt: true`;
  return {
    kind: 'adoptable',
    rule: rule?.ref ?? '',
    message,
    ...(rule === undefined ? {} : { cause: rule.cause }),
  };
}
