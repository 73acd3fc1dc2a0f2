import { canonicalJson } from '../data/index.ts';
import { stayingOf, scopeLabel, zoneName } from '../model/index.ts';
import type { PlannedScope, ScopeRef } from '../model/index.ts';

/** The scope that a remark belongs to. */
export interface Scoped {
  /** The label of the scope, `zone:shop.example`; absent when the remark is about the whole run. */
  readonly scope?: string | undefined;
  /** The ids in the remark that are the scope's own. */
  readonly own?: OwnIds | undefined;
}

/** The role of each id that is a scope's own: the scope itself, a rule, or a ruleset that was read. */
export type OwnIds = ReadonlyMap<string, string>;

/** The role of every rule; rules are told apart by the order in which a text first names them. */
const RULE = 'rule';

/** Returns the ids that are a scope's own, not those of the account or the vendor. */
export function ownIds({ scope, bases, steps }: PlannedScope): OwnIds {
  const rules = steps.flatMap((step) => [
    ...step.changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])),
    ...stayingOf(step),
  ]);
  return new Map([
    ...rules.map((id) => [id, RULE] as const),
    [scope.id, 'scope'],
    ...bases.flatMap(({ base, target }) =>
      base.kind === 'version' ? [[base.id, canonicalJson(target)] as const] : [],
    ),
  ]);
}

const SERVICE_ID = /(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/g;

/** Marks a replaced id. It is a control character, which JSON text never contains, so nothing else can look like a replaced id. */
const ID = '\u{2}';

/** Replaces each own id in a JSON text by its role. */
export function withoutIds(text: string, own: OwnIds): string {
  const rules = new Map<string, string>();
  return text.replaceAll(SERVICE_ID, (id) => {
    const role = own.get(id);
    if (role === undefined) {
      return id;
    }
    // A rule is identified by its number in the order in which the text first names rules.
    const known = role === RULE ? (rules.get(id) ?? String(rules.size)) : role;
    rules.set(id, known);
    return `${ID}${known}${ID}`;
  });
}

/** Shortens the ids in a text to their beginnings, for people who can look up the whole ids elsewhere. */
export function shortIds(text: string): string {
  return text.replaceAll(SERVICE_ID, (id) => `${id.slice(0, 8)}…`);
}

/** Adds to remarks about a scope its label, and the ids in them that are the scope's own. */
export function saidOf<T extends { readonly rule?: string; readonly message: string }>(
  plan: PlannedScope,
  said: readonly T[],
): readonly (T & Scoped)[] {
  const scope = scopeLabel(plan.scope);
  const own = new Map(ownIdsIn(plan, said, ({ rule, message }) => [rule, message]));
  return said.map((one) => ({ ...one, scope, own: own.get(one) }));
}

/** Returns, for each remark that contains ids, which of them are the scope's own. The plan is examined only if there is such a remark. */
export function ownIdsIn<T>(
  plan: PlannedScope,
  said: readonly T[],
  textsOf: (one: T) => readonly (string | undefined)[],
): readonly (readonly [T, OwnIds])[] {
  const holding = said
    .map((one) => [one, textsOf(one).flatMap((text) => text?.match(SERVICE_ID) ?? [])] as const)
    .filter(([, ids]) => ids.length > 0);
  if (holding.length === 0) {
    return [];
  }
  const own = ownIds(plan);
  return holding.map(([one, ids]) => [
    one,
    new Map(
      ids.flatMap((id) => {
        const role = own.get(id);
        return role === undefined ? [] : [[id, role] as const];
      }),
    ),
  ]);
}

/**
 * Replaces the name of a scope in a text by `mark`; `label` is `zone:shop.example`. The name of a zone is replaced wherever it occurs as a whole, with
 * and without its account. An account may have the name of anything, such as an action, so only its whole label is replaced.
 */
export function withoutName(text: string, label: string, mark: string): string {
  const scope: ScopeRef = { kind: kindOf(label) === 'zone' ? 'zone' : 'account', name: nameOf(label) };
  return namesOf(scope).reduce((rest, name) => {
    const sought = isTelling(scope.kind, name) ? name : `${scope.kind}:${name}`;
    return withoutWhole(rest, sought, sought === name ? mark : `${scope.kind}:${mark}`);
  }, text);
}

/** Returns the names of a scope, the longest first: a zone's with and without its account. */
export function namesOf(scope: ScopeRef): readonly string[] {
  return [...new Set([scope.name, zoneName(scope).bare])];
}

/** Replaces a text by `mark` wherever it occurs as a whole, not as part of a longer name. */
export function withoutWhole(text: string, sought: string, mark: string): string {
  const parts = text.split(sought);
  return parts
    .map((part, index) => {
      const left = parts[index - 1];
      return left === undefined
        ? part
        : (LEFT.test(left.slice(-2)) || RIGHT.test(part) ? sought : mark) + part;
    })
    .join('');
}

/** Whether a name can only be a zone's: it does not end in a number. */
function isTelling(kind: ScopeRef['kind'], name: string): boolean {
  return kind === 'zone' && ZONE.test(name);
}

const ZONE = /\.\p{L}[^.]*$/u;

/** Characters that make a name part of a longer one. */
const LEFT = /[\p{L}\p{N}_-]$/u;
const RIGHT = /^\.?[\p{L}\p{N}_-]/u;

/** Returns the name of a scope from its label. */
export function nameOf(label: string): string {
  return label.slice(kindOf(label).length + 1);
}

/** Returns the kind of a scope from its label: `zone`. */
export function kindOf(label: string): string {
  return label.slice(0, label.indexOf(':'));
}
