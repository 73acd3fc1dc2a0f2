import { authorKey, DIFFERENCES, objectDifference, ofObject, plannedScopes } from '../../model/index.ts';
import type {
  ChangeAuthors,
  AuditEntry,
  AuditReading,
  AuthorNotKnown,
  AuthorsOfChange,
  ChangedBy,
  ObjectStep,
  OwnWrites,
  Plan,
  PlannedScope,
  Scope,
  Step,
} from '../../model/index.ts';
import { concernsList, concernsSetting, mayMake, rulesetWriteOf } from './concerns.ts';
import { claimOf } from './client-claim.ts';
import { secondInUtc } from '../../text/index.ts';

/** What the authors are found from. */
export interface AuthorSources {
  /** The audit logs, by the id of the account. */
  readonly logs: ReadonlyMap<string, AuditReading>;
  readonly own: OwnWrites;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long the service keeps entries, in milliseconds. */
  readonly retention: number;
}

/** By how much the time of an entry and that of the version that it made may differ: both are the service's own. */
const SAME_MOMENT_MS = 10_000;

/** How long an entry may take to appear (assumed: no source says it). */
const DELAY_MS = 900_000;

/**
 * Finds in the audit logs who made the changes that a plan would undo. A write counts for a change only if it is certain that it was made to the same
 * ruleset, list or setting, after the last write of this project's own runs, and no later than the live version; and for a rule only if it can have
 * made that difference. What is missing is said.
 */
export function findAuthors(plan: Pick<Plan, 'scopes'>, sources: AuthorSources): ChangeAuthors {
  return new Map(
    plannedScopes(plan.scopes).flatMap((planned) => {
      const log = sources.logs.get(planned.scope.accountId) ?? NOT_READ;
      return [
        ...planned.steps.flatMap((step) => authorsOfStep(step, planned, { log, ...sources })),
        ...(planned.objects ?? []).map((step) => authorOfObject(step, planned.scope, { log, ...sources })),
      ];
    }),
  );
}

const NOT_READ: AuditReading = {
  kind: 'unread',
  why: { reason: 'not-asked', message: 'the audit log was not asked' },
};

interface OneLog extends AuthorSources {
  readonly log: AuditReading;
}

type Keyed = readonly [key: string, authorship: AuthorsOfChange];

function authorsOfStep(step: Step, { scope }: PlannedScope, sources: OneLog): readonly Keyed[] {
  const { log, own } = sources;
  const keyOf = (change: Step['changes'][number]): string =>
    authorKey({ step: step.id, rule: change.ref, difference: DIFFERENCES[change.kind] });
  if (log.kind === 'unread') {
    return step.changes.map((change) => [keyOf(change), { changed_by: [], not_known: log.why }]);
  }
  const { base } = step;
  const made = base.kind === 'version' ? Date.parse(base.lastUpdated) : Number.NaN;
  const version = base.kind === 'version' ? Number(base.version) : null;
  const written = base.kind === 'version' ? (own.versions.get(base.id) ?? null) : null;
  const writes = new Map(
    log.entries.flatMap((entry) => {
      const write = rulesetWriteOf(entry, step, { scope, own });
      const told = entry.version === null ? null : Number(entry.version);
      const isLater = version !== null && told !== null && told > version;
      const isEarlier = written !== null && told !== null && told < written;
      return write === null || isLater || isEarlier ? [] : [[entry, write] as const];
    }),
  );
  const after = sinceOwn([...writes.keys()], { ...sources, log, made, written, version });
  const live = new Set([
    ...(step.operation === 'update' ? step.staying : []),
    ...step.changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])),
  ]);
  return step.changes.map((change) => {
    const entries = after.entries.filter((entry) => {
      const write = writes.get(entry);
      return write !== undefined && mayMake(write, change, { ref: entry.ref, live });
    });
    return [keyOf(change), authorship(entries, after.why(entries))];
  });
}

/** Returns the key of what differs in a list or a setting. */
function objectKey(step: ObjectStep): string {
  return authorKey({ step: step.id, rule: '', difference: objectDifference(step) });
}

function authorOfObject(step: ObjectStep, scope: Scope, sources: OneLog): Keyed {
  const key = objectKey(step);
  const { log } = sources;
  if (log.kind === 'unread') {
    return [key, { changed_by: [], not_known: log.why }];
  }
  const { entries, made } = ofObject(step, {
    list: (list) => ({
      entries: log.entries.filter((entry) => concernsList(entry, list, scope)),
      made: list.base.kind === 'list' ? Date.parse(list.base.modifiedOn) : Number.NaN,
    }),
    setting: (setting) => ({
      entries: log.entries.filter((entry) => concernsSetting(entry, setting, scope)),
      made: Number.NaN,
    }),
  });
  const after = sinceOwn(entries, { ...sources, log, made, written: null, version: null });
  return [key, authorship(after.entries, after.why(after.entries))];
}

interface AuthorSearch extends AuthorSources {
  readonly log: Extract<AuditReading, { readonly kind: 'read' }>;
  /** When the live state was made; NaN where the service does not say. */
  readonly made: number;
  /** The live version, and the last one that a run of this project wrote; null where that is not known. */
  readonly version: number | null;
  readonly written: number | null;
}

/** Returns the entries between the last write of our own and the live state, the oldest first, and says why those found are not all. */
function sinceOwn(
  found: readonly AuditEntry[],
  window: AuthorSearch,
): {
  readonly entries: readonly AuditEntry[];
  readonly why: (chosen: readonly AuditEntry[]) => AuthorNotKnown | undefined;
} {
  const { own, made, written, version } = window;
  const inTime = found
    .filter(({ at }) => Number.isNaN(made) || at <= made + SAME_MOMENT_MS)
    .toSorted((one, other) => one.at - other.at);
  const standing = inTime.filter(({ id, ray }) => !own.undone.has(id) && !own.undone.has(ray));
  const lastOwn = standing.findLastIndex(
    (entry) =>
      own.ids.has(entry.id) ||
      (entry.ray !== '' && own.ids.has(entry.ray)) ||
      (written !== null && entry.version !== null && Number(entry.version) === written),
  );
  const isLive = written !== null && written === version;
  const entries = isLive ? [] : standing.slice(lastOwn + 1);
  const newest = inTime.at(-1);
  const isWhole = newest !== undefined && madeLive(newest, window);
  const isOverwritten = written !== null && version !== null && written < version;
  const isOwn = isLive || (lastOwn !== -1 && entries.length === 0 && isWhole && !isOverwritten);
  return {
    entries,
    why: (chosen) => {
      if (isOwn) {
        return OWN;
      }
      if (!isWhole) {
        return lacking(window);
      }
      return chosen.length === 0 ? noEntry(window) : undefined;
    },
  };
}

/** Whether an entry is that of the write that made the live state. */
function madeLive({ at, version: told }: AuditEntry, { made, version }: AuthorSearch): boolean {
  return (
    (Number.isNaN(made) || at >= made - SAME_MOMENT_MS) &&
    (told === null || version === null || Number(told) === version)
  );
}

const OWN: AuthorNotKnown = {
  reason: 'own',
  message: 'nobody changed live since Rulewright wrote it, by apply or rollback',
};

function noEntry({ log }: AuthorSearch): AuthorNotKnown {
  return {
    reason: 'no-entry',
    message: `the audit log, read back to ${secondInUtc(log.since)}, has nothing about it`,
  };
}

/** Says why the log has no entry for the write that made the live state. */
function lacking(window: AuthorSearch): AuthorNotKnown {
  const { log, made, now, retention } = window;
  if (made < now - retention) {
    return { reason: 'too-old', message: 'the audit log goes back 18 months only' };
  }
  if (log.cutAt !== null && !(made > log.cutAt)) {
    return {
      reason: 'cut',
      message: `the audit log has too many entries to read them all; it was read back to ${secondInUtc(log.cutAt)}`,
    };
  }
  if (made < log.since) {
    return {
      reason: 'before-since',
      message: `the audit log was read back to ${secondInUtc(log.since)} only`,
    };
  }
  if (Math.abs(now - made) < DELAY_MS) {
    return {
      reason: 'delayed',
      message: 'the audit log does not have it yet, since entries come some minutes late',
    };
  }
  return noEntry(window);
}

function authorship(entries: readonly AuditEntry[], why: AuthorNotKnown | undefined): AuthorsOfChange {
  return { changed_by: entries.map(changedBy), ...(why === undefined ? {} : { not_known: why }) };
}

function changedBy({ id, at, actor, via, userAgent }: AuditEntry): ChangedBy {
  const claims = via === 'dashboard' ? '' : claimOf(userAgent);
  return {
    at: new Date(at).toISOString(),
    actor,
    via,
    ...(claims === '' ? {} : { claims }),
    audit_id: id,
  };
}
