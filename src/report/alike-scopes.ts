import { groupBy } from '../data/index.ts';
import { describedName } from '../model/index.ts';
import { someNames, counted } from '../text/index.ts';
import type { Detail } from './layout.ts';
import { shortIds, withoutIds, kindOf, nameOf, withoutName } from './own-names.ts';
import type { Scoped } from './own-names.ts';

/** The members that findings and notes have in common. */
interface AboutRule {
  readonly kind: string;
  readonly level?: string;
  readonly step?: string | undefined;
  readonly rule?: string | undefined;
  readonly message: string;
  /** The remark about the rule; absent when it cannot be shared by many rules. */
  readonly reason?: string | undefined;
  readonly description?: string | undefined;
  /** Where the finding is shown; findings with different places are not grouped. */
  readonly place?: string;
}

/** A remark about a scope, perhaps with the scope's name in the text. */
interface TextedItem<T> {
  readonly item: T;
  /** All texts of the remark; for remarks to be alike, they must be equal but for the scope's name and ids. */
  readonly texts: readonly (string | undefined)[];
  /** For a remark about a rule: its name, and the remark that other rules of the ruleset may share. */
  readonly rule?: (RuleStatement & { readonly name: string }) | undefined;
}

/** A remark that is shown once: for one scope and rule, or for many. */
export interface Alike<T> {
  /** The first of the grouped remarks. */
  readonly item: T;
  /** The names of the rules, when it is shown for many rules of a ruleset. */
  readonly rules: readonly string[];
  /** Whether each of these rules has a different remark. */
  readonly various: boolean;
  /** The labels of the scopes, when there are too many to show each; else empty. */
  readonly scopes: readonly string[];
}

/** Up to this many scopes are each shown. */
const FEW = 2;

/** The number of scopes, or of rules, that are named. */
const NAMED = 3;

/**
 * Groups remarks that are equal but for the rule in a ruleset, or but for the scope and its ids. Remarks about few scopes come first, so
 * that a surprise in one of a hundred is not buried below what was expected of all.
 */
function groupAlike<T extends Scoped>(all: readonly TextedItem<T>[]): readonly Alike<T>[] {
  const said = groupRules(all, ({ rule }) => rule).flatMap(({ members, various }) => {
    const [first] = members;
    return first === undefined
      ? []
      : members.length === 1
        ? [alikeItem(first)]
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

/** A remark that is shown once for a scope, with all its texts. */
type AlikeItem<T> = Alike<T> & Pick<TextedItem<T>, 'texts'>;

function alikeItem<T>({ item, texts }: TextedItem<T>): AlikeItem<T> {
  return { item, texts, rules: [], various: false, scopes: [] };
}

function toldOfRules<T extends Scoped>(
  { item, rule }: TextedItem<T>,
  { members, various }: { readonly members: readonly TextedItem<T>[]; readonly various: boolean },
): AlikeItem<T> {
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

/** The things of a scope, and the labels of the other scopes whose things are alike. */
export interface AlikeScopes<T> {
  readonly scope: string;
  readonly members: readonly T[];
  readonly others: readonly string[];
}

/**
 * Groups things by the label of their scope. Scopes whose things have the same key are grouped at the place of the first, unless they are
 * few.
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

/** Groups findings of guards and warnings of notes that are equal but for the rule or the scope. */
export function groupFindings<T extends Scoped & AboutRule>(
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

function saidOfRule(one: Scoped & AboutRule): TextedItem<unknown>['rule'] {
  const { kind, level, scope, step, rule = '', reason, description = '', place } = one;
  return reason === undefined || rule === ''
    ? undefined
    : {
        name: describedName(rule, description),
        about: JSON.stringify([kind, level, scope, step, place]),
        says: reason,
      };
}

/** Returns a text about the first of many scopes with its label and ids left out: `zone:…/http_ratelimit: …`. */
export function alikeText(text: string, { item, scopes }: Pick<Alike<Scoped>, 'item' | 'scopes'>): string {
  const [first] = scopes;
  const without = withoutScope(text, first);
  return first === undefined
    ? text
    : [...(item.own?.keys() ?? [])].reduce((rest, id) => rest.replaceAll(id, '…'), without);
}

/** Returns the message of a finding about one rule or many. */
export function alikeMessage(alike: Alike<Scoped & AboutRule>): string {
  const { step, reason = '', message } = alike.item;
  return alike.rules.length === 0
    ? alikeText(message, alike)
    : `${alikeText(`${step}: `, alike)}${alikeReason(reason, alike)}: ${alikeNames(alike, (name) => name)}`;
}

/** Returns the remark that many rules share, without their names: `600 rules, each no longer blocks requests`. */
export function alikeReason(reason: string, alike: Alike<Scoped>): string {
  const count = alike.rules.length;
  return alike.various
    ? `${count} more rules, each for a reason of its own`
    : `${count} rules, each ${alikeText(reason, alike)}`;
}

/** Returns the names of the first of these rules. */
export function alikeNames(alike: Alike<Scoped>, show: (name: string) => string): string {
  return ruleNames(ruleNamesOf(alike).map(show));
}

/** Returns the names of all of these rules, with ids shortened. */
export function ruleNamesOf(alike: Alike<Scoped>): readonly string[] {
  return alike.rules.map((name) => shortIds(alikeText(name, alike)));
}

function withoutScope(text: string, scope: string | undefined): string {
  return scope === undefined ? text : withoutName(text, scope, '…');
}

/** Returns the number of scopes and the first names: `100 zones: a.example, b.example, c.example and 97 more`. */
export function scopeNames(labels: readonly string[], show: (name: string) => string): string {
  const names = labels.map((label) => show(nameOf(label)));
  const kinds = new Set(labels.map(kindOf));
  const [noun = 'scope'] = kinds.size === 1 ? kinds : [];
  return `${counted(labels.length, noun)}: ${someNames(names, NAMED)}`;
}

/** Up to this many rules of a ruleset are each shown. */
const FEW_RULES = 5;

/** Up to this many remarks of one kind are shown for a ruleset; of more, the first `SHOWN`. */
const MOST = 20;
const SHOWN = 10;

/** A remark that is shown once for rules of a ruleset: for one, or for many about which the same is said. */
export interface OfRules<T> {
  readonly members: readonly T[];
  /** Whether the members are several rules about which different things are said. */
  readonly various: boolean;
}

/** A remark about a rule. Two are alike when both members are equal. */
export interface RuleStatement {
  /** The ruleset and the kind of the remark. */
  readonly about: string;
  readonly says: string;
}

/**
 * Groups items about which the same is said, at the place of the first. If more than `MOST` groups remain for a ruleset, the first are kept
 * and the rest become one group.
 */
export function groupRules<T>(
  items: readonly T[],
  statementOf: (item: T) => RuleStatement | undefined,
): readonly OfRules<T>[] {
  const groups = [
    ...groupBy(items, (item) => {
      const statement = statementOf(item);
      return statement === undefined ? item : JSON.stringify([statement.about, statement.says]);
    }).values(),
  ];
  const many = new Map(groups.filter((group) => group.length > FEW_RULES).map((group) => [group[0], group]));
  const told = new Set([...many.values()].flat());
  const alike = items.flatMap((item): readonly OfRules<T>[] => {
    const members = told.has(item) ? many.get(item) : [item];
    return members === undefined ? [] : [{ members, various: false }];
  });
  return bounded(alike, ([first]) => (first === undefined ? undefined : statementOf(first)?.about));
}

function bounded<T>(
  groups: readonly OfRules<T>[],
  aboutOf: (members: readonly T[]) => string | undefined,
): readonly OfRules<T>[] {
  const cut = new Map(
    [...groupBy(groups, ({ members }) => aboutOf(members))].flatMap(([about, of]) =>
      about === undefined || of.length <= MOST ? [] : ([[of[SHOWN], of.slice(SHOWN)]] as const),
    ),
  );
  const rest = new Set([...cut.values()].flat());
  return groups.flatMap((group): readonly OfRules<T>[] => {
    if (!rest.has(group)) {
      return [group];
    }
    const members = cut.get(group)?.flatMap((one) => one.members);
    return members === undefined ? [] : [{ members, various: true }];
  });
}

/** Returns the first names of many rules: `a, b, c and 97 more`. */
export function ruleNames(names: readonly string[]): string {
  return someNames(names, NAMED);
}
