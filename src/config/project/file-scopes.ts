import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonObject, listOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { Labels, ScopeKind, ScopeRef } from '../../model/scope.ts';
import { foldedName } from '../../model/scope.ts';
import { formatPlace } from '../../model/source.ts';
import { finding } from '../source/finding.ts';
import { nearName } from '../../model/near-name.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { repeatsOf } from '../../model/repeats.ts';

/** A scope that a file is about. */
export interface FileScope {
  readonly ref: ScopeRef;
  /** Path of its name. */
  readonly path: ValuePath;
  readonly labels: Labels;
  /** Variables that only this scope has, and their path; absent where there are none. */
  readonly vars?: { readonly path: ValuePath; readonly value: JsonValue };
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
  const labels = labelsIn(value);
  const listed = kind === 'zone' ? listOf(value['zones']) : [];
  return {
    kind,
    ...eachOnce(document, [
      ...textScope(value[kind], { kind, path: [kind], labels }),
      ...listed.flatMap((item, index) => listedZone(item, index, labels)),
    ]),
  };
}

function textScope(
  name: JsonValue | undefined,
  { kind, path, labels }: { readonly kind: ScopeKind; readonly path: ValuePath; readonly labels: Labels },
): readonly FileScope[] {
  // One zone has one spelling, even where nothing looks the zone up: files, shards and targets go by its name.
  return typeof name === 'string' && name !== ''
    ? [{ ref: { kind, name: foldedName({ kind, name }) }, path, labels }]
    : [];
}

function listedZone(item: JsonValue, index: number, labels: Labels): readonly FileScope[] {
  const path = ['zones', index];
  if (!isJsonObject(item)) {
    return textScope(item, { kind: 'zone', path, labels });
  }
  const { vars } = item;
  const named = textScope(item['name'], {
    kind: 'zone',
    path: [...path, 'name'],
    labels: { ...labels, ...labelsIn(item) },
  });
  return vars === undefined
    ? named
    : named.map((scope) => ({ ...scope, vars: { path: [...path, 'vars'], value: vars } }));
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
  const given = isJsonObject(document.value) ? Object.keys(document.value) : [];
  const mistyped = given.flatMap((key) => {
    const meant = OTHER_KEYS.has(key) ? undefined : nearName(key, SCOPE_KEYS);
    return meant === undefined ? [] : [{ key, meant }];
  })[0];
  return finding('config/no-scope', {
    message: 'the file names neither a zone nor an account',
    hint:
      mistyped === undefined
        ? "begin it with `zone: example.com`, `zones: [...]` or `account: name`, or take it out of the project's `files`"
        : `did you mean \`${mistyped.meant}\` by \`${mistyped.key}\`?`,
    where: locateKey(document, mistyped === undefined ? [] : [mistyped.key]),
  });
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
