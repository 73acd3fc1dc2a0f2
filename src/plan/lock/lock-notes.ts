import { counted } from '../../model/count.ts';
import type { LockedRuleset, ManagedLock, ManagedLookUp } from '../../model/managed-lock.ts';
import { LOCK_FILE } from '../../model/managed-lock.ts';
import type { PlanNote } from '../../model/plan.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { NamedRule } from '../overrides/explain-overrides.ts';
import { namedRules } from '../overrides/explain-overrides.ts';
import type { Deployment, Selector } from './make-lock.ts';

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

function facts({ id, content, categories = [] }: LiveRule): NamedRule {
  return { id, name: content.description, tags: categories };
}
