import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange, ToEveryRequest } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { LiveScope } from '../../model/state.ts';
import { endedAlone, endedNames } from './ended-alone.ts';
import { endedTogether } from './ended-together.ts';
import { hitsOf, isEnding } from './every-request.ts';
import { letsPast } from './lets-past.ts';
import { openedAlone } from './opened.ts';
import { openedTogether } from './opened-together.ts';
import { directsRequests } from './role.ts';
import type { Stand } from './stand.ts';
import { conditionsIn, phaseIn, phasesOf } from './phase-rules.ts';
import type { About, PhaseRules } from './phase-rules.ts';
import type { TimeSpan } from './time-spans.ts';
import { conditionIn, timeSpans, whenText } from './time-spans.ts';

/**
 * Adds to the changes of steps what each newly does to every request (end it, or let it past protection), and what undoing it would. Judged
 * with all that was read of a phase, and so under the conditions under which its rules run.
 */
export function withEndings(steps: readonly Step[], live: LiveScope): readonly Step[] {
  const { scope } = live;
  const deciding = steps.filter(({ changes, target: { phase } }) =>
    changes.some((change) => mayDecide(change, { scope, phase })),
  );
  if (deciding.length === 0) {
    return steps;
  }
  const phases = phasesOf(steps, live, new Set(deciding.map(({ target }) => target.phase)));
  const found = (judge: Judge): BothWays => {
    const going = (way: About['way']): ReadonlyMap<RuleChange, string> =>
      new Map(
        phases.flatMap((phase) => [
          ...inEachSpan(phase, (then) => judge(then, { stand: { scope, phase: phase.phase }, way })),
        ]),
      );
    return {
      forth: going({ from: 'before', to: 'after' }),
      back: going({ from: 'after', to: 'before' }),
    };
  };
  const [ending, opening] = [found(endingsOf), found(openingsOf)];
  const marked = (change: RuleChange): RuleChange => {
    const [ends, opens] = [clausesOf(change, ending), clausesOf(change, opening)];
    return ends === undefined && opens === undefined
      ? change
      : { ...change, ...(ends === undefined ? {} : { ends }), ...(opens === undefined ? {} : { opens }) };
  };
  return [ending, opening].every(({ forth, back }) => forth.size + back.size === 0)
    ? steps
    : steps.map((step) => ({ ...step, changes: step.changes.map(marked) }));
}

/** Finds what the changes of a phase do to every request in one direction. */
type Judge = (phase: PhaseRules, about: About) => ReadonlyMap<RuleChange, string>;

type BothWays = Readonly<Record<'forth' | 'back', ReadonlyMap<RuleChange, string>>>;

/** Judges a phase in each span of time that its conditions tell apart; a clause that does not always hold says when it does. */
function inEachSpan(
  phase: PhaseRules,
  judge: (then: PhaseRules) => ReadonlyMap<RuleChange, string>,
): ReadonlyMap<RuleChange, string> {
  const spans = timeSpans(conditionsIn(phase));
  if (spans.length === 1) {
    return judge(phase);
  }
  const found = new Map<RuleChange, Map<string, TimeSpan[]>>();
  for (const span of spans) {
    for (const [change, clause] of judge(phaseIn(span, phase))) {
      const clauses = found.get(change) ?? new Map<string, TimeSpan[]>();
      found.set(change, clauses.set(clause, [...(clauses.get(clause) ?? []), span]));
    }
  }
  return new Map(
    [...found].map(([change, clauses]) => [
      change,
      [...clauses].map(([clause, when]) => `${clause}${whenText(when, spans)}`).join('; '),
    ]),
  );
}

function clausesOf(change: RuleChange, { forth, back }: BothWays): ToEveryRequest | undefined {
  const [comes, came] = [forth.get(change), back.get(change)];
  return comes === undefined && came === undefined
    ? undefined
    : {
        ...(comes === undefined ? {} : { forth: comes }),
        ...(came === undefined ? {} : { back: came }),
      };
}

/** A cheap first test: whether the change can end or skip requests beyond the rule's own condition. Nearly all changes fail it. */
function mayDecide(change: RuleChange, stand: Stand): boolean {
  const decides = (content: RuleContent): boolean =>
    content.enabled &&
    (directsRequests(content.action) ||
      letsPast(content, stand).size > 0 ||
      (isEnding(content) &&
        timeSpans([content.expression]).some(
          (span) => hitsOf([conditionIn(span, content.expression)], stand).most !== 0,
        )));
  switch (change.kind) {
    case 'add':
      return decides(change.content);
    case 'patch':
      return decides(change.content) || decides(change.before);
    case 'delete':
      return decides(change.before);
    case 'move':
      return true;
    default:
      return assertNever(change);
  }
}

/** What a rule does by itself takes precedence over what it does together with others, and over what it does to one host name only. */
function endingsOf(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const alone = endedAlone(phase, about);
  return new Map([...endedNames(phase, about), ...(alone.size > 0 ? alone : endedTogether(phase, about))]);
}

/** What a rule lets past by itself takes precedence over what it lets past together with others. */
function openingsOf(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return new Map([...openedTogether(phase, about), ...openedAlone(phase, about)]);
}
