import { assertNever } from '../../model/assert-never.ts';
import { isWritten } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Concealed } from '../../model/conceal.ts';
import {
  conceal,
  concealInContent,
  concealInFields,
  concealedBetween,
  shownText,
} from '../../model/conceal.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import type { LiveTexts } from './map-plan.ts';
import { mapPlan } from './map-plan.ts';

/**
 * A plan in which nothing is shown of live that looks like a secret, though nobody declared it one: a plan is posted, and the value may be
 * of the dashboard alone. What its files say in clear stays where it is written: that has to be carried out, and is in Git anyway. Comes
 * after everything was compared and judged.
 */
export function hideSecrets(plan: PlannedScope): PlannedScope {
  const secrets = new Map(
    plan.steps.flatMap(({ changes, target: { phase } }) =>
      changes.flatMap((change) => {
        const concealed = concealedIn(change, phase);
        return concealed.size === 0 ? [] : [[change, concealed] as const];
      }),
    ),
  );
  const all = new Map(
    [...secrets.values()].flatMap((concealed) => [...concealed]).sort(([a], [b]) => b.length - a.length),
  );
  // What is made of a rule may tell a text of another one, and a description may have a secret that no rule has.
  const prose = (text: string): string => shownText(conceal(text, all));
  return mapPlan(plan, (step) => textsOf(step, secrets, prose), prose);
}

type Secrets = ReadonlyMap<RuleChange, Concealed>;

const NONE: Concealed = new Map();

function concealedIn(change: RuleChange, phase: string): Concealed {
  switch (change.kind) {
    case 'patch':
      return concealedBetween(phase, contentToWire(change.before), contentToWire(change.content));
    case 'delete':
      return concealedBetween(phase, contentToWire(change.before));
    case 'move':
    case 'add':
      return NONE;
    default:
      return assertNever(change);
  }
}

function textsOf({ changes }: Step, secrets: Secrets, prose: LiveTexts['prose']): LiveTexts {
  // Nearly no rule has a secret.
  const isSaid = changes.some((change) => secrets.has(change)) ? saidIn(changes) : () => false;
  return {
    prose,
    // What files say too is not told from live: the rule would seem to lose it.
    content: (before, change) => {
      const concealed = [...(secrets.get(change) ?? NONE)];
      return concealInContent(before, new Map(concealed.filter(([text]) => !isSaid(text))));
    },
    fields: (fields, change) => concealInFields(fields, secrets.get(change) ?? NONE),
    described: ({ before, after }) => ({ before: shownText(before), after }),
  };
}

/** Whether a rule that is written says a text. */
function saidIn(changes: readonly RuleChange[]): (text: string) => boolean {
  const written = changes.filter(isWritten).map(({ content }) => JSON.stringify(contentToWire(content)));
  return (text) => {
    const spelt = JSON.stringify(text).slice(1, -1);
    return written.some((said) => said.includes(spelt));
  };
}
