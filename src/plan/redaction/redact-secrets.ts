import { assertNever } from '../../data/index.ts';
import {
  isWritten,
  redactText,
  redactContent,
  redactFields,
  redactionsBetween,
  shownText,
  contentToWire,
} from '../../model/index.ts';
import type { RuleChange, Redactions, PlannedScope, Step } from '../../model/index.ts';
import type { LiveTexts } from './map-plan.ts';
import { mapPlan } from './map-plan.ts';

/**
 * Hides in a plan all live texts that look like secrets though nobody declared them sensitive: plans get posted, and such a value may exist
 * only in the dashboard. What the files say in clear stays where it is written: it has to be applied, and is in Git anyway. Runs after
 * everything has been compared and judged.
 */
export function hideSecrets(plan: PlannedScope): PlannedScope {
  const secrets = new Map(
    plan.steps.flatMap(({ changes, target: { phase } }) =>
      changes.flatMap((change) => {
        const redactions = redactionsIn(change, phase);
        return redactions.size === 0 ? [] : [[change, redactions] as const];
      }),
    ),
  );
  const all = new Map(
    [...secrets.values()].flatMap((redactions) => [...redactions]).sort(([a], [b]) => b.length - a.length),
  );
  // A text derived from one rule may quote another, and a description may have a secret that no rule has.
  const prose = (text: string): string => shownText(redactText(text, all));
  return mapPlan(plan, (step) => textsOf(step, secrets, prose), prose);
}

type Secrets = ReadonlyMap<RuleChange, Redactions>;

const NONE: Redactions = new Map();

function redactionsIn(change: RuleChange, phase: string): Redactions {
  switch (change.kind) {
    case 'patch':
      return redactionsBetween(phase, contentToWire(change.before), contentToWire(change.content));
    case 'delete':
      return redactionsBetween(phase, contentToWire(change.before));
    case 'move':
    case 'add':
      return NONE;
    default:
      return assertNever(change);
  }
}

function textsOf({ changes }: Step, secrets: Secrets, prose: LiveTexts['prose']): LiveTexts {
  // Skipped for most steps, since hardly any rule has a secret.
  const isSaid = changes.some((change) => secrets.has(change)) ? saidIn(changes) : () => false;
  return {
    prose,
    // A text that the files say too stays visible: hidden only in the live content, it would seem to be removed from the rule.
    content: (before, change) => {
      const redactions = [...(secrets.get(change) ?? NONE)];
      return redactContent(before, new Map(redactions.filter(([text]) => !isSaid(text))));
    },
    fields: (fields, change) => redactFields(fields, secrets.get(change) ?? NONE),
    described: ({ before, after }) => ({ before: shownText(before), after }),
  };
}

/** Returns a function that tells whether a written rule contains a text. */
function saidIn(changes: readonly RuleChange[]): (text: string) => boolean {
  const written = changes.filter(isWritten).map(({ content }) => JSON.stringify(contentToWire(content)));
  return (text) => {
    const spelt = JSON.stringify(text).slice(1, -1);
    return written.some((said) => said.includes(spelt));
  };
}
