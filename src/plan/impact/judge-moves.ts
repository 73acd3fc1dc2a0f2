import { lastDecides } from '../../model/index.ts';
import { canonicalJson } from '../../data/index.ts';
import type { RuleContent, LiveRule } from '../../model/index.ts';
import { effectDirectionOf } from './rule-effects.ts';
import { executedRuleset } from './executed-rules.ts';
import type { KnownCondition, Proofs } from './conditions.ts';
import { conditionOf, areApart } from './conditions.ts';
import type { EffectContext, SecurityImpact } from './security-effect.ts';
import { SAME } from './security-effect.ts';
import { judgePair } from './judge-order.ts';

/** A rule of the final list that is live already. */
export interface KeptRule {
  readonly ref: string;
  /** Its index among the live rules. */
  readonly live: number;
  readonly content: RuleContent;
  /** The live content. */
  readonly before: RuleContent;
}

/** Judges what a rule's new place does to protection, given its index in the final list without new rules. */
export interface Moves {
  readonly forth: (at: number) => SecurityImpact;
  /** Judges moving the rule back, among rules with their live contents. */
  readonly back: (at: number) => SecurityImpact;
}

/**
 * Judges moved rules by the rules that they passed. Rules that are not enabled, or that no request meets both of, do not affect each other. A
 * weakening outweighs everything else, and the reason names the first rule that causes one. Rules with the same direction and action affect others
 * alike; where the last rule decides, so do those that decide the same. So a moved rule is compared only with groups that can matter to it, and
 * beyond the first rule that does only to count the others, as long as that is cheap: reversing a list of a thousand blocks takes a thousand
 * comparisons instead of half a million.
 */
export function createMoves(keptRules: readonly KeptRule[], context: EffectContext, proofs: Proofs): Moves {
  const sides = {
    forth: sideOf(context, () => keptRules.map(({ content }) => content)),
    back: sideOf(context, () => keptRules.map(({ before }) => before)),
  };
  return {
    forth: (at) => judge(at, { keptRules, proofs, side: sides.forth(), isBack: false }),
    back: (at) => judge(at, { keptRules, proofs, side: sides.back(), isBack: true }),
  };
}

/** Enabled rules that affect others alike. */
interface EffectGroup {
  readonly number: number;
  readonly example: RuleContent;
  /** Indices in the final list, ascending. */
  readonly places: number[];
}

/** The rules' contents in one direction: final ones for moving forth, live ones for moving back. */
interface MoveDirection {
  readonly context: EffectContext;
  readonly contents: readonly RuleContent[];
  readonly groups: readonly EffectGroup[];
  /** The group of each enabled rule, by index. */
  readonly groupOf: ReadonlyMap<number, EffectGroup>;
  /** Judges that rules of one group come before rules of another. */
  readonly kindOf: (first: EffectGroup, second: EffectGroup) => SecurityImpact['kind'];
  readonly condition: (at: number) => KnownCondition;
  /** How many more rules may be examined only to count them. */
  looks: number;
}

/**
 * The most rules examined only to count them. Enough to count all rules that a skip passes; when thousands of rules pass thousands, reasons
 * name only the first.
 */
const MOST_COUNTED = 20_000;

/** Defers making a side until it is needed, since most plans move nothing. */
function sideOf(context: EffectContext, contents: () => readonly RuleContent[]): () => MoveDirection {
  let made: MoveDirection | undefined;
  return () => {
    made ??= makeSide(contents(), context);
    return made;
  };
}

function makeSide(contents: readonly RuleContent[], context: EffectContext): MoveDirection {
  const groups = new Map<string, EffectGroup>();
  const groupOf = new Map<number, EffectGroup>();
  contents.forEach((content, at) => {
    if (content.enabled) {
      const key = keyOf(content, context);
      const group = groups.get(key) ?? { number: groups.size, example: content, places: [] };
      groups.set(key, group);
      groupOf.set(at, group);
      group.places.push(at);
    }
  });
  const kinds: SecurityImpact['kind'][] = [];
  const kindOf: MoveDirection['kindOf'] = (first, second) =>
    (kinds[first.number * groups.size + second.number] ??= judgePair({
      first: first.example,
      second: second.example,
      other: { ref: '', content: second.example },
      context,
    }).kind);
  const known: (KnownCondition | undefined)[] = [];
  const condition = (at: number): KnownCondition =>
    (known[at] ??= conditionOf(contents[at]?.expression ?? ''));
  return { context, contents, groups: [...groups.values()], groupOf, kindOf, condition, looks: MOST_COUNTED };
}

/** Returns the key of a rule's group. */
function keyOf(content: RuleContent, context: EffectContext): string {
  const { action, action_parameters: parameters } = content;
  const decides = lastDecides(action) || executedRuleset(content, context) !== undefined;
  return `${effectDirectionOf(content, context)} ${action} ${decides ? canonicalJson(parameters) : ''}`;
}

interface MoveJudging {
  readonly keptRules: readonly KeptRule[];
  readonly proofs: Proofs;
  readonly side: MoveDirection;
  readonly isBack: boolean;
}

function judge(at: number, task: MoveJudging): SecurityImpact {
  const [own, group] = [task.side.contents[at], task.side.groupOf.get(at)];
  return own === undefined || group === undefined
    ? SAME
    : (firstThat('weaker', { own, group, at, ...task }) ??
        firstThat('stronger', { own, group, at, ...task }) ??
        SAME);
}

interface OneTask extends MoveJudging {
  readonly own: RuleContent;
  readonly group: EffectGroup;
  readonly at: number;
}

/** Returns the verdict of the first rule in the list that gives one of this kind. */
function firstThat(kind: 'weaker' | 'stronger', task: OneTask): SecurityImpact | undefined {
  const { keptRules, proofs, own, group, at, side } = task;
  let first: number | undefined;
  for (const other of side.groups) {
    if (first !== undefined && (other.places[0] ?? 0) >= first) {
      break;
    }
    const leads = side.kindOf(other, group) === kind;
    const follows = side.kindOf(group, other) === kind;
    for (const place of leads || follows ? other.places : []) {
      if (first !== undefined && place >= first) {
        break;
      }
      const isFirst = comesFirst(task, place);
      const matters = isFirst === undefined ? false : isFirst ? leads : follows;
      if (matters && !proofs.areApart(side.condition(at), side.condition(place))) {
        first = place;
      }
    }
  }
  const [other, content] = first === undefined ? [] : [keptRules[first], side.contents[first]];
  if (first === undefined || other === undefined || content === undefined) {
    return undefined;
  }
  const [leading, following] = comesFirst(task, first) === true ? [content, own] : [own, content];
  return judgePair({
    first: leading,
    second: following,
    other: { ref: other.ref, content, more: countLike(first, task) },
    context: side.context,
  });
}

/** Counts the rules after the first relevant one that were passed in the same direction and have the same effect; 0 once too many were examined. */
function countLike(first: number, task: OneTask): number {
  const { side, at, proofs } = task;
  const way = comesFirst(task, first);
  let count = 0;
  for (const place of side.groupOf.get(first)?.places ?? []) {
    if (place > first && comesFirst(task, place) === way) {
      if (side.looks === 0) {
        return 0;
      }
      side.looks -= 1;
      count += proofs.areApart(side.condition(at), side.condition(place)) ? 0 : 1;
    }
  }
  return count;
}

/** Whether a rule that the moved one passed now comes first; undefined when it was not passed. */
function comesFirst({ keptRules, at, isBack }: OneTask, place: number): boolean | undefined {
  const isBefore = place < at;
  const wasBefore = (keptRules[place]?.live ?? 0) < (keptRules[at]?.live ?? 0);
  return place === at || isBefore === wasBefore ? undefined : isBack ? wasBefore : isBefore;
}

/** The most pairs of rules examined to find the moves that disturb least; the choice must not cost more than the plan. */
const MOST_PAIRS = 100_000;

/** A range of indices among the live rules, both ends excluded. */
export interface Range {
  readonly after: number;
  readonly before: number;
}

/** The live rules of a ruleset in which others have rules too. */
export interface Mixed {
  readonly live: readonly LiveRule[];
  readonly context: EffectContext;
  /** Indices of rules of others, ascending. */
  readonly others: readonly number[];
  /** Returns the final content of our rule at an index. */
  readonly finally: (at: number) => RuleContent | undefined;
}

/**
 * Returns a function that gives the range in which a live rule of ours can move without a weakening because of a rule of others that it passes.
 * Undefined when there are no rules of others, or too many to examine.
 */
export function createSafeRanges({
  live,
  context,
  others,
  finally: contentOf,
}: Mixed): ((at: number) => Range) | undefined {
  if (others.length === 0 || others.length * live.length > MOST_PAIRS) {
    return undefined;
  }
  const known = new Map<number, Range>();
  return (at) => {
    const own = contentOf(at);
    const range = known.get(at) ?? (own === undefined ? ALL : rangeOf(own, at, { live, context, others }));
    known.set(at, range);
    return range;
  };
}

const ALL: Range = { after: -1, before: Infinity };

function rangeOf(
  own: RuleContent,
  at: number,
  { live, context, others }: Pick<Mixed, 'live' | 'context' | 'others'>,
): Range {
  const weakens = (place: number): boolean => {
    const other = live[place];
    if (other === undefined || !own.enabled || !other.content.enabled) {
      return false;
    }
    const { content } = other;
    const [first, second] = place < at ? [own, content] : [content, own];
    return (
      judgePair({ first, second, other, context }).kind === 'weaker' &&
      !areApart(conditionOf(own.expression), conditionOf(content.expression))
    );
  };
  return {
    after: others.findLast((place) => place < at && weakens(place)) ?? ALL.after,
    before: others.find((place) => place > at && weakens(place)) ?? ALL.before,
  };
}
