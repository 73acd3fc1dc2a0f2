import { describedName } from '../model/described-name.ts';
import { groupBy } from '../model/group-by.ts';
import { someNames } from '../model/some-names.ts';
import type { RuleSaying } from './alike-rules.ts';
import { groupRules, ruleNames } from './alike-rules.ts';
import { counted } from '../model/count.ts';
import type { Scoped } from './own-ids.ts';
import { shortIds, withoutIds } from './own-ids.ts';
import type { Detail } from './theme.ts';

/** What stands of a finding and of a note alike. */
interface Finding {
  readonly kind: string;
  readonly level?: string;
  readonly step?: string | undefined;
  readonly rule?: string | undefined;
  readonly message: string;
  /** What is said of the rule, if that may be said of many at once. */
  readonly reason?: string | undefined;
  readonly description?: string | undefined;
  /** Where it is shown, if only what stands in one place may be told together. */
  readonly place?: string;
}

/** One thing that is said of a scope, maybe with its label in the text. */
interface Said<T> {
  readonly item: T;
  /** Everything that is said, which has to be equal but for the label and the ids of the scope. */
  readonly texts: readonly (string | undefined)[];
  /** Of a rule: its name, and what may be said of others of its ruleset as well. */
  readonly rule?: (RuleSaying & { readonly name: string }) | undefined;
}

/** What is told once: of one scope and rule as it is, or of many. */
export interface Alike<T> {
  /** What is said of the first of them. */
  readonly item: T;
  /** The names of the rules, where it is told of many of a ruleset at once. */
  readonly rules: readonly string[];
  /** Whether each of these has something else said of it. */
  readonly various: boolean;
  /** Labels of the scopes, where they are too many to tell each by itself. */
  readonly scopes: readonly string[];
}

/** Up to so many scopes, each is told by itself. */
const FEW = 2;

/** So many scopes are named. */
const NAMED = 3;

/**
 * What is equal but for its rule in a ruleset, or for its scope and its ids, together. What is said of few scopes comes first, so
 * that a surprise in one of a hundred is not buried below what was to be expected of all.
 */
function groupAlike<T extends Scoped>(all: readonly Said<T>[]): readonly Alike<T>[] {
  const said = groupRules(all, ({ rule }) => rule).flatMap(({ members, various }) => {
    const [first] = members;
    return first === undefined
      ? []
      : members.length === 1
        ? [told(first)]
        : [toldOfRules(first, { members, various })];
  });
  const groups = groupBy(said, ({ item: { scope, own }, texts }) => {
    const text = JSON.stringify([kindOf(scope ?? ''), ...texts.map((one) => withoutScope(one ?? '', scope))]);
    return own === undefined ? text : withoutIds(text, own);
  });
  const many = [...groups.values()].filter(
    (group) => group.length > FEW && group[0]?.item.scope !== undefined,
  );
  const together = new Set(many.flat());
  return [
    ...said.filter((one) => !together.has(one)),
    ...many
      .toSorted((a, b) => a.length - b.length)
      .flatMap((group) =>
        group[0] === undefined
          ? []
          : [{ ...group[0], scopes: group.flatMap(({ item: { scope } }) => scope ?? []) }],
      ),
  ];
}

/** What is told once of a scope, with all that is said. */
type Told<T> = Alike<T> & Pick<Said<T>, 'texts'>;

function told<T>({ item, texts }: Said<T>): Told<T> {
  return { item, texts, rules: [], various: false, scopes: [] };
}

function toldOfRules<T extends Scoped>(
  { item, rule }: Said<T>,
  { members, various }: { readonly members: readonly Said<T>[]; readonly various: boolean },
): Told<T> {
  const rules = members.map((one) => one.rule?.name ?? '');
  const own = new Map(members.flatMap((one) => [...(one.item.own ?? [])]));
  const says = various ? members.map((one) => one.rule?.says) : [rule?.says];
  return {
    item: { ...item, own },
    texts: [rule?.about, ...says, ...rules],
    rules,
    various,
    scopes: [],
  };
}

/** How many things are told at once: of each rule in each scope one. */
export function countAlike({ rules, scopes }: Pick<Alike<unknown>, 'rules' | 'scopes'>): number {
  return (rules.length || 1) * (scopes.length || 1);
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

/** What guards found and notes warn of, together where it is equal but for the rule or the scope. */
export function groupFindings<T extends Scoped & Finding>(
  findings: readonly T[],
  detail: Detail = 'summed-up',
): readonly Alike<T>[] {
  return groupAlike(
    findings.map((item) => ({
      item,
      texts: [item.kind, item.level, item.step, item.rule, item.message, item.place],
      rule: detail === 'each' ? undefined : saidOfRule(item),
    })),
  );
}

function saidOfRule(one: Scoped & Finding): Said<unknown>['rule'] {
  const { kind, level, scope, step, rule = '', reason, description = '', place } = one;
  return reason === undefined || rule === ''
    ? undefined
    : {
        name: describedName(rule, description),
        about: JSON.stringify([kind, level, scope, step, place]),
        says: reason,
      };
}

/** A text that is said of many scopes, taken from the first of them: `zone:…/http_ratelimit: …`. */
export function alikeText(text: string, { item, scopes }: Pick<Alike<Scoped>, 'item' | 'scopes'>): string {
  const [first] = scopes;
  const without = withoutScope(text, first);
  return first === undefined
    ? text
    : [...(item.own?.keys() ?? [])].reduce((rest, id) => rest.replaceAll(id, '…'), without);
}

/** What is found, of one rule or of many at once, in a text. */
export function alikeMessage(alike: Alike<Scoped & Finding>): string {
  const { step, reason = '', message } = alike.item;
  return alike.rules.length === 0
    ? alikeText(message, alike)
    : `${alikeText(`${step}: `, alike)}${alikeReason(reason, alike)}: ${alikeNames(alike, (name) => name)}`;
}

/** What is said of many rules at once, without their names: `600 rules, each removes block`. */
export function alikeReason(reason: string, alike: Alike<Scoped>): string {
  const count = alike.rules.length;
  return alike.various
    ? `${count} more rules, each for a reason of its own`
    : `${count} rules, each ${alikeText(reason, alike)}`;
}

/** The names of these rules, the first of many. */
export function alikeNames(alike: Alike<Scoped>, show: (name: string) => string): string {
  return ruleNames(alike.rules.map((name) => show(shortIds(alikeText(name, alike)))));
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
