import { assertNever } from '../../model/assert-never.ts';
import { isWritten } from '../../model/change.ts';
import type { Move, Place, RuleChange } from '../../model/change.ts';
import type { Concealed } from '../../model/conceal.ts';
import { conceal, concealInContent, concealInFields, concealedBetween } from '../../model/conceal.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';

/**
 * A plan in which nothing is shown of live that looks like a secret, though nobody declared it one: a plan is posted, and the value may be
 * of the dashboard alone. What its files say in clear stays where it is written: that has to be carried out, and is in Git anyway. Comes
 * after everything was compared and judged.
 */
export function hideSecrets(plan: PlannedScope): PlannedScope {
  const all = new Map<string, string>();
  const tell: Tell = (concealed) => concealed.forEach((mark, text) => all.set(text, mark));
  const steps = plan.steps.map((step) => hideInStep(step, tell));
  return all.size === 0
    ? plan
    : {
        ...plan,
        steps,
        notes: plan.notes.map((note) => ({
          ...note,
          message: conceal(note.message, all),
          ...(note.description === undefined ? {} : { description: conceal(note.description, all) }),
        })),
      };
}

type Tell = (concealed: Concealed) => void;

function hideInStep(step: Step, tell: Tell): Step {
  const written = step.changes.filter(isWritten).map(({ content }) => JSON.stringify(contentToWire(content)));
  const isSaid = (text: string): boolean => {
    const spelt = JSON.stringify(text).slice(1, -1);
    return written.some((said) => said.includes(spelt));
  };
  const changes = step.changes.map((change) => {
    const concealed = concealedIn(change, step.target.phase);
    tell(concealed);
    return hideInPlaces(concealed.size === 0 ? change : hideInChange(change, concealed, isSaid), tell);
  });
  return { ...withoutSecrets(step, tell), changes };
}

function concealedIn(change: RuleChange, phase: string): Concealed {
  switch (change.kind) {
    case 'patch':
      return concealedBetween(phase, contentToWire(change.before), contentToWire(change.content));
    case 'delete':
      return concealedBetween(phase, contentToWire(change.before));
    case 'move':
      return concealedBetween(phase, { description: change.description });
    case 'add':
      return new Map();
    default:
      return assertNever(change);
  }
}

/** A change without secrets in what it says of live. Those that files say too are not told from live: the rule would seem to lose them. */
function hideInChange(
  change: RuleChange,
  concealed: Concealed,
  isSaid: (text: string) => boolean,
): RuleChange {
  const { kind, reason } = { reason: '', ...change.protection };
  const protection = kind === 'neutral' ? { kind } : { kind, reason: conceal(reason, concealed) };
  const onlyLive = new Map([...concealed].filter(([text]) => !isSaid(text)));
  switch (change.kind) {
    case 'patch':
      return {
        ...change,
        protection,
        before: concealInContent(change.before, onlyLive),
        fields: concealInFields(change.fields, concealed),
      };
    case 'delete':
      return { ...change, protection, before: concealInContent(change.before, onlyLive) };
    case 'move':
      return { ...change, description: conceal(change.description, onlyLive) };
    case 'add':
      return change;
    default:
      return assertNever(change);
  }
}

/** The rule that another one comes after may be called by what its description says. */
function hideInPlaces(change: RuleChange, tell: Tell): RuleChange {
  const hidden = (place: Place): Place => {
    const { description } = place;
    if (description === undefined) {
      return place;
    }
    const concealed = concealedBetween('', { description });
    tell(concealed);
    return concealed.size === 0 ? place : { ...place, description: conceal(description, concealed) };
  };
  const moved = (move: Move): Move => ({ ...move, from: hidden(move.from), to: hidden(move.to) });
  if (change.kind === 'move') {
    return { ...change, move: moved(change.move) };
  }
  const placed = { ...change, place: hidden(change.place) };
  return placed.kind === 'patch' && placed.move !== undefined
    ? { ...placed, move: moved(placed.move) }
    : placed;
}

/** A step without secrets in the description of its ruleset. */
function withoutSecrets(step: Step, tell: Tell): Step {
  if (step.operation === 'create' || step.description === undefined) {
    return step;
  }
  const { before, after } =
    typeof step.description === 'string' ? { before: step.description, after: '' } : step.description;
  const concealed = concealedBetween(step.target.phase, { description: before });
  tell(concealed);
  const shown = conceal(before, concealed);
  return step.operation === 'update'
    ? { ...step, description: { before: shown, after } }
    : { ...step, description: shown };
}
