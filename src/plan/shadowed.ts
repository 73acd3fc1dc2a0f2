import { actsOnEveryMatch } from '../model/acts-on-match.ts';
import type { LiveRule, RuleContent } from '../model/rule.ts';
import type { Cause } from '../model/source.ts';
import type { RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { areApart, conditionOf, isWithin } from './protect/conditions.ts';
import { stopsRequests } from './protect/strength.ts';

/** Rules named in a note at most. */
const MOST_NAMED = 3;

/**
 * The note for a new rule that lands behind rules of others which end evaluation for requests that it
 * could match (api.md 4.3): it may never see them. Nothing when there is no such rule.
 */
export function shadowNote(rule: NamedRule, before: readonly LiveRule[]): readonly RuleNote[] {
  const own = conditionOf(rule.content.expression);
  const ending = before.filter(
    (other) => endsEvaluation(other.content) && !areApart(own, conditionOf(other.content.expression)),
  );
  const covering = ending.find(
    (other) => isForGood(other.content) && isWithin(rule.content.expression, other.content.expression),
  );
  if (ending.length === 0) {
    return [];
  }
  const message =
    covering === undefined
      ? `lands behind rules of others that end evaluation: ${namesOf(ending)}`
      : neverReached(covering.ref);
  return [{ kind: 'shadowed', rule: rule.ref, message, cause: rule.cause }];
}

/** A rule of the final list that lives already. */
export interface Fronted {
  readonly ref: string;
  readonly content: RuleContent;
  /** Where the files say it; absent for a rule of others. */
  readonly cause?: Cause;
}

/**
 * A note for each rule of others that ends evaluation for all that live rules of ours behind it match: those are
 * never reached, whichever of them came first. One that takes only a part of their requests is no surprise where a
 * phase is shared. `order` is the final list without new rules, for which `shadowNote` speaks.
 */
export function frontNotes(order: readonly Fronted[]): readonly RuleNote[] {
  const fronts: { readonly other: Fronted; readonly covered: Fronted[] }[] = [];
  for (const rule of order) {
    const { content, cause } = rule;
    if (cause === undefined) {
      if (endsEvaluation(content) && isForGood(content)) {
        fronts.push({ other: rule, covered: [] });
      }
    } else if (content.enabled) {
      fronts.find(({ other }) => covers(other.content.expression, content.expression))?.covered.push(rule);
    }
  }
  return fronts.flatMap(({ other, covered: [first, ...rest] }) => {
    if (first?.cause === undefined) {
      return [];
    }
    const more = rest.length === 0 ? '' : `; neither ${rest.length === 1 ? 'is' : 'are'} ${namesOf(rest)}`;
    return [
      { kind: 'shadowed', rule: first.ref, message: `${neverReached(other.ref)}${more}`, cause: first.cause },
    ];
  });
}

function neverReached(other: string): string {
  return `is never reached: ${other}, a rule of others, ends evaluation for all that it matches`;
}

/** What can be told apart by a look is told so; a proof costs more. */
function covers(other: string, own: string): boolean {
  return !areApart(conditionOf(own), conditionOf(other)) && isWithin(own, other);
}

function namesOf(rules: readonly { readonly ref: string }[]): string {
  const names = rules.slice(0, MOST_NAMED).map(({ ref }) => ref);
  const more = rules.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether no later rule of the entry point sees a request that this rule matches. */
function endsEvaluation({ enabled, action, action_parameters }: RuleContent): boolean {
  return (
    enabled &&
    (stopsRequests(action) ||
      action === 'redirect' ||
      action === 'serve_error' ||
      (action === 'skip' && action_parameters?.['ruleset'] === 'current'))
  );
}

/** Whether evaluation ends for all that a rule matches: a challenge lets those pass who have solved one (api.md 4.3). */
function isForGood(content: RuleContent): boolean {
  return actsOnEveryMatch(content) && !content.action.endsWith('challenge');
}
