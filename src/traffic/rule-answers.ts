import type { Values } from '../expression/index.ts';
import type { PreparedRule, PreparedRuleset, RulesetTrace, Trace } from '../simulate/index.ts';
import type { ReplaySide } from './replay-zone.ts';

/**
 * What is known of a rule and a request. `undecided`: it may match, for all that the record says; `ended-before` and `skipped-before`: the request
 * meets its condition, and an earlier rule certainly ends it or skips the rule. Of a rule that certainly does not match, nothing is said.
 */
export type RuleAnswer = 'matched' | 'undecided' | 'ended-before' | 'skipped-before';

/** Which answer counts for a rule that the request meets twice, as one of a ruleset that two rules execute. */
const WEIGHT: Readonly<Record<RuleAnswer, number>> = {
  matched: 2,
  undecided: 1,
  'ended-before': 0,
  'skipped-before': 0,
};

/** Gets the number of a rule among all that are replayed, and what is known of it. */
type Tell = (number: number, answer: RuleAnswer) => void;

/** How far a way is certain at some point. */
interface Certainty {
  readonly open: ReadonlySet<PreparedRule>;
  /** Whether a rule before this point may have ended the request or skipped others, for all that is known. */
  isOpen: boolean;
  /** Whether one of an earlier phase may have rewritten what later rules see. */
  isRewritten: boolean;
  /** Whether one of this phase may have. */
  rewrites: boolean;
}

/**
 * Returns what the way of a request on one side says of its rules, by their numbers among all that are replayed. A rule that matches behind one of
 * which that is not known counts as matched: it is met unless that one ends the request.
 */
export function ruleAnswers(trace: Trace, side: ReplaySide): ReadonlyMap<number, RuleAnswer> {
  const answers = new Map<number, RuleAnswer>();
  tellRules(trace, side, (number, answer) => {
    const known = answers.get(number);
    if (known === undefined || WEIGHT[known] < WEIGHT[answer]) {
      answers.set(number, answer);
    }
  });
  return answers;
}

function tellRules(trace: Trace, side: ReplaySide, tell: Tell): void {
  const { entries, open } = trace;
  const sure: Certainty | null =
    open.length === 0 ? null : { open: new Set(open), isOpen: false, isRewritten: false, rewrites: false };
  let phase = '';
  for (const entry of entries) {
    if (sure !== null && entry.ruleset.phase !== phase) {
      phase = entry.ruleset.phase;
      sure.isRewritten ||= sure.rewrites;
    }
    tellEntry(entry, { side, tell, sure });
  }
  // The request may get as far as its answer, where a rule that nobody knows may keep it from its end.
  if (trace.end !== undefined && sure !== null) {
    for (const ruleset of side.ofAnswers) {
      tellPassedOver(ruleset, { side, tell, sure, values: entries.at(-1)?.values, verdict: 'unreached' });
    }
  }
}

interface AnswerSide {
  readonly side: ReplaySide;
  readonly tell: Tell;
  readonly sure: Certainty | null;
}

function tellEntry(entry: RulesetTrace, telling: AnswerSide): void {
  const { ruleset, verdicts, values } = entry;
  const { side, tell, sure } = telling;
  const numbers = side.numbers.get(ruleset);
  for (let index = 0; index < verdicts.length; index += 1) {
    const said = verdicts[index];
    const rule = ruleset.rules[index];
    const number = numbers?.[index];
    if (said === undefined || rule === undefined || number === undefined) {
      continue;
    }
    switch (said.kind) {
      case 'missed':
        if (sure?.isRewritten === true) {
          tellOne(rule, number, { ...telling, answer: 'undecided', values: undefined });
        }
        break;
      case 'matched':
      case 'counted':
        tell(number, 'matched');
        if (said.inner !== undefined) {
          tellEntry(said.inner, telling);
        }
        break;
      case 'opaque':
      case 'undecided':
        tellOne(rule, number, {
          ...telling,
          answer: said.isMet === true ? 'matched' : 'undecided',
          values,
        });
        break;
      case 'skipped':
      case 'unreached':
        tellPassed(rule, number, { ...telling, values, verdict: said.kind });
        break;
      case 'disabled':
        break;
      default:
        said.kind satisfies never;
    }
    if (sure?.open.has(rule) === true) {
      sure.isOpen = true;
      sure.rewrites ||= side.mayRewrite.has(rule);
    }
  }
}

/** Tells of a rule, and for one that executes a ruleset in which the request was not followed, that its rules may match. */
function tellOne(
  rule: PreparedRule,
  number: number,
  {
    answer,
    values,
    ...telling
  }: AnswerSide & { readonly answer: RuleAnswer; readonly values: Values | undefined },
): void {
  telling.tell(number, answer);
  const inner = telling.side.executed.get(rule);
  if (inner === undefined) {
    return;
  }
  const numbers = telling.side.numbers.get(inner);
  for (const [index, one] of inner.rules.entries()) {
    if (one.rule.content.enabled && (values === undefined || mayMeet(one, values) !== false)) {
      telling.tell(numbers?.[index] ?? -1, 'undecided');
    }
  }
}

interface PassedOver extends AnswerSide {
  readonly values: Values | undefined;
  readonly verdict: 'skipped' | 'unreached';
}

function tellPassedOver(ruleset: PreparedRuleset, passed: PassedOver): void {
  const numbers = passed.side.numbers.get(ruleset);
  for (const [index, rule] of ruleset.rules.entries()) {
    if (rule.rule.content.enabled) {
      tellPassed(rule, numbers?.[index] ?? -1, passed);
    }
  }
}

/** Tells of a rule that was passed over whether the request meets its condition, and whether it is certain that it was. */
function tellPassed(rule: PreparedRule, number: number, passed: PassedOver): void {
  const { values, sure, tell, side, verdict } = passed;
  const meets = values === undefined || sure?.isRewritten === true ? undefined : mayMeet(rule, values);
  if (meets === false) {
    return;
  }
  if (sure?.isOpen === true) {
    tell(number, 'undecided');
  } else if (meets === true) {
    tell(number, verdict === 'skipped' ? 'skipped-before' : 'ended-before');
  }
  const inner = side.executed.get(rule);
  if (inner !== undefined) {
    tellPassedOver(inner, passed);
  }
}

function mayMeet({ undecidable, test }: PreparedRule, values: Values): boolean | undefined {
  return undecidable === undefined ? test(values) : undefined;
}
