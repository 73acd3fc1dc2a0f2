import { createHash } from 'node:crypto';
import type { RulePosition, RuleChange, PlannedScope, Step, Cause } from '../model/index.ts';
import { canonicalJson } from '../data/index.ts';
import { othersOf, stayingOf, scopeLabel, isVersion } from '../model/index.ts';
import { shownNotes } from './notes.ts';
import { ownIds, withoutIds, kindOf, withoutName } from './own-names.ts';

/**
 * Returns a digest of a scope's plan without what is specific to the scope: its name, the ids of its rulesets and rules, versions and
 * times, places in its own files, and which rules stay. Two scopes with the same digest change alike. Everything else counts, including the
 * findings of guards, the notes that are shown, and, where rules move, how many stay. `also` contains facts shown with the plan that have to
 * be equal, too.
 */
export function planSimilarityKey(plan: PlannedScope, also: unknown = null): string {
  const { scope, steps, objects = [], findings } = plan;
  const text = canonicalJson({
    kind: scope.kind,
    steps: steps.map(generalStep),
    objects: objects.map((step) => ({
      ...step,
      ...('base' in step ? { base: step.base.kind } : {}),
      cause: generalCause(step.cause),
    })),
    findings,
    notes: shownNotes(plan).map((note) => ({ ...note, cause: generalCause(note.cause) })),
    also,
  });
  return digest(withoutOwnName(withoutIds(text, ownIds(plan)), scopeLabel(scope)));
}

/** Returns a digest of a value about a scope without the scope's name; `label` is `zone:shop.example`. */
export function similarityKey(value: unknown, label: string): string {
  return digest(withoutOwnName(canonicalJson([kindOf(label), value]), label));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function generalStep(step: Step): unknown {
  const moves = step.changes.some((change) => 'move' in change && change.move !== undefined);
  return {
    ...step,
    base: step.base.kind,
    cause: generalCause(step.cause),
    changes: step.changes.map(generalChange),
    staying: moves ? stayingOf(step).length : null,
    others: moves ? othersOf(step).length : null,
  };
}

/** Generalises a change. Of the place of a deleted rule only the number is kept; that of a rule that stays in its place is shown nowhere. */
function generalChange(change: RuleChange): unknown {
  return {
    ...change,
    ...(change.kind === 'delete' ? {} : { cause: generalCause(change.cause) }),
    ...(change.kind === 'delete' ? { place: change.place.index } : {}),
    ...(change.kind === 'patch' ? { place: null } : {}),
    ...(change.kind === 'add' ? { place: generalPlace(change.place) } : {}),
    ...('move' in change && change.move !== undefined
      ? { move: { ...change.move, to: generalPlace(change.move.to) } }
      : {}),
  };
}

/** Generalises a place: the rules of others beside it are known by ids, so only whether there are any is kept. */
function generalPlace({ beside, ...place }: RulePosition): unknown {
  return { ...place, beside: beside !== undefined };
}

/**
 * Generalises a cause: for a place in a pack, where the scope uses the pack is left out; for a place in a file of the scope only the fact
 * remains.
 */
function generalCause(cause: Cause | undefined): unknown {
  if (cause === undefined || isVersion(cause)) {
    return cause === undefined ? null : 'version';
  }
  const { via = [], ...place } = cause;
  return via.length === 0 ? 'file' : [place, ...via.slice(0, -1)];
}

/** Stands for a name that is left out. It is a control character, which JSON text never contains, so nothing else can look like it. */
const NAME = '\u{1}';

/** A JSON text without the name of the scope, which is spelled in it as JSON. */
function withoutOwnName(text: string, label: string): string {
  return withoutName(text, JSON.stringify(label).slice(1, -1), NAME);
}
