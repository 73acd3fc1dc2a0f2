import type { JsonObject, JsonValue } from '../../data/index.ts';
import {
  ruleName,
  OVERRIDE_MEMBERS,
  readOverrides,
  stepId,
  LOCK_FILE,
  RulewrightError,
  errorMessage,
} from '../../model/index.ts';
import type {
  RuleName,
  LiveRule,
  LiveRuleset,
  LiveRulesetHead,
  Cause,
  DesiredScope,
  LiveScope,
  LockedRuleset,
  ManagedLock,
  ManagedLookUp,
  PlanNote,
} from '../../model/index.ts';
import { textOf, deploymentOf, namedRules } from '../overrides/explain-overrides.ts';
import { resolveTargets } from '../names/resolve-targets.ts';
import { counted } from '../../text/index.ts';
import type { NamedManagedRule } from '../overrides/explain-overrides.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';

/** A part of overrides that applies to managed rules: the whole ruleset, a category, or rules by id. */
interface Selector {
  /** Name of the selector in the lock. */
  readonly key: string;
  /** What the override does, for people: `action log`. */
  readonly does: string;
  /** The rule ids that the selector names; null when it also applies to future rules. */
  readonly ids: ReadonlySet<string> | null;
  readonly meets: (rule: LiveRule) => boolean;
}

/** Returns the selectors of overrides: the whole ruleset first, then categories by name, then rules. */
export function selectorsOf(overrides: JsonObject): readonly Selector[] {
  const { ruleset, categories, rules } = readOverrides(overrides);
  const whole = membersText(ruleset);
  const ids = new Set(rules.keys());
  return [
    ...(whole === '' ? [] : [{ key: 'ruleset', does: whole, ids: null, meets: () => true }]),
    ...[...categories]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([tag, { values }]): Selector => ({
        key: `category ${tag}`,
        does: membersText(values),
        ids: null,
        meets: ({ categories: tags = [] }) => tags.includes(tag),
      })),
    ...(ids.size === 0 ? [] : [{ key: 'rules', does: '', ids, meets: ({ id }: LiveRule) => ids.has(id) }]),
  ];
}

function membersText(values: JsonObject): string {
  return OVERRIDE_MEMBERS.flatMap((member) => {
    const value = values[member];
    return value === undefined ? [] : [`${member} ${textOf(value)}`];
  }).join(', ');
}

/** A declared rule that executes a managed ruleset with overrides. */
export interface Deployment extends RuleName {
  readonly step: string;
  readonly cause: Cause;
  readonly managed: LiveRulesetHead;
  readonly selectors: readonly Selector[];
}

/** Returns the deployments with overrides that the files of a scope declare, changed or not. */
export function deploymentsOf(
  desired: DesiredScope,
  { scope, catalogue }: Pick<LiveScope, 'scope' | 'catalogue'>,
): readonly Deployment[] {
  return desired.rulesets.flatMap(({ address, rules }) =>
    rules.flatMap(({ ref = '', content, cause }): readonly Deployment[] => {
      const resolved = resolveTargets(content, address.phase, { catalogue, created: [] }).content;
      const deployment = deploymentOf(resolved);
      const managed = catalogue.find(({ kind, id }) => kind === 'managed' && id === deployment?.id);
      if (deployment === null || managed === undefined) {
        return [];
      }
      const selectors = selectorsOf(deployment.overrides);
      return selectors.length === 0
        ? []
        : [
            {
              step: stepId(scope, address),
              ...ruleName(ref, content.description),
              cause,
              managed,
              selectors,
            },
          ];
    }),
  );
}

/** Makes the lock of all deployments of a project; sorted, so that the same service and files give the same lock. */
export function makeLock(
  deployments: readonly Deployment[],
  managed: ReadonlyMap<string, LiveRuleset>,
): ManagedLock {
  const rulesets = [...managed.values()].map((ruleset) =>
    lockRuleset(
      ruleset,
      deployments.filter((one) => one.managed.id === ruleset.id),
    ),
  );
  return { rulesets: rulesets.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

function lockRuleset(
  { id, name, version, rules }: LiveRuleset,
  deployments: readonly Deployment[],
): LockedRuleset {
  const meets = new Map<string, Set<string>>();
  for (const { key, meets: meetsRule } of deployments.flatMap(({ selectors }) => selectors)) {
    const met = meets.get(key) ?? new Set();
    meets.set(key, met);
    for (const rule of rules.filter((one) => meetsRule(one))) {
      met.add(rule.id);
    }
  }
  const sorted = [...meets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, ids]) => [key, [...ids].sort()] as const);
  return { id, name, version, meets: new Map(sorted) };
}

/** Returns the ids of the managed rulesets that must be read: those whose version differs from the lock's. */
export function movedSinceLock(deployments: readonly Deployment[], lock: ManagedLock): readonly string[] {
  const moved = deployments
    .map(({ managed }) => managed)
    .filter(({ id, version }) => (lockedOf(lock, id)?.version ?? version) !== version);
  return [...new Set(moved.map(({ id }) => id))];
}

/**
 * Notes which managed rules came under, or dropped out of, the project's overrides since the lock was written. `lookUps` has the rulesets of
 * `movedSinceLock`; the rules of all others are unchanged.
 */
export function lockNotes(
  deployments: readonly Deployment[],
  lock: ManagedLock,
  lookUps: ReadonlyMap<string, ManagedLookUp>,
): readonly PlanNote[] {
  return deployments.flatMap((deployment) => {
    const { managed, step, rule, description, cause, selectors } = deployment;
    const note = (kind: PlanNote['kind'], text: string): PlanNote => ({
      kind,
      step,
      rule,
      description,
      message: `${managed.name}: ${text}`,
      cause,
    });
    const locked = lockedOf(lock, managed.id);
    const unlocked = selectors.filter(({ key }) => locked?.meets.has(key) !== true);
    const toLock =
      unlocked.length === 0
        ? []
        : [
            note(
              'override',
              `${LOCK_FILE} lacks what overrides of ${unlocked.map(({ key }) => key).join(', ')} affect: write it with rulewright catalog --lock`,
            ),
          ];
    const found = lookUps.get(managed.id);
    if (locked === undefined || found === undefined) {
      return toLock;
    }
    if (found.kind === 'failed') {
      return [
        ...toLock,
        note('override-lock', `what came or went since the lock is not known: ${found.message}`),
      ];
    }
    const told = selectors.flatMap((selector) => changesOf(selector, locked, found.ruleset.rules));
    return [...toLock, ...told.map((text) => note('override-lock', text))];
  });
}

function lockedOf({ rulesets }: ManagedLock, id: string): LockedRuleset | undefined {
  return rulesets.find((ruleset) => ruleset.id === id);
}

function changesOf(
  { key, does, ids, meets }: Selector,
  locked: LockedRuleset,
  rules: readonly LiveRule[],
): readonly string[] {
  const before = locked.meets.get(key);
  if (before === undefined) {
    return [];
  }
  const known = new Set(before);
  const met = rules.filter((rule) => meets(rule));
  const now = new Set(met.map(({ id }) => id));
  // When overrides name rules by id, a new id comes from the files, not from the vendor.
  const came = ids === null ? met.filter(({ id }) => !known.has(id)) : [];
  const went = before.filter((id) => !now.has(id) && (ids?.has(id) ?? true));
  const by = does === '' ? key : `${key} (${does})`;
  const since = `since version ${locked.version} of the lock`;
  return [
    ...(came.length === 0
      ? []
      : [
          `overrides of ${by} affect ${counted(came.length, 'more managed rule')} ${since}: ${namedRules(came.map((rule) => facts(rule)))}`,
        ]),
    ...(went.length === 0
      ? []
      : [
          `overrides of ${by} affect ${counted(went.length, 'fewer managed rule')} ${since}: ${namedRules(went.map((id) => ({ id, name: '', tags: [] })))}`,
        ]),
  ];
}

function facts({ id, content, categories = [] }: LiveRule): NamedManagedRule {
  return { id, name: content.description, tags: categories };
}

/** Returns the text of the lock file; equal locks give equal bytes. */
export function lockText({ rulesets }: ManagedLock): string {
  const written = rulesets.map(({ meets, ...head }) => ({ ...head, meets: Object.fromEntries(meets) }));
  return `${JSON.stringify({ version: 1, rulesets: written }, null, 2)}\n`;
}

/** Parses the text of a lock file. Throws `lock/invalid` with the place of the first error. */
export function parseLock(text: string): ManagedLock {
  const document = parseJson(text);
  if (!isJsonObject(document) || document['version'] !== 1) {
    throw invalid('it has no "version": 1');
  }
  const { rulesets } = document;
  if (!isJsonArray(rulesets)) {
    throw invalid('rulesets is not a list');
  }
  return { rulesets: rulesets.map((entry, index) => readRuleset(entry, `rulesets[${index}]`)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(errorMessage(error));
  }
}

function readRuleset(entry: JsonValue, place: string): LockedRuleset {
  if (!isJsonObject(entry)) {
    throw invalid(`${place} is not an object`);
  }
  const { id, name, version, meets } = entry;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof version !== 'string') {
    throw invalid(`${place} needs id, name and version as texts`);
  }
  if (!isJsonObject(meets)) {
    throw invalid(`${place}.meets is not an object`);
  }
  const read = Object.entries(meets).map(([key, ids]) => {
    if (!isJsonArray(ids) || !ids.every((one) => typeof one === 'string')) {
      throw invalid(`${place}.meets[${JSON.stringify(key)}] is not a list of rule ids`);
    }
    return [key, ids] as const;
  });
  return { id, name, version, meets: new Map(read) };
}

function invalid(problem: string): RulewrightError {
  return new RulewrightError(`${LOCK_FILE} cannot be read: ${problem}`, {
    code: 'lock/invalid',
    fault: 'user',
    hint: 'restore it from Git, or write it again with rulewright catalog --lock',
  });
}
