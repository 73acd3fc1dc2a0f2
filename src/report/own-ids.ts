import { canonicalJson } from '../model/json.ts';
import type { PlannedScope } from '../model/plan.ts';
import { stayingOf } from '../model/rule-order.ts';
import { scopeLabel } from '../model/scope.ts';

/** Where something that is said belongs. */
export interface Scoped {
  /** Label of the scope it is about, `zone:shop.example`; absent when it is about the whole run. */
  readonly scope?: string | undefined;
  /** The ids in it that are the scope's own. */
  readonly own?: OwnIds | undefined;
}

/** What ids of a scope are the ids of, by id: the scope, its rules, and each ruleset that was read. */
export type OwnIds = ReadonlyMap<string, string>;

/** The role of every rule: the first place that names one tells which it is. */
const RULE = 'rule';

/** The ids that are a scope's own; those of the account and of the vendor are not. */
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

/** A control character: the text of a JSON value never holds one, so nothing can look like what stands for an id. */
const ID = '\u{2}';

/** A JSON text with what each own id is the id of in its place. */
export function withoutIds(text: string, own: OwnIds): string {
  const rules = new Map<string, string>();
  return text.replaceAll(SERVICE_ID, (id) => {
    const role = own.get(id);
    if (role === undefined) {
      return id;
    }
    // A rule is known by the first place in the text that names it.
    const known = role === RULE ? (rules.get(id) ?? String(rules.size)) : role;
    rules.set(id, known);
    return `${ID}${known}${ID}`;
  });
}

/** A text with the beginnings of the ids in it, for people who can look up the whole of them elsewhere. */
export function shortIds(text: string): string {
  return text.replaceAll(SERVICE_ID, (id) => `${id.slice(0, 8)}…`);
}

/** What is said of a scope, with its label and the ids in it that are the scope's own. */
export function saidOf<T extends { readonly rule?: string; readonly message: string }>(
  plan: PlannedScope,
  said: readonly T[],
): readonly (T & Scoped)[] {
  const scope = scopeLabel(plan.scope);
  const own = new Map(ownIdsIn(plan, said, ({ rule, message }) => [rule, message]));
  return said.map((one) => ({ ...one, scope, own: own.get(one) }));
}

/** Of each thing that is said of a scope and holds ids of its own: which. A plan is looked into only where a text holds an id. */
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
