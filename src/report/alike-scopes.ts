import type { DriftChange } from '../model/drift.ts';
import { groupBy } from '../model/group-by.ts';
import { someNames } from '../model/some-names.ts';
import { counted } from './count.ts';

/** Where something belongs. */
export interface Scoped {
  /** Label of the scope it is about, `zone:shop.example`; absent when it is about the whole run. */
  readonly scope?: string | undefined;
}

/** What stands of a finding and of a note alike. */
interface Finding {
  readonly kind: string;
  readonly effect?: string;
  readonly step?: string;
  readonly rule?: string;
  readonly message: string;
}

/** One thing that is said of a scope, maybe with its label in the text. */
interface Said<T> extends Scoped {
  readonly item: T;
  /** Everything that is said, which has to be equal but for the label. */
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
 * What is equal but for its scope, together. What is said of few scopes comes first, so that a surprise in
 * one of a hundred is not buried below what was to be expected of all.
 */
export function groupAlike<T>(said: readonly Said<T>[]): readonly Alike<T>[] {
  const groups = groupBy(said, ({ scope, texts }) =>
    JSON.stringify([kindOf(scope ?? ''), ...texts.map((text) => withoutScope(text ?? '', scope))]),
  );
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

/** Things by the label of their scope; scopes whose things have the same likeness stand together, where the first of them does. */
export function groupScopes<T>(
  things: readonly T[],
  scopeOf: (thing: T) => string,
  likenessOf: (scope: string, members: readonly T[]) => string,
): readonly AlikeScopes<T>[] {
  const groups = groupBy(groupBy(things, scopeOf), ([scope, members]) => likenessOf(scope, members));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ scope: first[0], members: first[1], others: others.map(([scope]) => scope) }],
  );
}

/** What guards found and notes warn of, together where it is equal but for the scope. */
export function groupFindings<T extends Scoped & Finding>(findings: readonly T[]): readonly Alike<T>[] {
  return groupAlike(
    findings.map((item) => ({
      item,
      scope: item.scope,
      texts: [item.kind, item.effect, item.step, item.rule, item.message],
    })),
  );
}

/** What live protects less than the files, together where it is equal but for the scope. */
export function groupWeakening(changes: readonly DriftChange[]): readonly Alike<DriftChange>[] {
  return groupAlike(
    changes
      .filter(({ severity }) => severity === 'weakening')
      .map((item) => ({ item, scope: item.scope, texts: [item.step, item.rule, item.reason] })),
  );
}

/** A text that is said of many scopes, taken from the first of them: `zone:…/http_ratelimit: …`. */
export function alikeText(text: string, [first]: readonly string[]): string {
  return withoutScope(text, first);
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
