import type { Clock } from '../../network/clock.ts';
import { errorCode } from '../../files/error-code.ts';
import { leastRecentlySeen, markSeen, readSeen } from '../../live/seen-scopes.ts';
import { namesLists } from '../../plan/names/named-lists.ts';
import { RulewrightError } from '../../model/error.ts';
import { NOT_CHECKED } from '../../model/plan.ts';
import { scopeRequests } from '../../plan/requests/estimate.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { ScopeOutline } from '../../model/state.ts';
import { counted } from '../../model/count.ts';
import type { Report } from '../run/events.ts';

/** A bound on the requests of a run that reads. */
export interface RequestBound {
  readonly most: number;
  /** Folder of what tells when each scope was read last. */
  readonly folder: string;
}

/** Which scopes a run takes on, in which order. */
export interface Admission {
  readonly order: (scopes: readonly ScopeOutline[]) => readonly ScopeOutline[];
  /** Null to go on; else why the scope is left out. */
  readonly admit: (scope: ScopeOutline) => RulewrightError | null;
  /** A scope that was read or could not be, or was left out. */
  readonly ended: (scope: ScopeOutline) => void;
  /** Remembers what was read, for the next run; says where that does not work. */
  readonly close: () => Promise<void>;
}

/** Takes all scopes on, in the order of the files. */
export const ALL_SCOPES: Admission = {
  order: (scopes) => scopes,
  admit: () => null,
  ended: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Takes scopes on while the most that they may cost fits, those that have gone unread longest first, so
 * that some runs together see all of them. One that cannot be read gives way to the others as well, or a few of those would take up every
 * run; one that no run has room for is an error.
 */
export async function admitWithin(
  bound: RequestBound,
  {
    service,
    report,
    clock,
  }: {
    readonly service: { readonly identity: string; readonly requests: () => number };
    readonly report: Report;
    readonly clock: Clock;
  },
): Promise<Admission> {
  const { folder } = bound;
  const now = clock.now();
  const seen = await readSeen(folder, service.identity, now);
  const tried = new Set<string>();
  const admitted = new Set<ScopeOutline>();
  /** The requests for resolving the scopes, which every run does first. */
  let lookUps: number | null = null;
  const reserved = (): number => [...admitted].reduce((sum, scope) => sum + costOf(scope), 0);
  return {
    order: (scopes) => leastRecentlySeen(scopes, seen, ({ scope }) => scopeLabel(scope)),
    admit: (scope) => {
      const cost = costOf(scope);
      lookUps ??= service.requests();
      if (lookUps + cost > bound.most) {
        return neverChecked(bound, lookUps, cost);
      }
      if (service.requests() + reserved() + cost > bound.most) {
        return notChecked(bound);
      }
      admitted.add(scope);
      return null;
    },
    ended: (scope) => {
      if (admitted.delete(scope)) {
        tried.add(scopeLabel(scope.scope));
      }
    },
    close: async () => {
      if (tried.size > 0) {
        await markSeen(folder, service.identity, { scopes: tried, now }).catch((error: unknown) => {
          report({
            kind: 'not-remembered',
            problem: `nothing can be kept in ${folder} (${errorCode(error) ?? String(error)})`,
          });
        });
      }
    },
  };
}

/** The reading when nothing of it is known, and the account's lists where a rule names one. */
function costOf(scope: ScopeOutline): number {
  return scopeRequests(scope) + (namesLists(scope) ? 1 : 0);
}

function notChecked({ most }: RequestBound): RulewrightError {
  return new RulewrightError(`not checked: --max-requests ${most} leaves no room for it in this run`, {
    code: NOT_CHECKED,
    fault: 'user',
    hint: 'the next run with --max-requests starts with the scopes that have gone unread longest',
  });
}

function neverChecked({ most }: RequestBound, lookUps: number, cost: number): RulewrightError {
  return new RulewrightError(
    `--max-requests ${most} never leaves room for it: reading it may take ${counted(cost, 'request')}, after ${lookUps} to look the scopes up`,
    {
      code: 'plan/no-room',
      fault: 'user',
      hint: `give at least --max-requests ${lookUps + cost}`,
    },
  );
}
