import type { Diagnostic, RuleOwnership, SourceSpan } from '../../model/index.ts';
import { formatPlace, isOwnedRef, isId } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { aliasAt, locateKey, locateValue } from '../yaml/yaml-document.ts';
import { repeatsOf, canonicalJson, isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { quoted } from '../../text/index.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** Checks that each `ref` and `id` is unique in its ruleset and, under ownership patterns, that each rule has a `ref` that marks it as owned. */
export function checkRefsAndIds(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  return [
    ...duplicates(ruleset, 'ref', 'config/duplicate-ref'),
    ...duplicates(ruleset, 'id', 'config/duplicate-id'),
    ...(ownership.kind === 'all'
      ? []
      : ruleset.rules.flatMap((rule) => notOwned(ruleset, rule, ownership.patterns))),
  ];
}

function duplicates(
  ruleset: DeclaredRuleset,
  key: 'ref' | 'id',
  code: 'config/duplicate-ref' | 'config/duplicate-id',
): readonly Diagnostic[] {
  const nameOf = ({ value }: DeclaredRule): string | undefined => {
    const name = value[key];
    return typeof name === 'string' ? name : undefined;
  };
  return repeatsOf(ruleset.rules, nameOf).repeats.map(({ item, first }) => {
    const place = placeOfName(ruleset, item, key);
    const same = placeOfName(ruleset, first, key);
    return finding(code, {
      message: `${reasonOf(place, same)} the ${key} ${JSON.stringify(nameOf(item) ?? '')}`,
      hint: `the other one is at ${formatPlace(same.where)}; give each rule its own`,
      where: place.where,
    });
  });
}

/** Where the name of a rule stands: the alias that brings the name, or else the name itself. */
interface NamePlace {
  readonly where: SourceSpan;
  readonly alias?: string;
}

function placeOfName({ document }: DeclaredRuleset, { path }: DeclaredRule, key: 'ref' | 'id'): NamePlace {
  const alias = aliasAt(document, path) ?? aliasAt(document, [...path, key]);
  return alias === undefined
    ? { where: locateValue(document, [...path, key]) }
    : { where: alias.where, alias: alias.name };
}

function reasonOf({ alias }: NamePlace, other: NamePlace): string {
  if (alias === undefined) {
    return 'another rule of this ruleset has';
  }
  return alias === other.alias
    ? `the alias \`*${alias}\` appears twice in this ruleset, so two of its rules have`
    : `the alias \`*${alias}\` repeats a name: another rule of this ruleset has`;
}

function notOwned(
  ruleset: DeclaredRuleset,
  { path, value }: DeclaredRule,
  patterns: readonly string[],
): readonly Diagnostic[] {
  const { ref } = value;
  const allowed = oneOfThese(patterns);
  if (typeof ref !== 'string') {
    return [
      finding('config/ref-not-owned', {
        message: 'the rule has no `ref`, so no ownership pattern matches it',
        hint: `give it a \`ref\` that matches ${allowed}`,
        where: locateKey(ruleset.document, path),
      }),
    ];
  }
  if (isOwnedRef(patterns, ref)) {
    return [];
  }
  const [message, ways] = isId(ref)
    ? [
        `the ref ${JSON.stringify(ref)} is an id, which no pattern with \`*\` matches`,
        `add the id itself to \`ownership.rules\`, or rename it to match ${allowed} with \`adopt: true\``,
      ]
    : [
        `no ownership pattern matches the ref ${JSON.stringify(ref)}`,
        `add it, or a pattern that matches it, to \`ownership.rules\`, or rename it to match ${allowed}`,
      ];
  const hint = `${ways}; if the rule belongs to others, remove it from the file: it stays live`;
  const where = locateValue(ruleset.document, [...path, 'ref']);
  return [finding('config/ref-not-owned', { message, hint, where })];
}

/** Entries of a rule that each stand for one thing: a list whose entries name it by a member, a list of names, or an object by its keys. */
interface KeyedEntries {
  readonly path: readonly string[];
  /** What an entry is about, in messages. */
  readonly what: string;
  /** The member, or the first of several, that names what an entry is about; absent where the entry itself or its key does. */
  readonly by?: readonly string[];
  readonly anyCase?: true;
}

const HEADERS = { what: 'header', anyCase: true } as const;

const KEYED: Readonly<Record<string, readonly KeyedEntries[]>> = {
  execute: [
    { path: ['overrides', 'categories'], what: 'category', by: ['category'] },
    { path: ['overrides', 'rules'], what: 'managed rule', by: ['id'] },
  ],
  rewrite: [{ path: ['headers'], ...HEADERS }],
  log_custom_field: [
    ...['request_fields', 'transformed_request_fields', 'response_fields', 'raw_response_fields'].map(
      (list) => ({ path: [list], by: ['name'], ...HEADERS }),
    ),
    { path: ['cookie_fields'], what: 'cookie', by: ['name'] },
  ],
  compress_response: [{ path: ['algorithms'], what: 'algorithm', by: ['name'] }],
  set_cache_settings: [
    { path: ['edge_ttl', 'status_code_ttl'], what: 'status', by: ['status_code', 'status_code_range'] },
    { path: ['cache_key', 'custom_key', 'header', 'contains'], ...HEADERS },
    { path: ['vary', 'headers'], ...HEADERS },
  ],
};

/** Of every rule that limits a rate, whatever its action. */
const CHARACTERISTICS: KeyedEntries = { path: ['ratelimit', 'characteristics'], what: 'characteristic' };

/** Reports what stands twice in a rule: only one of the two entries could take effect, and a reader cannot tell which. */
export function checkRepeats(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action } = value;
  const keyed = typeof action === 'string' && Object.hasOwn(KEYED, action) ? (KEYED[action] ?? []) : [];
  const inParameters = (['action_parameters', 'extra_parameters'] as const).flatMap((parameters) =>
    keyed.map((entries) => ({ ...entries, path: [parameters, ...entries.path] })),
  );
  return [...inParameters, CHARACTERISTICS].flatMap((entries) =>
    repeatsOf(entriesIn(value, entries), ({ key }) => key).repeats.map(({ item, first }) => {
      const placeOf = ({ below, at }: KeyedItem): NonNullable<Diagnostic['where']> =>
        at === 'key' ? locateKey(document, [...path, ...below]) : locateValue(document, [...path, ...below]);
      return finding('config/repeated-entry', {
        message: `the ${entries.what} ${quoted(item.name)} stands twice here`,
        hint: `${entries.anyCase === true ? 'the case of header names does not matter: ' : ''}keep one entry with all that it sets; the other one is at ${formatPlace(placeOf(first))}`,
        where: placeOf(item),
      });
    }),
  );
}

interface KeyedItem {
  readonly name: string;
  /** Equal for entries about the same thing; undefined where the schema reports the entry. */
  readonly key: string | undefined;
  readonly below: ValuePath;
  readonly at: 'key' | 'value';
}

function entriesIn(rule: JsonValue, { path, by, anyCase }: KeyedEntries): readonly KeyedItem[] {
  const keyOf = (name: string): string => (anyCase === true ? name.toLowerCase() : name);
  const entries = path.reduce<JsonValue | undefined>((value, key) => objectOf(value)[key], rule);
  if (isJsonObject(entries)) {
    return Object.keys(entries).map((name) => ({
      name,
      key: keyOf(name),
      below: [...path, name],
      at: 'key',
    }));
  }
  return (isJsonArray(entries) ? entries : []).map((entry, index) => {
    const member = by?.find((one) => objectOf(entry)[one] !== undefined);
    const named = member === undefined ? entry : objectOf(entry)[member];
    const name = typeof named === 'string' ? named : canonicalJson(named);
    const below = member === undefined ? [...path, index] : [...path, index, member];
    return { name, key: keyOf(name), below, at: 'value' };
  });
}
