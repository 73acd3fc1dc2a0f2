import type { Place, RuleChange } from '../model/change.ts';
import type { LiveRule } from '../model/rule.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import { arrange } from './arrange.ts';
import type { Arranged, Role } from './arrange.ts';
import { describeClaim } from './claims.ts';
import { isIgnored } from './ignore.ts';
import { matchRules } from './match-rules.ts';
import { changeOf, compareMatched, finalContent, isPatched, STAYS } from './matched-rule.ts';
import type { MatchedRule, RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { keepRefsApart } from './name-rules.ts';
import { owns } from './ownership.ts';
import { judgeRemoved } from './protect/content.ts';
import { judgeNew } from './protect/in-place.ts';
import type { Standing } from './protect/passed.ts';
import { createMoves } from './protect/passed.ts';
import { renamed } from './protect/recreated.ts';
import { protectionOf, SAME } from './protect/verdict.ts';
import { endsEvaluation, frontNotes, shadowNotes } from './shadowed.ts';
import type { Fronted } from './shadowed.ts';

/** What has to happen to the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  /** Ids of the live rules that are there afterwards and have not moved. */
  readonly staying: readonly string[];
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
  const liveOf = wanted.map((): number | undefined => undefined);
  for (const pair of pairs) {
    liveOf[pair.desired] = pair.live;
  }
  const desired = keepRefsApart(wanted, live, liveOf);
  const notes: RuleNote[] = [];
  const matchOf = live.map((): MatchedRule | undefined => undefined);
  for (const pair of pairs) {
    const rule = desired[pair.desired];
    const counterpart = live[pair.live];
    if (rule !== undefined && counterpart !== undefined) {
      matchOf[pair.live] = compareMatched(rule, counterpart, { ignore, notes });
    }
  }
  for (const pair of adoptable) {
    notes.push(adoptableNote(desired[pair.desired], live[pair.live]));
  }

  const roles = live.map((rule, index): Role => {
    const match = matchOf[index];
    if (match !== undefined && match.rule.anchor !== true) {
      return isPatched(match) ? 'patched' : 'untouched';
    }
    if (owns(ownership, rule) && !isIgnored(ignore, rule.ref)) {
      return 'gone';
    }
    return 'foreign';
  });
  const { order, moved } = arrange(roles, liveOf, options.place);

  const standings: (Standing & Fronted)[] = [];
  for (const entry of order) {
    const rule = entry.kind === 'live' ? live[entry.live] : undefined;
    if (entry.kind === 'live' && rule !== undefined) {
      const match = matchOf[entry.live];
      const content = match === undefined ? rule.content : finalContent(match);
      const ours = match === undefined ? {} : { cause: match.rule.cause };
      const ref = match?.rule.ref ?? rule.ref;
      standings.push({ ref, live: entry.live, content, before: rule.content, ...ours });
    }
  }
  const refOf = (entry: Arranged): string =>
    (entry.kind === 'new' ? desired[entry.wanted]?.ref : finalRef(live[entry.live], matchOf[entry.live])) ??
    '';
  const changes: RuleChange[] = [];
  const moves = createMoves(standings);
  /** Rules of others that end evaluation, and how many live rules, before the entry at hand. */
  const ending: LiveRule[] = [];
  const shadowNote = shadowNotes();
  let ahead = 0;
  const placeAt = (index: number): Place => {
    const before = order[index - 1];
    return { index: index + 1, after: before === undefined ? null : refOf(before) };
  };
  order.forEach((entry, index) => {
    if (entry.kind === 'new') {
      const rule = desired[entry.wanted];
      if (rule !== undefined) {
        const protection = protectionOf(judgeNew(rule.content, standings.slice(ahead)));
        notes.push(...shadowNote(rule, ending));
        changes.push({
          kind: 'add',
          ref: rule.ref,
          content: rule.content,
          place: placeAt(index),
          protection,
          cause: rule.cause,
        });
      }
      return;
    }
    const at = ahead;
    ahead += 1;
    const match = matchOf[entry.live];
    const rule = live[entry.live];
    if (rule !== undefined && roles[entry.live] === 'foreign' && endsEvaluation(rule.content)) {
      ending.push(rule);
    }
    const move = moved.has(entry.live)
      ? { from: livePlace(live, entry.live), to: placeAt(index) }
      : undefined;
    if (match !== undefined && (move !== undefined || isPatched(match))) {
      changes.push(
        ...changeOf(match, {
          place: placeAt(index),
          move,
          ways: move === undefined ? STAYS : { forth: moves.forth(at), back: moves.back(at) },
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
  const names = renamed(changes, order);
  const staying = order.flatMap((entry) =>
    entry.kind === 'live' && !moved.has(entry.live) ? (live[entry.live]?.id ?? []) : [],
  );
  return {
    changes: changes.map((change) =>
      names.has(change) ? { ...change, protection: protectionOf(SAME) } : change,
    ),
    staying,
    notes: [...notes, ...frontNotes(standings)],
    problems,
  };
}

function finalRef(live: LiveRule | undefined, match: MatchedRule | undefined): string | undefined {
  return match === undefined ? live?.ref : match.rule.ref;
}

function livePlace(live: readonly LiveRule[], index: number): Place {
  return { index: index + 1, after: live[index - 1]?.ref ?? null };
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
