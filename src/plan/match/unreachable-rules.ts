import {
  actsOnEveryMatch,
  skipsRest,
  describedName,
  ruleName,
  actionKind,
  isTerminating,
} from '../../model/index.ts';
import type { LiveRule, RuleContent, Cause } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { areApart, arePlainlyApart, conditionOf, createProofs, isWithin } from '../impact/conditions.ts';
import type { KnownCondition } from '../impact/conditions.ts';
import type { NamedRule } from './name-rules.ts';
import type { RuleNote } from './pair-rules.ts';

/** The most rules that a note names. */
const MOST_NAMED = 3;

/** The most pairs of conditions that `frontNotes` compares by proof; notes must not cost more than the plan. */
const MOST_PROOFS = 2000;

/** Notes a new rule, given the rules of others before it that end evaluation. */
type ShadowNote = (rule: NamedRule, ending: readonly LiveRule[]) => readonly RuleNote[];

/**
 * Returns the function that notes new rules of a ruleset which land after rules of others that end evaluation for requests that the new rule
 * could match (api.md 4.3): it may never see them. Without proof of the contrary, some request counts as matching both.
 */
export function shadowNotes(): ShadowNote {
  const proofs = createProofs();
  return (rule, before) => {
    const own = conditionOf(rule.content.expression);
    const ending = before.filter(({ content }) => !proofs.areApart(own, conditionOf(content.expression)));
    if (ending.length === 0) {
      return [];
    }
    const covering = ending.find(
      ({ content }) => isForGood(content) && proofs.isWithin(own.text, content.expression),
    );
    const message =
      covering === undefined
        ? `comes after rules of others that end evaluation: ${namesOf(ending)}`
        : neverRuns(covering);
    return [
      { kind: 'shadowed', ...ruleName(rule.ref, rule.content.description), message, cause: rule.cause },
    ];
  };
}

/** A rule of the final list that is live already. */
export interface Fronted {
  readonly ref: string;
  readonly content: RuleContent;
  /** Where the files declare the rule; absent for a rule of others. */
  readonly cause?: Cause | undefined;
}

/** A rule of others that ends evaluation, and our rules after it that are never reached. */
interface Front {
  readonly other: Fronted;
  readonly condition: KnownCondition;
  readonly covered: Fronted[];
}

/**
 * Notes rules of others that end evaluation for everything that live rules of ours after them match: these are never reached, whichever rule
 * came first. A rule that takes only part of their requests is not noted, since that is no surprise in a shared phase. Pairs beyond
 * `MOST_PROOFS` are not noted. `order` is the final list without new rules, which `shadowNotes` covers.
 */
export function frontNotes(order: readonly Fronted[]): readonly RuleNote[] {
  const fronts: Front[] = [];
  let proofs = 0;
  for (const rule of order) {
    const { content, cause } = rule;
    if (cause === undefined) {
      if (endsEvaluation(content) && isForGood(content)) {
        fronts.push({ other: rule, condition: conditionOf(content.expression), covered: [] });
      }
    } else if (content.enabled && fronts.length > 0 && proofs < MOST_PROOFS) {
      const own = conditionOf(content.expression);
      const front = fronts.find(({ condition }) => {
        if (arePlainlyApart(own, condition) || proofs === MOST_PROOFS) {
          return false;
        }
        proofs += 1;
        return isWithin(own.text, condition.text) && !areApart(own, condition);
      });
      front?.covered.push(rule);
    }
  }
  return fronts.flatMap(({ other, covered: [first, ...rest] }) => {
    if (first?.cause === undefined) {
      return [];
    }
    const more = rest.length === 0 ? '' : `; nor ${rest.length === 1 ? 'does' : 'do'} ${namesOf(rest)}`;
    return [
      {
        kind: 'shadowed',
        ...ruleName(first.ref, first.content.description),
        message: `${neverRuns(other)}${more}`,
        cause: first.cause,
      },
    ];
  });
}

type Other = Pick<Fronted, 'ref' | 'content'>;

function neverRuns(other: Other): string {
  return `never runs: ${nameOf(other)} (not your rule) ends evaluation for every request that this rule matches`;
}

function namesOf(rules: readonly Other[]): string {
  return someNames(rules.map(nameOf), MOST_NAMED);
}

function nameOf({ ref, content: { description } }: Other): string {
  return describedName(ref, description);
}

/** Whether no later rule of the entry point sees a request that this rule matches. */
export function endsEvaluation(content: RuleContent): boolean {
  const { enabled, action } = content;
  return enabled && (isTerminating(action) || skipsRest(content));
}

/** Whether evaluation ends for all requests that a rule matches: a challenge lets those pass who have solved one (api.md 4.3). */
function isForGood(content: RuleContent): boolean {
  return actsOnEveryMatch(content) && actionKind(content.action) !== 'challenge';
}
