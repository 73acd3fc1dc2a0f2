import { hash } from 'node:crypto';
import type {
  AddRule,
  DeleteRule,
  Move,
  RulePosition,
  RuleChange,
  LiveRule,
  RuleContent,
  RuleBefore,
} from '../../model/index.ts';
import {
  placeAfter,
  decidedParts,
  lastDecides,
  isKnownAction,
  shownWire,
  canonicalContent,
  strengthOf,
  directsRules,
} from '../../model/index.ts';
import { createJudge } from '../impact/judge.ts';
import type { ChangeJudge } from '../impact/judge.ts';
import { pairRecreated } from '../impact/recreated-rules.ts';
import type { KeptRule } from '../impact/judge-moves.ts';
import type { EffectContext, SecurityImpact } from '../impact/security-effect.ts';
import { protectionOf, SAME } from '../impact/security-effect.ts';
import { canonicalJson, jsonEqual } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { conditionOf, createProofs } from '../impact/conditions.ts';
import { endsEvaluation, frontNotes, shadowNotes } from './unreachable-rules.ts';
import type { Fronted } from './unreachable-rules.ts';
import type { NamedRule } from './name-rules.ts';
import { changeOf, finalContent, isPatched } from './pair-rules.ts';
import type { RuleNote, PairedRules } from './pair-rules.ts';
import type { Arranged, Arrangement } from './arrange.ts';

/** The changes of a ruleset, and the notes about places. */
interface RuleChanges {
  readonly changes: readonly RuleChange[];
  readonly notes: readonly RuleNote[];
}

/** For each new rule that recreates a deleted one with the same content: the index in the files, and the index of the live rule. */
type TwinIndices = ReadonlyMap<number, number>;

interface PairedComparison {
  readonly rules: PairedRules;
  readonly arrangement: Arrangement;
  readonly twins: TwinIndices;
  readonly judge: ChangeJudge;
  readonly beside: NeighbourDigest;
}

/** Returns the changes that lead from the live rules to the final order: in that order, deletions last in live order. */
export function ruleChanges(
  rules: PairedRules,
  arrangement: Arrangement,
  context: EffectContext,
): RuleChanges {
  const { order } = arrangement;
  const twins = twinsOf(rules, order);
  const keptRules = keptRulesOf(rules, order, twins);
  const foreign = order.map((entry) => foreignAt(entry, rules));
  const judge = createJudge(keptRules, context);
  const task = { rules, arrangement, twins, judge, beside: createBeside(foreign, context.phase) };
  const changes: RuleChange[] = [];
  // How many of the rules that exist before and after precede the entry.
  let ahead = 0;
  order.forEach((entry, index) => {
    const at = { index, ahead };
    changes.push(...(entry.kind === 'new' ? added(entry.wanted, at, task) : kept(entry.live, at, task)));
    ahead += entry.kind === 'live' || twins.has(entry.wanted) ? 1 : 0;
  });
  const again = new Set(twins.values());
  return {
    changes: [...changes, ...gone(again, task)],
    notes: [
      ...notesOfShadowed(rules, order, foreign),
      ...frontNotes(keptRules.filter((keptRule) => !again.has(keptRule.live))),
    ],
  };
}

/** A place in the final order, and how many of the rules that exist before and after precede it. */
interface At {
  readonly index: number;
  readonly ahead: number;
}

function added(wanted: number, { index, ahead }: At, task: PairedComparison): readonly AddRule[] {
  const { rules, twins, judge } = task;
  const rule = rules.desired[wanted];
  if (rule === undefined) {
    return [];
  }
  const { ref, content, cause } = rule;
  const verdict = twins.has(wanted) ? judge.moves.forth(ahead) : judge.added(content, ahead);
  const place = placeAt(index, content, task);
  return [{ kind: 'add', ref, content, place, protection: protectionOf(verdict), cause }];
}

function kept(live: number, { index, ahead }: At, task: PairedComparison): readonly RuleChange[] {
  const { rules, arrangement, judge } = task;
  const match = rules.matchOf[live];
  const isMoved = arrangement.moved.has(live);
  const patches = match !== undefined && isPatched(match);
  if (match === undefined || !(isMoved || patches)) {
    return [];
  }
  const place = placeAt(index, finalContent(match), task);
  const forth = isMoved ? judge.moves.forth(ahead) : SAME;
  return changeOf(match, {
    place,
    move: isMoved
      ? moveOf({ from: placeBefore(live, rules), to: place }, { forth, back: judge.moves.back(ahead) })
      : undefined,
    verdict: patches
      ? judge.patched(match.live.content, match.rule.content, { ahead, live, isMoved })
      : forth,
  });
}

/** Adds to a move what moving back would do, if either direction affects protection. */
function moveOf(
  move: Move,
  { forth, back }: { readonly forth: SecurityImpact; readonly back: SecurityImpact },
): Move {
  return forth.kind === 'same' && back.kind === 'same' ? move : { ...move, back: protectionOf(back) };
}

function gone(again: ReadonlySet<number>, { rules, judge }: PairedComparison): readonly DeleteRule[] {
  const changes: DeleteRule[] = [];
  rules.live.forEach(({ id, ref, content }, live) => {
    if (rules.roles[live] === 'gone') {
      const protection = protectionOf(again.has(live) ? SAME : judge.gone(content, live));
      changes.push({ kind: 'delete', id, ref, before: content, place: placeBefore(live, rules), protection });
    }
  });
  return changes;
}

/** Returns the rule of others at an entry of the final order, if it is one. */
function foreignAt(entry: Arranged, { live, roles }: PairedRules): LiveRule | undefined {
  return entry.kind === 'live' && roles[entry.live] === 'foreign' ? live[entry.live] : undefined;
}

/** Notes new rules that land after rules of others that end evaluation. */
function notesOfShadowed(
  { desired }: PairedRules,
  order: readonly Arranged[],
  foreign: readonly (LiveRule | undefined)[],
): readonly RuleNote[] {
  const shadowNote = shadowNotes();
  const ending: LiveRule[] = [];
  const notes: RuleNote[] = [];
  order.forEach((entry, index) => {
    const [other, rule] = [foreign[index], entry.kind === 'new' ? desired[entry.wanted] : undefined];
    if (other !== undefined && endsEvaluation(other.content)) {
      ending.push(other);
    }
    notes.push(...(rule === undefined ? [] : shadowNote(rule, ending)));
  });
  return notes;
}

function twinsOf({ desired, live, roles }: PairedRules, order: readonly Arranged[]): TwinIndices {
  const made = order.filter((entry) => entry.kind === 'new').map(({ wanted }) => wanted);
  const leaving = [...live.keys()].filter((index) => roles[index] === 'gone');
  const pairs = pairRecreated(
    made.flatMap((index) => desired[index]?.content ?? []),
    leaving.flatMap((index) => live[index]?.content ?? []),
  );
  return new Map(
    [...pairs].flatMap(([one, other]) => {
      const [wanted, twin] = [made[one], leaving[other]];
      return wanted === undefined || twin === undefined ? [] : [[wanted, twin] as const];
    }),
  );
}

/** Returns the live rules that remain or are recreated, in the final order. */
function keptRulesOf(
  { desired, live, matchOf }: PairedRules,
  order: readonly Arranged[],
  twins: TwinIndices,
): readonly (KeptRule & Fronted)[] {
  const keptRules: (KeptRule & Fronted)[] = [];
  for (const entry of order) {
    const at = entry.kind === 'live' ? entry.live : twins.get(entry.wanted);
    const rule = at === undefined ? undefined : live[at];
    if (at !== undefined && rule !== undefined) {
      const match = matchOf[at];
      const named = entry.kind === 'new' ? desired[entry.wanted] : match?.rule;
      const content = match === undefined ? rule.content : finalContent(match);
      keptRules.push({
        ref: named?.ref ?? rule.ref,
        live: at,
        content,
        before: rule.content,
        cause: named?.cause,
      });
    }
  }
  return keptRules;
}

function placeAt(
  index: number,
  content: RuleContent,
  { rules, arrangement, beside }: PairedComparison,
): RulePosition {
  return beside(placeAfter(ruleAt(arrangement.order[index - 1], rules), index), content);
}

function placeBefore(index: number, rules: PairedRules): RulePosition {
  return placeAfter(formerRule(index - 1, rules), index);
}

/** Returns the final name of a rule in the final order. */
function ruleAt(
  entry: Arranged | undefined,
  { desired, live, matchOf }: PairedRules,
): RuleBefore | undefined {
  const rule: NamedRule | LiveRule | undefined =
    entry?.kind === 'new' ? desired[entry.wanted] : entry && (matchOf[entry.live]?.rule ?? live[entry.live]);
  return rule && { ref: rule.ref, description: rule.content.description };
}

/** Returns the name of a live rule, with its final description: a text that a sensitive value replaces is secret. */
function formerRule(index: number, { live, matchOf }: PairedRules): RuleBefore | undefined {
  const rule = live[index];
  return rule && { ref: rule.ref, description: (matchOf[index]?.rule ?? rule).content.description };
}

/** Adds to the place of a written or moved rule the digest of what stands beside it. */
type NeighbourDigest = (place: RulePosition, content: RuleContent) => RulePosition;

/**
 * Returns a function that digests which rules of others decide beside one of ours: before it, or after it what it would decide itself. They
 * give a place its meaning, so a reviewed plan is bound to what these rules do, and to no other rule of others. `order` is the final list, with
 * the rules of others at their indices.
 */
function createBeside(order: readonly (LiveRule | undefined)[], phase: string): NeighbourDigest {
  const others: { readonly rule: LiveRule; readonly at: number }[] = [];
  order.forEach((rule, at) => {
    if (rule?.content.enabled === true) {
      others.push({ rule, at });
    }
  });
  const proofs = createProofs();
  // Without proof that no request meets both, the rule counts.
  const areMet = (one: RuleContent, other: RuleContent): boolean =>
    !proofs.areApart(conditionOf(one.expression), conditionOf(other.expression));
  return (place, content) => {
    const found = others.flatMap(({ rule, at }): readonly JsonValue[] => {
      const isBefore = at < place.index - 1;
      const [first, second] = isBefore ? [rule.content, content] : [content, rule.content];
      return content.enabled && decidesFor(first, second) && areMet(content, rule.content)
        ? [{ isBefore, ...deedOf(rule.content, phase) }]
        : [];
    });
    return found.length === 0 ? place : { ...place, beside: hash('sha256', canonicalJson(found)) };
  };
}

/** Returns what a rule decides and for which requests, secrets redacted as in the plan. */
function deedOf(content: RuleContent, phase: string): JsonObject {
  const { description: _description, logging: _logging, ...deed } = canonicalContent(content);
  return shownWire(deed, phase);
}

/** Whether, to a request that meets both rules, their order makes a difference. */
function decidesFor(first: RuleContent, second: RuleContent): boolean {
  if (strengthOf(first.action) === 0 || strengthOf(second.action) === 0) {
    // A rule that only logs decides nothing.
    return false;
  }
  if (!isKnownAction(first.action) || !isKnownAction(second.action)) {
    return true;
  }
  if (first.action !== second.action) {
    return takesAway(first);
  }
  if (lastDecides(first.action)) {
    const parts = decidedParts(first);
    return [...decidedParts(second)].some((part) => parts.has(part));
  }
  return takesAway(first) && !doAlike(first, second);
}

/** Whether two rules with one action do the same to a request that meets both. */
function doAlike(one: RuleContent, other: RuleContent): boolean {
  const parts = ({ action_parameters, ratelimit, extra }: RuleContent): JsonValue => [
    action_parameters ?? {},
    ratelimit ?? {},
    extra ?? {},
  ];
  return jsonEqual(parts(one), parts(other));
}

/** Whether rules after this one may not see a request that it meets. */
function takesAway(content: RuleContent): boolean {
  return directsRules(content.action) || endsEvaluation(content);
}
