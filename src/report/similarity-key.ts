import { createHash } from 'node:crypto';
import type { Place, RuleChange } from '../model/change.ts';
import { canonicalJson } from '../model/json.ts';
import type { PlannedScope, Step } from '../model/plan.ts';
import { othersOf, stayingOf } from '../model/rule-order.ts';
import { scopeLabel, zoneName } from '../model/scope.ts';
import { kindOf, nameOf } from './alike-scopes.ts';
import { shownNotes } from './notes.ts';
import { ownIds, withoutIds } from './own-ids.ts';
import type { Cause } from '../model/source.ts';
import { isVersion } from '../model/source.ts';

/**
 * What the plan of a scope says, but for what is of the scope itself: its name, ids of its rulesets and rules, versions
 * and times, where its own files say it, and which rules stay. Two scopes with the
 * same digest change alike. Everything else counts, also what guards found, the notes that are shown, and how many rules stay where. `also`
 * is what is told beside the plan and has to be equal too.
 */
export function planSimilarityKey(plan: PlannedScope, also: unknown = null): string {
  const { scope, steps, findings } = plan;
  const text = canonicalJson({
    kind: scope.kind,
    steps: steps.map(generalStep),
    findings,
    notes: shownNotes(plan).map((note) => ({ ...note, cause: generalCause(note.cause) })),
    also,
  });
  return digest(withoutName(withoutIds(text, ownIds(plan)), scopeLabel(scope)));
}

/** Any value that tells of a scope, but for its name; `label` is `zone:shop.example`. */
export function similarityKey(value: unknown, label: string): string {
  return digest(withoutName(canonicalJson([kindOf(label), value]), label));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function generalStep(step: Step): unknown {
  return {
    ...step,
    base: step.base.kind,
    cause: generalCause(step.cause),
    changes: step.changes.map(generalChange),
    staying: stayingOf(step).length,
    others: othersOf(step).length,
  };
}

/** Where a rule stands that is not put there now, only the number is told of. */
function generalChange(change: RuleChange): unknown {
  return {
    ...change,
    ...(change.kind === 'delete' ? {} : { cause: generalCause(change.cause) }),
    ...(change.kind === 'delete' || change.kind === 'patch' ? { place: change.place.index } : {}),
    ...(change.kind === 'add' ? { place: generalPlace(change.place) } : {}),
    ...('move' in change && change.move !== undefined
      ? { move: { ...change.move, to: generalPlace(change.move.to) } }
      : {}),
  };
}

/** The rules of others beside it are told by their ids. */
function generalPlace({ beside, ...place }: Place): unknown {
  return { ...place, beside: beside !== undefined };
}

/** A place in a pack, without where the scope uses it; of a place in a file of the scope only that it is one. */
function generalCause(cause: Cause | undefined): unknown {
  if (cause === undefined || isVersion(cause)) {
    return cause === undefined ? null : 'version';
  }
  const { via = [], ...place } = cause;
  return via.length === 0 ? 'file' : [place, ...via.slice(0, -1)];
}

/** A control character: the text of a JSON value never holds one, so nothing can look like a name that is left out. */
const NAME = '\u{1}';

/** Without the label of the scope, and without the name of a zone wherever it stands as a whole, with its account and alone. */
function withoutName(text: string, label: string): string {
  const kind = kindOf(label) === 'zone' ? 'zone' : 'account';
  const { bare, account } = zoneName({ kind, name: nameOf(label) });
  return account === null
    ? withoutLabel(text, label)
    : withoutLabel(withoutLabel(text, label), `${kind}:${bare}`);
}

function withoutLabel(text: string, label: string): string {
  // An account may bear the name of anything, such as an action.
  const written = JSON.stringify(label).slice(1, -1);
  const [, sought = written] = ZONE.exec(written) ?? [];
  const parts = text.split(sought);
  return parts
    .map((part, index) => {
      const left = parts[index - 1];
      return left === undefined
        ? part
        : (LEFT.test(left.slice(-2)) || RIGHT.test(part) ? sought : NAME) + part;
    })
    .join('');
}

/** A zone, the name of which is no number. */
const ZONE = /^zone:(.*\.\p{L}[^.]*)$/u;

/** What makes a name the part of another one. */
const LEFT = /[\p{L}\p{N}_-]$/u;
const RIGHT = /^\.?[\p{L}\p{N}_-]/u;
