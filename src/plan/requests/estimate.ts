import {
  plainEntrypoints,
  FEWEST_FOR_LISTING,
  SCOPES_PER_PAGE,
  changingScopes,
  objectSteps,
  ofObject,
} from '../../model/index.ts';
import type {
  ByObject,
  PlannedScope,
  ScopePlan,
  ScopeKind,
  ScopeRef,
  DesiredScope,
} from '../../model/index.ts';
import { namesLists } from '../names/ruleset-names.ts';
import type { WriteStrategy } from './writes.ts';
import { writesOf } from './writes.ts';

/**
 * Returns the number of requests for reading a scope of which nothing is known yet: one per ruleset, and one for the list unless only plain
 * entry points are declared, and one per setting. Further pages of a list come on top, as does a list needed because a live rule names another ruleset.
 */
export function scopeRequests(scope: DesiredScope): number {
  const { settings = [] } = scope;
  return (plainEntrypoints(scope)?.length ?? 1 + scope.rulesets.length) + settings.length;
}

/**
 * Estimates the requests for reading what the files declare: the look-ups; each scope; the account's rulesets if a zone's custom rulesets have
 * to be told from the account's; and the account's lists if a rule names one. Nothing is assumed to be known of a scope, unless `requestsOf`
 * says otherwise.
 */
export function readingRequests(
  scopes: readonly DesiredScope[],
  requestsOf: (scope: DesiredScope) => number = scopeRequests,
): number {
  const reads = scopes.reduce((sum, scope) => sum + requestsOf(scope), 0);
  const customs = scopes.some(
    ({ scope, rulesets }) =>
      scope.kind === 'zone' && rulesets.some(({ address }) => address.kind === 'custom'),
  );
  return lookUps(scopes) + reads + (customs ? 1 : 0) + (scopes.some(namesLists) ? 1 : 0) + listReads(scopes);
}

/** Counts the requests for lists: each account once more by its name, all its lists, and a page of each list; longer ones take more. */
function listReads(scopes: readonly DesiredScope[]): number {
  return scopes.reduce((sum, { lists = [] }) => sum + (lists.length === 0 ? 0 : 2 + lists.length), 0);
}

/** Returns the number of requests for looking scopes up. */
function lookUps(scopes: readonly { readonly scope: ScopeRef }[]): number {
  const labels = (kind: ScopeKind): number =>
    new Set(scopes.filter(({ scope }) => scope.kind === kind).map(({ scope }) => scope.name)).size;
  const zones = labels('zone');
  return labels('account') + (zones < FEWEST_FOR_LISTING ? zones : Math.ceil(zones / SCOPES_PER_PAGE));
}

/** How a plan will be applied. */
interface ApplyingOptions {
  readonly strategy: WriteStrategy;
  readonly preflight: 'auto' | 'off';
  readonly dryRun: boolean;
  readonly origin: 'fresh' | 'saved';
}

/**
 * Estimates the requests for applying a plan when nothing goes wrong:
 * - one read per base;
 * - the writes;
 * - one check for a twin per custom ruleset that is created;
 * - if there is more than one write, one dry run per step and two probes per kind of scope;
 * - for a saved plan also the look-ups of its scopes and, if it has several steps, one list per scope to see what changed.
 */
export function applyingRequests(scopes: readonly ScopePlan[], options: ApplyingOptions): number {
  const busy = changingScopes(scopes);
  const steps = busy.flatMap((scope) => scope.steps);
  const made = steps.filter(({ operation, target }) => operation === 'create' && target.level === 'custom');
  const writes = steps.reduce((sum, step) => sum + writesOf(step, options.strategy).length, 0) + made.length;
  const kinds = new Set(busy.map(({ scope }) => scope.kind)).size;
  const checked = options.preflight === 'auto' && (options.dryRun || !isLoneWrite(busy, options.strategy));
  const looks = options.origin === 'saved' ? lookUps(busy) + (steps.length > 1 ? busy.length : 0) : 0;
  const objects = objectSteps(busy);
  return (
    looks +
    steps.length +
    (options.dryRun ? 0 : writes) +
    (checked ? steps.length + 2 * kinds : 0) +
    objects.reduce((sum, step) => sum + (options.dryRun ? 1 : ofObject(step, OBJECT_REQUESTS)), 0)
  );
}

/** The requests of a step on an object: of a list, roughly a look before and after it, the write, and two questions for its operation. */
const OBJECT_REQUESTS: ByObject<number> = { list: () => 5, setting: () => 3 };

/**
 * Whether the whole run is a single write. The service carries it out as a whole or refuses it, so nothing of the plan is left half-done: a dry
 * run first could only say what the request itself says.
 */
export function isLoneWrite(scopes: readonly PlannedScope[], strategy: WriteStrategy): boolean {
  const steps = scopes.flatMap((scope) => scope.steps);
  const [only, ...others] = steps;
  return (
    only !== undefined &&
    others.length === 0 &&
    objectSteps(scopes).length === 0 &&
    writesOf(only, strategy).length === 1
  );
}

/** The progress of a run. */
interface Advance {
  /** Number of requests sent so far, and milliseconds spent on them without waiting for the limit. */
  readonly sent: number;
  readonly workedMs: number;
  /** Estimated number of requests still to come. */
  readonly remaining: number;
  /** Least time, in milliseconds, that the last of them waits for the limit. */
  readonly waitMs: number;
}

/** Estimates how long a run still takes, in milliseconds: the time that the limit imposes, or at the pace so far, if that is longer. */
export function timeLeft({ sent, workedMs, remaining, waitMs }: Advance): number {
  return Math.max(waitMs, sent === 0 ? 0 : (workedMs / sent) * remaining);
}
