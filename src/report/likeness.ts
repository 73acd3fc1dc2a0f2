import { createHash } from 'node:crypto';
import type { RuleChange } from '../model/change.ts';
import { canonicalJson } from '../model/json.ts';
import type { OrderEntry, PlannedScope, Step } from '../model/plan.ts';
import { scopeLabel } from '../model/scope.ts';
import { kindOf } from './alike-scopes.ts';
import type { Cause } from '../model/source.ts';

/**
 * What the plan of a scope says, but for what is of the scope itself: its name, ids of its rulesets and rules, versions
 * and times, where its own files say it, and what rules are called that stay and that nothing names. Two scopes with the
 * same digest change alike. Everything else counts, also what guards found, notes, and how many rules stay where. `also`
 * is what is told beside the plan and has to be equal too.
 */
export function planLikeness(plan: PlannedScope, also: unknown = null): string {
  const { scope, steps, findings, notes } = plan;
  const named = namedRules(plan);
  const text = canonicalJson({
    kind: scope.kind,
    steps: steps.map((step) => generalStep(step, named)),
    findings,
    notes: notes.map((note) => ({ ...note, cause: generalCause(note.cause) })),
    also,
  });
  return digest(withoutName(withoutIds(text, rolesOf(plan)), scopeLabel(scope)));
}

/** Any value that tells of a scope, but for its name; `label` is `zone:shop.example`. */
export function likeness(value: unknown, label: string): string {
  return digest(withoutName(canonicalJson([kindOf(label), value]), label));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function generalStep(step: Step, named: ReadonlySet<string>): unknown {
  return {
    ...step,
    base: step.base.kind,
    cause: generalCause(step.cause),
    changes: step.changes.map(generalChange),
    order: orderOf(step).map((entry) =>
      entry.kind === 'new' || named.has(entry.id) || named.has(entry.ref) ? entry : RULE,
    ),
  };
}

/** Ids and refs of rules that change, and of those that a place, a finding or a note names. */
function namedRules({ steps, findings, notes }: PlannedScope): ReadonlySet<string> {
  return new Set([
    ...steps.flatMap(({ changes }) => changes.flatMap(namesIn)),
    ...[...findings, ...notes].flatMap(({ rule }) => rule ?? []),
  ]);
}

function namesIn(change: RuleChange): readonly string[] {
  const places = [
    ...(change.kind === 'add' ? [change.place] : []),
    ...('move' in change && change.move !== undefined ? [change.move.from, change.move.to] : []),
  ];
  return [
    change.ref,
    ...(change.kind === 'add' ? [] : [change.id]),
    ...places.flatMap(({ after }) => after ?? []),
  ];
}

function orderOf(step: Step): readonly OrderEntry[] {
  return step.operation === 'delete' ? [] : step.order;
}

/** Where a rule stands that is not put there now, only the number is told of. */
function generalChange(change: RuleChange): unknown {
  return {
    ...change,
    ...(change.kind === 'delete' ? {} : { cause: generalCause(change.cause) }),
    ...(change.kind === 'delete' || change.kind === 'patch' ? { place: change.place.index } : {}),
  };
}

/** A place in a pack, without where the scope uses it; of a place in a file of the scope only that it is one. */
function generalCause(cause: Cause | undefined): unknown {
  if (cause === undefined || 'version' in cause) {
    return cause === undefined ? null : 'version';
  }
  const { via = [], ...place } = cause;
  return via.length === 0 ? 'file' : [place, ...via.slice(0, -1)];
}

/** Control characters in place of what is left out: the text of a JSON value never holds one, so nothing can look like them. */
const NAME = '\u{1}';
const ID = '\u{2}';

/** Each id of the scope as what it is the id of; ids of the account and of the vendor stay. */
function withoutIds(text: string, roles: ReadonlyMap<string, string>): string {
  const rules = new Map<string, string>();
  return text.replaceAll(/(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/g, (id) => {
    const role = roles.get(id);
    if (role === undefined) {
      return id;
    }
    // A rule is known by the first place in the text that names it.
    const known = role === RULE ? (rules.get(id) ?? String(rules.size)) : role;
    rules.set(id, known);
    return `${ID}${known}${ID}`;
  });
}

const RULE = 'rule';

/** What the ids of a scope are the ids of: the scope, rules, and each ruleset that was read. */
function rolesOf({ scope, bases, steps }: PlannedScope): ReadonlyMap<string, string> {
  const rules = steps.flatMap((step) => [
    ...step.changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])),
    ...orderOf(step).flatMap((entry) => (entry.kind === 'live' ? [entry.id] : [])),
  ]);
  return new Map([
    ...rules.map((id) => [id, RULE] as const),
    [scope.id, 'scope'],
    ...bases.flatMap(({ base, target }) =>
      base.kind === 'version' ? [[base.id, canonicalJson(target)] as const] : [],
    ),
  ]);
}

/** Without the label of the scope, and without the name of a zone wherever it stands as a whole. */
function withoutName(text: string, label: string): string {
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
