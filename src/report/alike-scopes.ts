import { groupBy } from '../model/group-by.ts';
import { someNames } from '../model/some-names.ts';
import { counted } from './count.ts';
import type { Scoped } from './own-ids.ts';
import { withoutIds } from './own-ids.ts';

/** What stands of a finding and of a note alike. */
interface Finding {
  readonly kind: string;
  readonly effect?: string;
  readonly step?: string | undefined;
  readonly rule?: string;
  readonly message: string;
  /** Where it is shown, if only what stands in one place may be told together. */
  readonly place?: string;
}

/** One thing that is said of a scope, maybe with its label in the text. */
interface Said<T> extends Scoped {
  readonly item: T;
  /** Everything that is said, which has to be equal but for the label and the ids of the scope. */
  readonly texts: readonly (string | undefined)[];
}

/** What is told once: of one scope as it is, or of many. */
export interface Alike<T> {
  /** What is said of the first of them. */
  readonly item: T;
  /** Labels of the scopes, where they are too many to tell each by itself. */
  readonly scopes: readonly string[];
}

/** Up to so many scopes, each is told by itself. */
const FEW = 2;

/** So many scopes are named. */
const NAMED = 3;

/**
 * What is equal but for its scope and its ids, together. What is said of few scopes comes first, so that a surprise in
 * one of a hundred is not buried below what was to be expected of all.
 */
export function groupAlike<T>(said: readonly Said<T>[]): readonly Alike<T>[] {
  const groups = groupBy(said, ({ scope, own, texts }) => {
    const text = JSON.stringify([kindOf(scope ?? ''), ...texts.map((one) => withoutScope(one ?? '', scope))]);
    return own === undefined ? text : withoutIds(text, own);
  });
  const many = [...groups.values()].filter((group) => group.length > FEW && group[0]?.scope !== undefined);
  const together = new Set(many.flat());
  return [
    ...said.filter((one) => !together.has(one)).map(({ item }) => ({ item, scopes: [] })),
    ...many
      .toSorted((a, b) => a.length - b.length)
      .flatMap((group) =>
        group[0] === undefined
          ? []
          : [{ item: group[0].item, scopes: group.flatMap(({ scope }) => scope ?? []) }],
      ),
  ];
}

/** What is told of a scope, and the labels of others of which the same is told. */
export interface AlikeScopes<T> {
  readonly scope: string;
  readonly members: readonly T[];
  readonly others: readonly string[];
}

/**
 * Things by the label of their scope. Scopes whose things have the same key stand together, where the first of them does; few are
 * told each by itself.
 */
export function groupScopes<T>(
  things: readonly T[],
  scopeOf: (thing: T) => string,
  keyOf: (scope: string, members: readonly T[]) => string,
): readonly AlikeScopes<T>[] {
  const scopes = [...groupBy(things, scopeOf)];
  const groups = [...groupBy(scopes, ([scope, members]) => keyOf(scope, members)).values()];
  const many = groups.filter((group) => group.length > FEW);
  const others = new Map(many.map(([first, ...rest]) => [first, rest.map(([scope]) => scope)]));
  const told = new Set(many.flatMap((group) => group.slice(1)));
  return scopes
    .filter((one) => !told.has(one))
    .map((one) => ({ scope: one[0], members: one[1], others: others.get(one) ?? [] }));
}

/** What guards found and notes warn of, together where it is equal but for the scope. */
export function groupFindings<T extends Scoped & Finding>(findings: readonly T[]): readonly Alike<T>[] {
  return groupAlike(
    findings.map((item) => ({
      item,
      scope: item.scope,
      own: item.own,
      texts: [item.kind, item.effect, item.step, item.rule, item.message, item.place],
    })),
  );
}

/** A text that is said of many scopes, taken from the first of them: `zone:…/http_ratelimit: …`. */
export function alikeText(text: string, { item, scopes }: Alike<Scoped>): string {
  const [first] = scopes;
  const without = withoutScope(text, first);
  return first === undefined
    ? text
    : [...(item.own?.keys() ?? [])].reduce((rest, id) => rest.replaceAll(id, '…'), without);
}

function withoutScope(text: string, scope: string | undefined): string {
  return scope === undefined ? text : text.replaceAll(scope, `${kindOf(scope)}:…`);
}

/** How many scopes, and the first of them: `100 zones: a.example, b.example, c.example and 97 more`. */
export function scopeNames(labels: readonly string[], show: (name: string) => string): string {
  const names = labels.map((label) => show(nameOf(label)));
  const kinds = new Set(labels.map(kindOf));
  const [noun = 'scope'] = kinds.size === 1 ? kinds : [];
  return `${counted(labels.length, noun)}: ${someNames(names, NAMED)}`;
}

/** The name of a scope in its label. */
export function nameOf(label: string): string {
  return label.slice(kindOf(label).length + 1);
}

/** The kind of a scope in its label: `zone`. */
export function kindOf(label: string): string {
  return label.slice(0, label.indexOf(':'));
}
