import { groupBy, createLimitedMap, isJsonObject, objectOf, omit } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import {
  expressionMode,
  phaseOrder,
  contentFromWire,
  scopeLabel,
  startOf,
  expressionsIn,
  namedRulesets,
} from '../../model/index.ts';
import type {
  DesiredRule,
  RulesetUse,
  DesiredRuleset,
  RuleOwnership,
  RulesetAddress,
  Labels,
  ScopeRef,
  FileCause,
  RuleContent,
  SourceSpan,
  DesiredScope,
  ListKind,
  ListUse,
  DeclaredSettingField,
} from '../../model/index.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import { namedLists, utf16Offsets } from '../../expression/index.ts';
import { locateStretch } from '../yaml/locate-stretch.ts';
import type { DeclaredList } from '../lists/declared-lists.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from './scope-file.ts';
import type { StatedLevel } from './plan-level.ts';
import type { Settings } from './project-settings.ts';
import { NO_SETTINGS } from './project-settings.ts';
import { desiredSettings } from '../settings/declared-settings.ts';
import { withWindow } from './rule-window.ts';

/** What one file declares for one scope: as much as the scope's other files need once the text of this one is dropped. */
export interface Declaration {
  /** Path of the file, relative to the project folder. */
  readonly path: string;
  /** Paths of the packs that its rules come from. */
  readonly packs: readonly string[];
  readonly scope: ScopeRef;
  readonly labels: Labels;
  readonly where: SourceSpan;
  readonly settings: readonly ScopeSetting[];
  /** The plan levels that are said of a zone, in its file or by its labels; several only where its labels disagree. */
  readonly plans: readonly StatedLevel[];
  /** What the file says of its whole scopes about whose rules are whose. */
  readonly ownership: RuleOwnership | undefined;
  readonly heads: readonly RulesetHead[];
  readonly references: readonly CustomReference[];
  readonly lists: readonly DeclaredList[];
  /** The fields of settings of the zone. */
  readonly zoneSettings: readonly DeclaredSettingField[];
  /** The desired rulesets; empty where the file has an error. */
  readonly rulesets: readonly DesiredRuleset[];
}

/** A declared ruleset without its rules. */
export interface RulesetHead {
  readonly address: RulesetAddress;
  /** Whether the file asks to delete the ruleset. */
  readonly absent: boolean;
  /** The number of its rules. */
  readonly rules: number;
  readonly where: SourceSpan;
}

/** A rule that names a custom ruleset by its slug. */
export interface CustomReference {
  readonly slug: string;
  /** The phase in which the ruleset is executed; absent where it is skipped. */
  readonly phase?: string;
  readonly where: SourceSpan;
}

/** A setting for the whole scope; all files of the scope that have it must agree. */
export interface ScopeSetting {
  readonly key: 'token_env' | 'ownership.rulesets';
  readonly text: string;
  readonly where: SourceSpan;
}

/** Returns the lists that a declared rule names, each with its place in the file. */
export type ListUses = (ruleset: DeclaredRuleset, rule: DeclaredRule) => readonly ListUse[];

/** A list in the text of an expression; offsets count UTF-16 units. */
interface ListInText {
  readonly name: string;
  readonly holds: ListKind;
  readonly start: number;
  readonly end: number;
}

type ExpressionUse = 'filter' | 'value';

/** Most texts whose lists are remembered. */
const MAX_KNOWN = 10_000;

/** Creates a function that finds the lists in rules. It remembers the lists of each text, since packs bring one text into a hundred zones. */
export function createListUses(): ListUses {
  const known = createLimitedMap<readonly ListInText[]>(MAX_KNOWN);
  const listsIn = (text: string, mode: ExpressionUse): readonly ListInText[] => {
    const key = `${mode} ${text}`;
    return known.get(key) ?? known.keep(key, readLists(text, mode));
  };
  return ({ document }, { path, value }) => [
    ...expressionsIn(value).flatMap(({ path: inner, text, role }) =>
      role === 'characteristic' || !text.includes('$')
        ? []
        : listsIn(text, expressionMode(role)).map(({ name, holds, ...stretch }) => ({
            name,
            holds,
            where: locateStretch(document, [...path, ...inner], stretch).where,
          })),
    ),
    ...redirectList(value).map((name) => ({
      name,
      holds: 'redirect' as const,
      where: locateValue(document, [...path, ...REDIRECT_LIST]),
    })),
  ];
}

function readLists(text: string, mode: ExpressionUse): readonly ListInText[] {
  const offsets = utf16Offsets(text);
  return namedLists(text, mode).map(({ name, holds, span }) => ({
    name,
    holds,
    start: offsets(span.start),
    end: offsets(span.end),
  }));
}

/** Path of the list's name in a redirect rule (api.md 5.6). */
const REDIRECT_LIST = ['action_parameters', 'from_list', 'name'] as const;

function redirectList({ action_parameters: parameters }: JsonObject): readonly string[] {
  const list = objectOf(parameters)['from_list'];
  const name = objectOf(list)['name'];
  return typeof name === 'string' ? [name] : [];
}

/** Returns the rulesets that a declared rule executes or skips, each with its place in the file. */
export function rulesetUses(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly RulesetUse[] {
  const at = [...path, 'action_parameters'];
  return namedRulesets(value).map(({ reference, path: inner, isKey }) => ({
    reference,
    where: (isKey ? locateKey : locateValue)(document, [...at, ...inner]),
  }));
}

/** What the files of one scope declare. */
export interface ScopeGroup {
  readonly scope: ScopeRef;
  readonly files: readonly Declaration[];
  /** Whether all files of the scope are here; false where a run was narrowed to some. */
  readonly complete: boolean;
  /** The variable that holds the scope's token, as named by any of its files, even one that a narrowed run leaves out. */
  readonly token?: ScopeSetting | undefined;
}

/** Groups files by scope; the scopes are in the order of their first file. */
export function groupByScope(files: readonly Declaration[]): readonly ScopeGroup[] {
  const groups = groupBy(files, ({ scope }) => scopeLabel(scope));
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined
      ? []
      : [{ scope: first.scope, files: members, complete: true, token: tokenOf(members) }];
  });
}

/** Returns the setting of the first file that names a token; files that differ have a finding. */
function tokenOf(files: readonly Declaration[]): ScopeSetting | undefined {
  return files.flatMap(({ settings }) => settings).find(({ key }) => key === 'token_env');
}

/** Returns which rules of a declared ruleset are owned: as the ruleset says, else its scope, else the project. */
export function ownershipOf(ruleset: DeclaredRuleset, settings: Settings): DesiredRuleset['ownership'] {
  return ruleset.ownership ?? settings.ownership.rules;
}

/** Returns the labels of a scope, which any of its files may give. */
export function labelsOf({ files }: ScopeGroup): Labels {
  return Object.fromEntries(files.flatMap((file) => Object.entries(file.labels)));
}

/**
 * Returns the desired state of a scope whose files have no errors. In a narrowed run no custom ruleset counts as undeclared, because other files
 * of the scope may declare it.
 */
export function desiredScope(group: ScopeGroup, settings: Settings): DesiredScope {
  const { scope, files, token, complete } = group;
  const labels = labelsOf(group);
  const plan = files.flatMap(({ plans }) => plans)[0];
  const owned = complete ? (rulesetOwnership(group) ?? settings.ownership.rulesets) : 'declared';
  return {
    scope,
    tokenEnv: token?.text,
    tokenCause: token && causeOf(token.where),
    rulesetOwnership: owned,
    ...(owned === 'all' ? undeclaredRules(group, settings) : {}),
    rulesets: files.flatMap(({ rulesets }) => rulesets).toSorted(compareRulesets),
    ...(files.some(({ lists }) => lists.length > 0)
      ? { lists: files.flatMap(({ lists }) => lists.map(({ desired }) => desired)) }
      : {}),
    ...(files.some(({ zoneSettings }) => zoneSettings.length > 0)
      ? { settings: desiredSettings(files.flatMap(({ zoneSettings }) => zoneSettings)) }
      : {}),
    ...(settings.timeZone === NO_SETTINGS.timeZone ? {} : { timeZone: settings.timeZone }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(plan === undefined ? {} : { plan: plan.level, planCause: causeOf(plan.where) }),
    files: files.map(({ path }) => path),
    cause: causeOf(files[0]?.where),
  };
}

/** Returns what the files of a scope say about custom rulesets that they do not declare; undefined when they say nothing. */
function rulesetOwnership({ files }: ScopeGroup): 'declared' | 'all' | undefined {
  const said = files
    .flatMap((file) => file.settings)
    .flatMap(({ key, text }) => (key === 'ownership.rulesets' ? [text] : []));
  return said.includes('all') ? 'all' : said.includes('declared') ? 'declared' : undefined;
}

/** Whose the rules of undeclared rulesets are: a rule is ours where any file of the scope says so, or if none says anything, the project. */
function undeclaredRules(
  { files }: ScopeGroup,
  { ownership }: Settings,
): { readonly ruleOwnership?: RuleOwnership } {
  const said = files.flatMap((file) => file.ownership ?? []);
  const patterns = (said.length === 0 ? [ownership.rules] : said).map((one) =>
    one.kind === 'all' ? null : one.patterns,
  );
  return patterns.includes(null)
    ? {}
    : { ruleOwnership: { kind: 'patterns', patterns: [...new Set(patterns.flatMap((one) => one ?? []))] } };
}

/** Returns the desired rulesets of a file without errors. */
export function desiredRulesets(
  { rulesets }: ScopeFile,
  settings: Settings,
  listUses: ListUses,
): readonly DesiredRuleset[] {
  return rulesets.map((ruleset) => desiredRuleset(ruleset, settings, listUses));
}

function desiredRuleset(ruleset: DeclaredRuleset, settings: Settings, listUses: ListUses): DesiredRuleset {
  const { value, address } = ruleset;
  const ignore = [...ruleset.ignore, ...settings.ignore];
  return {
    address,
    presence: value['absent'] === true ? 'absent' : 'present',
    ...(typeof value['description'] === 'string' ? { description: value['description'] } : {}),
    rules: ruleset.rules.map((rule) => desiredRule(ruleset, rule, { listUses, settings })),
    ownership: ownershipOf(ruleset, settings),
    place: value['place'] === 'first' || value['place'] === 'last' ? value['place'] : 'any',
    ...(ignore.length === 0 ? {} : { ignore }),
    cause: causeOf(ruleset.where),
  };
}

function desiredRule(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  { listUses, settings }: { readonly listUses: ListUses; readonly settings: Settings },
): DesiredRule {
  const { path, value } = rule;
  const { ref, id } = value;
  const lists = listUses(ruleset, rule);
  const rulesets = rulesetUses(ruleset, rule);
  // In Node 20, each object that begins with a spread gets hidden classes of its own, which costs 9 µs and garbage that stays.
  return {
    adopt: value['adopt'] === true,
    content: contentFromWire(wireForm(withWindow(ruleset, rule, settings.timeZone).value)),
    cause: causeOf(locateKey(ruleset.document, path)),
    ...(typeof ref === 'string' ? { ref } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    ...(lists.length === 0 ? {} : { lists }),
    ...(rulesets.length === 0 ? {} : { rulesets }),
  };
}

/** Returns what the service would get of a declared rule, without its window. */
export function declaredContent({ value }: DeclaredRule): RuleContent {
  return contentFromWire(wireForm(value));
}

/** Returns the rule without the keys that only this program reads, and with its extra parameters merged in. */
function wireForm(value: JsonObject): JsonObject {
  const { action_parameters: known, extra_parameters: extra, adopt, owner, active } = value;
  if (extra === undefined && adopt === undefined && owner === undefined && active === undefined) {
    return value;
  }
  const rest = omit(value, ['adopt', 'extra_parameters', 'owner', 'active']);
  return isJsonObject(extra) ? { ...rest, action_parameters: { ...objectOf(known), ...extra } } : rest;
}

interface AddressedRuleset {
  readonly address: RulesetAddress;
}

/** Sorts entry points in the order in which their phases run, each after the custom rulesets of its phase. */
function compareRulesets(a: AddressedRuleset, b: AddressedRuleset): number {
  return (
    phaseOrder(a.address.phase) - phaseOrder(b.address.phase) ||
    Number(a.address.kind === 'entrypoint') - Number(b.address.kind === 'entrypoint')
  );
}

function causeOf(where: SourceSpan | undefined): FileCause {
  return where === undefined ? { file: '', line: 1, column: 1 } : startOf(where);
}
