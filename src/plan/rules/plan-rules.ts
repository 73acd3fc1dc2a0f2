import type { AddRule, DeleteRule, Place, RuleChange } from '../../model/change.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { placeAfter } from '../../model/rule-order.ts';
import type { RuleBefore } from '../../model/rule-order.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { arrange } from './arrange.ts';
import { createBeside } from './beside.ts';
import type { RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { pairRules } from './pair-rules.ts';
import { pairRecreated } from '../protect/recreated.ts';
import type { Verdict } from '../protect/verdict.ts';
import { protectionOf, SAME } from '../protect/verdict.ts';
import type { Arranged, Arrangement } from './arrange.ts';
import { changeOf, finalContent, isPatched, STAYS } from './matched-rule.ts';
import type { PairedRules } from './pair-rules.ts';
import type { Stand } from '../protect/stand.ts';
import { createLeeway } from '../protect/leeway.ts';
import { judgeGone, judgeNew } from '../protect/place.ts';
import type { Standing } from '../protect/passed.ts';
import { createMoves } from '../protect/passed.ts';
import { endsEvaluation, frontNotes, shadowNotes } from './shadowed.ts';
import type { Fronted } from './shadowed.ts';

/** What has to happen to the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  /** Ids of the live rules that are there afterwards and have not moved. */
  readonly staying: readonly string[];
  /** Those of them that are not ours. */
  readonly others: readonly string[];
  readonly notes: readonly RuleNote[];
  /** Rules that name a live rule they cannot have; then nothing may be done. */
  readonly problems: readonly string[];
}

/**
 * Plans the rules of one ruleset: which desired rule is which live one, where each goes, and what leads there. References in `wanted`
 * are resolved. Changes come in the order of the final list, deletions last in live order.
 */
export function planRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'ownership' | 'place' | 'ignore'> & { readonly stand: Stand },
): RulesPlan {
  const paired = pairRules(wanted, live, options);
  const { stand } = options;
  const arrangement = arrange(paired.roles, paired.liveOf, {
    place: options.place,
    leeway: createLeeway({
      live,
      stand,
      others: [...paired.roles.keys()].filter((at) => paired.roles[at] === 'foreign'),
      finally: (at) => {
        const match = paired.matchOf[at];
        return match === undefined ? undefined : finalContent(match);
      },
    }),
  });
  const { changes, notes } = ruleChanges(paired, arrangement, stand);
  const { order, moved } = arrangement;
  const staying = order.flatMap((entry) =>
    entry.kind === 'live' && !moved.has(entry.live) ? [entry.live] : [],
  );
  const idsOf = (places: readonly number[]): readonly string[] => places.flatMap((at) => live[at]?.id ?? []);
  return {
    changes,
    staying: idsOf(staying),
    others: idsOf(staying.filter((at) => paired.roles[at] === 'foreign')),
    notes: [...paired.notes, ...notes],
    problems: paired.problems,
  };
}

/** The changes of a ruleset, and what is worth saying of places. */
interface RuleChanges {
  readonly changes: readonly RuleChange[];
  readonly notes: readonly RuleNote[];
}

/** What leads from the live rules to the final order: changes in that order, deletions last in live order. */
function ruleChanges(rules: PairedRules, { order, moved }: Arrangement, stand: Stand): RuleChanges {
  const { desired, live, matchOf, roles } = rules;
  const twins = twinsOf(rules, order);
  const standings = standingsOf(rules, order, twins);
  const moves = createMoves(standings, stand);
  const beside = createBeside(
    order.map((entry) =>
      entry.kind === 'live' && roles[entry.live] === 'foreign' ? live[entry.live] : undefined,
    ),
    stand.phase,
  );
  const placeAt = (index: number, content: RuleContent): Place =>
    beside(placeAfter(ruleAt(order[index - 1], rules), index), content);
  const placeBefore = (index: number): Place => placeAfter(formerRule(index - 1, rules), index);
  const changes: RuleChange[] = [];
  const notes: RuleNote[] = [];
  const shadowNote = shadowNotes();
  /** Rules of others that end evaluation, and how many live rules, before the entry at hand. */
  const ending: LiveRule[] = [];
  let ahead = 0;
  for (const [index, entry] of order.entries()) {
    if (entry.kind === 'new') {
      const rule = desired[entry.wanted];
      if (rule !== undefined) {
        notes.push(...shadowNote(rule, ending));
        const isAgain = twins.has(entry.wanted);
        const verdict = isAgain
          ? moves.forth(ahead)
          : judgeNew(rule.content, { rules: standings, ahead, stand });
        changes.push(addition(rule, placeAt(index, rule.content), verdict));
        ahead += isAgain ? 1 : 0;
      }
      continue;
    }
    const rule = live[entry.live];
    const match = matchOf[entry.live];
    if (rule !== undefined && roles[entry.live] === 'foreign' && endsEvaluation(rule.content)) {
      ending.push(rule);
    }
    const isMoved = moved.has(entry.live);
    if (match !== undefined && (isMoved || isPatched(match))) {
      const place = placeAt(index, finalContent(match));
      changes.push(
        ...changeOf(match, {
          place,
          move: isMoved ? { from: placeBefore(entry.live), to: place } : undefined,
          ways: isMoved ? { forth: moves.forth(ahead), back: moves.back(ahead) } : STAYS,
          around: { rules: standings, ahead, live: entry.live, stand },
        }),
      );
    }
    ahead += 1;
  }
  const again = new Set(twins.values());
  const gone = live.flatMap((rule, index) =>
    roles[index] === 'gone'
      ? [
          deletion(
            rule,
            placeBefore(index),
            again.has(index)
              ? SAME
              : judgeGone(rule.content, { rules: standings, ahead: 0, live: index, stand }),
          ),
        ]
      : [],
  );
  const stayed = standings.filter((standing) => !again.has(standing.live));
  return {
    changes: [...changes, ...gone],
    notes: [...notes, ...frontNotes(stayed)],
  };
}

/** New rules that take the place of a live one that goes and says the same. */
function twinsOf(
  { desired, live, roles }: PairedRules,
  order: readonly Arranged[],
): ReadonlyMap<number, number> {
  const made = order.flatMap((entry) => (entry.kind === 'new' ? [entry.wanted] : []));
  const gone = [...live.keys()].filter((index) => roles[index] === 'gone');
  const pairs = pairRecreated(
    made.flatMap((index) => desired[index]?.content ?? []),
    gone.flatMap((index) => live[index]?.content ?? []),
  );
  return new Map(
    [...pairs].flatMap(([one, other]) => {
      const [wanted, twin] = [made[one], gone[other]];
      return wanted === undefined || twin === undefined ? [] : [[wanted, twin] as const];
    }),
  );
}

/** The live rules that are there in the end, or there again, in the final order. */
function standingsOf(
  { desired, live, matchOf }: PairedRules,
  order: readonly Arranged[],
  twins: ReadonlyMap<number, number>,
): readonly (Standing & Fronted)[] {
  const standings: (Standing & Fronted)[] = [];
  for (const entry of order) {
    const at = entry.kind === 'live' ? entry.live : twins.get(entry.wanted);
    const rule = at === undefined ? undefined : live[at];
    if (at !== undefined && rule !== undefined) {
      const match = matchOf[at];
      const named = entry.kind === 'new' ? desired[entry.wanted] : match?.rule;
      const content = match === undefined ? rule.content : finalContent(match);
      standings.push({
        ref: named?.ref ?? rule.ref,
        live: at,
        content,
        before: rule.content,
        cause: named?.cause,
      });
    }
  }
  return standings;
}

function addition({ ref, content, cause }: NamedRule, place: Place, verdict: Verdict): AddRule {
  return {
    kind: 'add',
    ref,
    content,
    place,
    protection: protectionOf(verdict),
    cause,
  };
}

function deletion({ id, ref, content }: LiveRule, place: Place, verdict: Verdict): DeleteRule {
  return {
    kind: 'delete',
    id,
    ref,
    before: content,
    place,
    protection: protectionOf(verdict),
  };
}

/** What a rule of the final order is called in the end. */
function ruleAt(
  entry: Arranged | undefined,
  { desired, live, matchOf }: PairedRules,
): RuleBefore | undefined {
  const rule =
    entry?.kind === 'new' ? desired[entry.wanted] : entry && (matchOf[entry.live]?.rule ?? live[entry.live]);
  return rule && { ref: rule.ref, description: rule.content.description };
}

/** The live rule at an index by its name, as it is described in the end: a text that a sensitive value takes the place of is secret. */
function formerRule(index: number, { live, matchOf }: PairedRules): RuleBefore | undefined {
  const rule = live[index];
  return rule && { ref: rule.ref, description: (matchOf[index]?.rule ?? rule).content.description };
}
