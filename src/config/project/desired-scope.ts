import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, omit } from '../../model/json.ts';
import type { ListUse } from '../../model/list.ts';
import { phaseOrder } from '../../model/phase.ts';
import { contentFromWire } from '../../model/rule-fields.ts';
import type { DesiredRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import type { Labels, ScopeRef } from '../../model/scope.ts';
import type { Cause, SourceSpan } from '../../model/source.ts';
import { startOf } from '../../model/source.ts';
import type { DesiredScope } from '../../model/state.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ListUses } from './list-uses.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from './scope-file.ts';
import type { Settings } from './settings.ts';

/** The files of one scope. */
export interface ScopeGroup {
  readonly scope: ScopeRef;
  readonly files: readonly ScopeFile[];
  /** Whether these are all its files, or a run was narrowed to some. */
  readonly complete: boolean;
  /** The variable with its token as any of its files names it, also one that a run leaves out. */
  readonly tokenEnv?: string;
  readonly tokenCause?: Cause;
}

/** Brings the files of each scope together, scopes in the order of their first file. */
export function groupByScope(files: readonly ScopeFile[]): readonly ScopeGroup[] {
  const groups = new Map<string, ScopeFile[]>();
  for (const file of files) {
    const key = `${file.scope.kind}:${file.scope.name}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].flatMap((members) =>
    members[0] === undefined
      ? []
      : [{ scope: members[0].scope, files: members, complete: true, ...tokenOf(members) }],
  );
}

/** Files of one scope that name different tokens have a finding. */
function tokenOf(files: readonly ScopeFile[]): Pick<ScopeGroup, 'tokenEnv' | 'tokenCause'> {
  for (const { value, document } of files) {
    const tokenEnv = value['token_env'];
    if (typeof tokenEnv === 'string') {
      return { tokenEnv, tokenCause: causeOf(locateValue(document, ['token_env'])) };
    }
  }
  return {};
}

/** Which rules of a declared ruleset are ours: what it says, else its scope, else the project. */
export function ownershipOf(ruleset: DeclaredRuleset, settings: Settings): DesiredRuleset['ownership'] {
  return ruleset.ownership ?? settings.ownership.rules;
}

/**
 * What the files of a scope want. The files have no findings that are errors. In a narrowed run no
 * custom ruleset counts as undeclared, because the other files of the scope may declare it.
 */
export function desiredScope(group: ScopeGroup, settings: Settings, listUses: ListUses): DesiredScope {
  const [first] = group.files;
  const { scope, tokenEnv, tokenCause } = group;
  const labels: Labels = Object.fromEntries(group.files.flatMap((file) => Object.entries(file.labels)));
  return {
    scope,
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
    ...(tokenCause === undefined ? {} : { tokenCause }),
    rulesetOwnership: group.complete ? (rulesetOwnership(group) ?? settings.ownership.rulesets) : 'declared',
    rulesets: group.files
      .flatMap(({ rulesets }) => rulesets)
      .map((ruleset) => desiredRuleset(ruleset, settings, listUses))
      .sort(compareRulesets),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    cause: causeOf(first?.where),
  };
}

/** What the files of a scope themselves say about custom rulesets that they do not name. */
function rulesetOwnership(group: ScopeGroup): 'declared' | 'all' | undefined {
  const said = group.files.map(({ value }) =>
    isJsonObject(value['ownership']) ? value['ownership']['rulesets'] : undefined,
  );
  return said.includes('all') ? 'all' : said.includes('declared') ? 'declared' : undefined;
}

function desiredRuleset(ruleset: DeclaredRuleset, settings: Settings, listUses: ListUses): DesiredRuleset {
  const { value, address } = ruleset;
  const ignore = [...ruleset.ignore, ...settings.ignore];
  return {
    address,
    presence: value['absent'] === true ? 'absent' : 'present',
    ...(typeof value['description'] === 'string' ? { description: value['description'] } : {}),
    rules: ruleset.rules.map((rule) => desiredRule(ruleset, rule, listUses(ruleset, rule))),
    ownership: ownershipOf(ruleset, settings),
    place: value['place'] === 'first' ? 'first' : 'last',
    ...(ignore.length === 0 ? {} : { ignore }),
    cause: causeOf(ruleset.where),
  };
}

function desiredRule(
  ruleset: DeclaredRuleset,
  { path, value }: DeclaredRule,
  lists: readonly ListUse[],
): DesiredRule {
  const { ref, id } = value;
  return {
    ...(typeof ref === 'string' ? { ref } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    adopt: value['adopt'] === true,
    content: contentFromWire(wireForm(value)),
    ...(lists.length === 0 ? {} : { lists }),
    cause: causeOf(locateKey(ruleset.document, path)),
  };
}

/** The rule without what only we read, and with the parameters that the schema does not know. */
function wireForm(value: JsonObject): JsonObject {
  const { action_parameters: known, extra_parameters: extra } = value;
  const rest = omit(value, ['adopt', 'extra_parameters']);
  return isJsonObject(extra)
    ? { ...rest, action_parameters: { ...(isJsonObject(known) ? known : {}), ...extra } }
    : rest;
}

/** Entry points in the order in which they run, each after the custom rulesets of its phase. */
function compareRulesets(a: DesiredRuleset, b: DesiredRuleset): number {
  return (
    phaseOrder(a.address.phase) - phaseOrder(b.address.phase) ||
    Number(a.address.kind === 'entrypoint') - Number(b.address.kind === 'entrypoint')
  );
}

function causeOf(where: SourceSpan | undefined): Cause {
  return where === undefined ? { file: '', line: 1, column: 1 } : startOf(where);
}
