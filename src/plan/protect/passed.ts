import { lastDecides } from '../../model/decided-parts.ts';
import { canonicalJson } from '../../model/json.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { KnownCondition, Proofs } from './conditions.ts';
import { conditionOf } from './conditions.ts';
import type { Stand } from './stand.ts';
import { executedRuleset } from './executed.ts';
import { judgePair } from './pair.ts';
import { roleOf } from './traits.ts';
import type { Verdict } from './verdict.ts';
import { SAME } from './verdict.ts';

/** A rule of the final list that lives already. */
export interface Standing {
  readonly ref: string;
  /** Its place among the live rules before. */
  readonly live: number;
  readonly content: RuleContent;
  /** What it says before. */
  readonly before: RuleContent;
}

/** What a rule's new place does to protection, by its place in the final list without new rules. */
export interface Moves {
  readonly forth: (at: number) => Verdict;
  /** The same of the way back, among rules that say again what they said before. */
  readonly back: (at: number) => Verdict;
}

/**
 * Judges moved rules by the rules that stand on the other side of them than before. Rules that are not enabled, or that no request
 * meets both of, do not matter to each other. A weakening outweighs all else, and the first rule that makes for one is named.
 *
 * Rules of one role and action do the same to each other, and where the last one decides those that decide the same. So a moved rule
 * looks only among those that can matter to it, and further than to the first that does only to count them, as long as that is cheap: a
 * list of a thousand blocks that is turned round takes a thousand looks and not half a million.
 */
export function createMoves(standings: readonly Standing[], stand: Stand, proofs: Proofs): Moves {
  const sides = {
    forth: sideOf(stand, () => standings.map(({ content }) => content)),
    back: sideOf(stand, () => standings.map(({ before }) => before)),
  };
  return {
    forth: (at) => judge(at, { standings, proofs, side: sides.forth(), isBack: false }),
    back: (at) => judge(at, { standings, proofs, side: sides.back(), isBack: true }),
  };
}

/** Enabled rules that do the same to others. */
interface Group {
  readonly number: number;
  readonly example: RuleContent;
  /** In the final list, ascending. */
  readonly places: number[];
}

/** What the rules say on one of the ways. */
interface Side {
  readonly stand: Stand;
  readonly contents: readonly RuleContent[];
  readonly groups: readonly Group[];
  /** Of each enabled rule. */
  readonly groupOf: ReadonlyMap<number, Group>;
  /** What it does that rules of one group come before those of another. */
  readonly kindOf: (first: Group, second: Group) => Verdict['kind'];
  readonly condition: (at: number) => KnownCondition;
  /** How many more rules may be looked at only to count them. */
  looks: number;
}

/** A skip that passes a list is counted out; where thousands of rules pass thousands, the first of them has to do. */
const MOST_COUNTED = 20_000;

/** Made when somebody asks: most plans move nothing. */
function sideOf(stand: Stand, contents: () => readonly RuleContent[]): () => Side {
  let made: Side | undefined;
  return () => {
    made ??= makeSide(contents(), stand);
    return made;
  };
}

function makeSide(contents: readonly RuleContent[], stand: Stand): Side {
  const groups = new Map<string, Group>();
  const groupOf = new Map<number, Group>();
  contents.forEach((content, at) => {
    if (content.enabled) {
      const key = keyOf(content, stand);
      const group = groups.get(key) ?? { number: groups.size, example: content, places: [] };
      groups.set(key, group);
      groupOf.set(at, group);
      group.places.push(at);
    }
  });
  const kinds: Verdict['kind'][] = [];
  const kindOf: Side['kindOf'] = (first, second) =>
    (kinds[first.number * groups.size + second.number] ??= judgePair({
      first: first.example,
      second: second.example,
      other: { ref: '', content: second.example },
      stand,
    }).kind);
  const known: (KnownCondition | undefined)[] = [];
  const condition = (at: number): KnownCondition =>
    (known[at] ??= conditionOf(contents[at]?.expression ?? ''));
  return { stand, contents, groups: [...groups.values()], groupOf, kindOf, condition, looks: MOST_COUNTED };
}

/** The same for rules of which each does the same to every other one. */
function keyOf(content: RuleContent, stand: Stand): string {
  const { action, action_parameters: parameters } = content;
  const decides = lastDecides(action) || executedRuleset(content, stand) !== undefined;
  return `${roleOf(content, stand)} ${action} ${decides ? canonicalJson(parameters) : ''}`;
}

interface Task {
  readonly standings: readonly Standing[];
  readonly proofs: Proofs;
  readonly side: Side;
  readonly isBack: boolean;
}

function judge(at: number, task: Task): Verdict {
  const [own, group] = [task.side.contents[at], task.side.groupOf.get(at)];
  return own === undefined || group === undefined
    ? SAME
    : (firstThat('weaker', { own, group, at, ...task }) ??
        firstThat('stronger', { own, group, at, ...task }) ??
        SAME);
}

interface OneTask extends Task {
  readonly own: RuleContent;
  readonly group: Group;
  readonly at: number;
}

/** The verdict of the first rule in the list that makes for one of this kind. */
function firstThat(kind: 'weaker' | 'stronger', task: OneTask): Verdict | undefined {
  const { standings, proofs, own, group, at, side } = task;
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
  const [other, content] = first === undefined ? [] : [standings[first], side.contents[first]];
  if (first === undefined || other === undefined || content === undefined) {
    return undefined;
  }
  const [leading, following] = comesFirst(task, first) === true ? [content, own] : [own, content];
  return judgePair({
    first: leading,
    second: following,
    other: { ref: other.ref, content, more: countLike(first, task) },
    stand: side.stand,
  });
}

/** How many rules behind the first one that matters were passed on the same way and do the same; 0 once too many were looked at. */
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

/** Whether a rule comes first that stands on the other side of the moved one than before; nothing where it does not. */
function comesFirst({ standings, at, isBack }: OneTask, place: number): boolean | undefined {
  const isBefore = place < at;
  const wasBefore = (standings[place]?.live ?? 0) < (standings[at]?.live ?? 0);
  return place === at || isBefore === wasBefore ? undefined : isBack ? wasBefore : isBefore;
}
