import type {
  Diagnostic,
  Ignored,
  RuleOwnership,
  RulesetAddress,
  ScopeKind,
  ScopeRef,
  Labels,
  SourceSpan,
} from '../../model/index.ts';
import { isJsonArray, isJsonObject, listOf, objectOf, repeatsOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { phaseFacts, foldedName, formatPlace } from '../../model/index.ts';
import { STAR_PATTERN, nearName } from '../../text/index.ts';
import { validateAccount, validateEntryPoint, validateZone } from '../generated/validators.mjs';
import { mayBeNewPhase } from '../schema/describe-key.ts';
import type { SchemaError } from '../schema/schema-error.ts';
import { errorsIn, fixableFindings } from '../schema/validate-document.ts';
import { locateKey, locateValue, pathKey } from '../yaml/yaml-document.ts';
import type { ValuePath, WrittenWindow, YamlDocument } from '../yaml/yaml-document.ts';
import { finding } from '../source/finding.ts';
import type { IgnoreList } from './project-settings.ts';
import { checkIgnored, readIgnored, ruleOwnership } from './project-settings.ts';

/** A scope that a file is about. */
export interface FileScope {
  readonly ref: ScopeRef;
  /** Path of its name. */
  readonly path: ValuePath;
  readonly labels: Labels;
  /** What its file says of its plan level, and the path of that; absent where it says nothing. */
  readonly plan?: { readonly path: ValuePath; readonly value: JsonValue };
  /** Variables that only this scope has, and their path; absent where there are none. */
  readonly vars?: { readonly path: ValuePath; readonly value: JsonValue };
  /** When its rules are active, of all that the file declares, and the path of that; absent where the file does not limit this scope alone. */
  readonly active?: { readonly path: ValuePath; readonly value: JsonObject };
}

/** Keys that say which scopes a file is about. */
export const SCOPE_KEYS = ['zone', 'zones', 'account'] as const;

/** The scopes of a file; `kind` is absent where the file does not name them correctly. */
export interface FileScopes {
  readonly kind?: ScopeKind;
  readonly scopes: readonly FileScope[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the scopes that a file is about: one zone or account, or the zones of a list, each once. */
export function scopesIn(document: YamlDocument): FileScopes {
  const { value } = document;
  const key = isJsonObject(value) ? SCOPE_KEYS.find((name) => Object.hasOwn(value, name)) : undefined;
  if (!isJsonObject(value) || key === undefined) {
    return { scopes: [], diagnostics: [noScope(document)] };
  }
  const kind = key === 'account' ? 'account' : 'zone';
  if (kind === 'zone' && Object.hasOwn(value, 'account')) {
    return { scopes: [], diagnostics: [twoScopes(document)] };
  }
  const shared = { labels: labelsIn(value), ...planIn(value, []) };
  const listed = kind === 'zone' ? listOf(value['zones']) : [];
  return {
    kind,
    ...eachOnce(document, [
      ...textScope(value[kind], { kind, path: [kind], ...shared }),
      ...listed.flatMap((item, index) => listedZone(item, index, shared)),
    ]),
  };
}

/** What a file says of all its scopes. */
type SharedFacts = Pick<FileScope, 'labels' | 'plan'>;

function textScope(
  name: JsonValue | undefined,
  { kind, path, ...shared }: SharedFacts & { readonly kind: ScopeKind; readonly path: ValuePath },
): readonly FileScope[] {
  // One zone has one spelling, even where nothing looks the zone up: files, shards and targets go by its name.
  return typeof name === 'string' && name !== ''
    ? [{ ref: { kind, name: foldedName({ kind, name }) }, path, ...shared }]
    : [];
}

function listedZone(item: JsonValue, index: number, shared: SharedFacts): readonly FileScope[] {
  const path = ['zones', index];
  if (!isJsonObject(item)) {
    return textScope(item, { kind: 'zone', path, ...shared });
  }
  const { vars, active } = item;
  const named = textScope(item['name'], {
    kind: 'zone',
    path: [...path, 'name'],
    ...shared,
    labels: { ...shared.labels, ...labelsIn(item) },
    ...planIn(item, path),
  });
  return named.map((scope) => ({
    ...scope,
    ...(vars === undefined ? {} : { vars: { path: [...path, 'vars'], value: vars } }),
    ...(isJsonObject(active) ? { active: { path: [...path, 'active'], value: active } } : {}),
  }));
}

function planIn(holder: JsonObject, path: ValuePath): Pick<FileScope, 'plan'> {
  const { plan } = holder;
  return plan === undefined ? {} : { plan: { path: [...path, 'plan'], value: plan } };
}

function labelsIn(holder: JsonObject): Labels {
  const labels = isJsonObject(holder['labels']) ? Object.entries(holder['labels']) : [];
  return Object.fromEntries(
    labels.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
}

function eachOnce(document: YamlDocument, scopes: readonly FileScope[]): Omit<FileScopes, 'kind'> {
  const { firsts, repeats } = repeatsOf(scopes, ({ ref }) => ref.name);
  return {
    scopes: [...firsts.values()],
    diagnostics: repeats.map(({ item, first }) =>
      finding('config/zone-twice', {
        message: `the zone ${item.ref.name} appears twice in the list`,
        hint: `the first one is at ${formatPlace(locateValue(document, first.path))}; keep one of them`,
        where: locateValue(document, item.path),
      }),
    ),
  };
}

function noScope(document: YamlDocument): Diagnostic {
  const { value } = document;
  const given = isJsonObject(value) ? Object.keys(value) : [];
  const mistyped = given.flatMap((key) => {
    const meant = OTHER_KEYS.has(key) ? undefined : nearName(key, SCOPE_KEYS);
    return meant === undefined ? [] : [{ key, meant }];
  })[0];
  return finding('config/no-scope', {
    message: 'the file names neither a zone nor an account',
    hint:
      mistyped === undefined
        ? otherForm(value)
        : `did you mean \`${mistyped.meant}\` by \`${mistyped.key}\`?`,
    where: locateKey(document, mistyped === undefined ? [] : [mistyped.key]),
  });
}

/** Returns how to mend a file in which no key looks like one of a scope. */
function otherForm(value: JsonValue | undefined): string {
  const [, key] = typeof value === 'string' ? (/^(zones?|account):\S/u.exec(value) ?? []) : [];
  if (key !== undefined) {
    return `write a space after the colon: \`${key}: \`, then the name`;
  }
  const first = objectOf(listOf(value)[0]);
  const isList = SCOPE_KEYS.some((name) => Object.hasOwn(first, name));
  return isList
    ? 'a file is no list: leave out the `- ` before its first key, and give each further zone a file of its own'
    : "begin it with `zone: example.com`, `zones: [...]` or `account: name`, or take it out of the project's `files`";
}

/** Other keys of such a file, which are never a mistyped key of a scope. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['name', 'rules', 'vars', 'pack', 'tests']);

function twoScopes(document: YamlDocument): Diagnostic {
  return finding('config/two-scopes', {
    message: 'the file names both a zone and an account',
    hint: 'give each its own file',
    where: locateKey(document, ['account']),
  });
}

/** A rule as a file has it: a mapping whose members may still be wrong. */
export interface DeclaredRule {
  readonly path: ValuePath;
  readonly value: JsonObject;
  /** The windows of the uses of packs that brought it, outermost first. */
  readonly windows: readonly WrittenWindow[];
}

/** A ruleset as a file has it. */
export interface DeclaredRuleset {
  readonly document: YamlDocument;
  readonly scope: ScopeRef;
  readonly path: ValuePath;
  readonly address: RulesetAddress;
  readonly value: JsonObject;
  readonly rules: readonly DeclaredRule[];
  /** The windows that the file has for its scope, and the ruleset for its rules, outermost first. */
  readonly windows: readonly WrittenWindow[];
  /** The ownership set by the ruleset, or else by its scope in this file. */
  readonly ownership?: RuleOwnership | undefined;
  /** Differences that the ruleset, and its scope in this file, accept. */
  readonly ignore: readonly Ignored[];
  readonly where: SourceSpan;
}

/** What a zone or account file declares for one scope. */
export interface ScopeFile {
  readonly document: YamlDocument;
  readonly scope: ScopeRef;
  readonly value: JsonObject;
  readonly ownership: RuleOwnership | undefined;
  readonly rulesets: readonly DeclaredRuleset[];
}

/** Returns what a file without packs and variables declares for each of its scopes, as far as that can be made out. */
export function scopeFilesIn(document: YamlDocument): readonly ScopeFile[] {
  return scopesIn(document).scopes.map((scope) => takeOut(document, scope));
}

/** Returns the schema's findings in a zone or account file. A value at one of the `unasked` paths may be missing or anything. */
export function checkSchema(
  document: YamlDocument,
  kind: ScopeKind,
  unasked: ReadonlySet<string> = new Set(),
): readonly Diagnostic[] {
  return fixableFindings(errorsOf(document, kind), unasked);
}

/** Returns the schema errors behind these findings, for a file as written; none where the file is not about zones or an account. */
export function schemaErrorsIn(document: YamlDocument): readonly SchemaError[] {
  const { kind } = scopesIn(document);
  return kind === undefined ? [] : errorsOf(document, kind);
}

function errorsOf(document: YamlDocument, kind: ScopeKind): readonly SchemaError[] {
  return [
    ...(kind === 'zone' ? errorsIn(document, validateZone) : errorsIn(document, validateAccount)),
    ...newPhases(document).flatMap((part) => errorsIn(document, validateEntryPoint, part)),
  ];
}

/** Returns entry points of phases that this version does not know. The schema does not look into them, since the service may have them. */
function newPhases({ value }: YamlDocument) {
  return Object.entries(objectOf(objectOf(value)['entrypoints']))
    .filter(([phase]) => mayBeNewPhase(phase))
    .map(([phase, body]) => ({ path: ['entrypoints', phase], value: body }));
}

/** Reports what the schema cannot see in the `ignore` lists of a file. `today` is `YYYY-MM-DD`; without it, no entry is reported as expired. */
export function checkIgnoreLists(
  { document, value, rulesets }: ScopeFile,
  today?: string,
): readonly Diagnostic[] {
  return [listIn([], value), ...rulesets.map((ruleset) => listIn(ruleset.path, ruleset.value))].flatMap(
    (list) => checkIgnored(document, list, today),
  );
}

/**
 * Extracts what a document declares for one of its scopes. Malformed parts have their findings from the schema and are left out, so that later
 * checks see the rest and one run has all findings.
 */
export function takeOut(document: YamlDocument, { ref: scope, active }: FileScope): ScopeFile {
  const value = isJsonObject(document.value) ? document.value : {};
  const inherited = ownershipIn(value);
  const everywhere = readIgnored(document, listIn([], value));
  const limits = [
    ...windowIn(document, [], value),
    ...(active === undefined
      ? []
      : [{ place: { document, path: active.path, via: [] }, value: active.value }]),
  ];
  const declared = (path: ValuePath, address: RulesetAddress, body: JsonObject): DeclaredRuleset => {
    return {
      document,
      scope,
      path,
      address,
      value: body,
      rules: rulesIn(document, path, body),
      windows: [...limits, ...windowIn(document, path, body)],
      ownership: ownershipIn(body) ?? inherited,
      ignore: [...readIgnored(document, listIn(path, body)), ...everywhere],
      where: address.kind === 'custom' ? locateValue(document, [...path, 'name']) : locateKey(document, path),
    };
  };
  return {
    document,
    scope,
    value,
    ownership: inherited,
    rulesets: [
      ...entriesIn(value['entrypoints']).flatMap(([phase, body]) =>
        hasEntryPoint(phase, scope.kind)
          ? [declared(['entrypoints', phase], { kind: 'entrypoint', phase }, body)]
          : [],
      ),
      ...itemsIn(value['rulesets']).flatMap(([index, body]) => {
        const { name, phase } = body;
        return typeof name === 'string' && typeof phase === 'string'
          ? [declared(['rulesets', index], { kind: 'custom', phase, name }, body)]
          : [];
      }),
    ],
  };
}

function listIn(path: ValuePath, value: JsonObject): IgnoreList {
  return { path: [...path, 'ignore'], value: value['ignore'] };
}

function hasEntryPoint(phase: string, kind: ScopeKind): boolean {
  return phaseFacts(phase)?.entrypoints.includes(kind) ?? mayBeNewPhase(phase);
}

function rulesIn(document: YamlDocument, path: ValuePath, body: JsonObject): readonly DeclaredRule[] {
  const { rules } = body;
  const list = [...path, 'rules'];
  const grafts = document.grafts?.get(pathKey(list));
  return listOf(rules).flatMap((value, index) =>
    isJsonObject(value) ? [{ path: [...list, index], value, windows: grafts?.[index]?.windows ?? [] }] : [],
  );
}

/** Returns the window that a mapping has by its `active`. */
export function windowIn(
  document: YamlDocument,
  path: ValuePath,
  { active }: JsonObject,
): readonly WrittenWindow[] {
  return isJsonObject(active)
    ? [{ place: { document, path: [...path, 'active'], via: [] }, value: active }]
    : [];
}

function ownershipIn(value: JsonObject): RuleOwnership | undefined {
  const rules = isJsonObject(value['ownership']) ? value['ownership']['rules'] : undefined;
  if (isJsonArray(rules)) {
    const patterns = rules.filter((pattern) => typeof pattern === 'string');
    // The rules that a malformed pattern was meant to match are unknown, so none is reported as not owned.
    return patterns.every((pattern) => STAR_PATTERN.test(pattern))
      ? ruleOwnership(patterns)
      : { kind: 'all' };
  }
  return typeof rules === 'string' ? ruleOwnership(rules) : undefined;
}

function entriesIn(value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([key, body]) => (isJsonObject(body) ? [[key, body] as const] : []));
}

function itemsIn(value: JsonValue | undefined): readonly (readonly [number, JsonObject])[] {
  const items = listOf(value);
  return items.flatMap((body, index) => (isJsonObject(body) ? [[index, body] as const] : []));
}
