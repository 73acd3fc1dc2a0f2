import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ignored } from '../../model/ignored.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { RuleOwnership, RulesetAddress } from '../../model/ruleset.ts';
import { STAR_PATTERN } from '../../model/star-pattern.ts';
import type { ScopeKind, ScopeRef } from '../../model/scope.ts';
import type { SourceSpan } from '../../model/source.ts';
import { validateAccount, validateEntryPoint, validateZone } from '../generated/validators.mjs';
import { mayBeNewPhase } from '../schema/describe-key.ts';
import type { SchemaError } from '../schema/schema-error.ts';
import { errorsIn, fixableFindings } from '../schema/validate-document.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { IgnoreList } from './ignored.ts';
import { checkIgnored, readIgnored } from './ignored.ts';
import { scopesIn } from './file-scopes.ts';
import type { FileScope } from './file-scopes.ts';
import { ruleOwnership } from './settings.ts';

/** A rule as a file has it: a mapping whose members may still be wrong. */
export interface DeclaredRule {
  readonly path: ValuePath;
  readonly value: JsonObject;
}

/** A ruleset as a file has it. */
export interface DeclaredRuleset {
  readonly document: YamlDocument;
  readonly scope: ScopeRef;
  readonly path: ValuePath;
  readonly address: RulesetAddress;
  readonly value: JsonObject;
  readonly rules: readonly DeclaredRule[];
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
export function takeOut(document: YamlDocument, { ref: scope }: FileScope): ScopeFile {
  const value = isJsonObject(document.value) ? document.value : {};
  const inherited = ownershipIn(value);
  const everywhere = readIgnored(document, listIn([], value));
  const declared = (path: ValuePath, address: RulesetAddress, body: JsonObject): DeclaredRuleset => {
    return {
      document,
      scope,
      path,
      address,
      value: body,
      rules: rulesIn(path, body),
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

function rulesIn(path: ValuePath, body: JsonObject): readonly DeclaredRule[] {
  const { rules } = body;
  return listOf(rules).flatMap((value, index) =>
    isJsonObject(value) ? [{ path: [...path, 'rules', index], value }] : [],
  );
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
