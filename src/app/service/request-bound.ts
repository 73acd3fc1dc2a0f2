import type { Clock } from '../../network/index.ts';
import { errorCode } from '../../files/index.ts';
import { leastRecentlySeen, markSeen, readSeen } from '../../live/index.ts';
import { namesLists, scopeRequests } from '../../plan/index.ts';
import { RulewrightError, NOT_CHECKED, scopeLabel } from '../../model/index.ts';
import type { DesiredScope } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { OnEvent } from '../run/events.ts';

/** A limit on the requests of a run that only reads. */
export interface RequestBound {
  readonly most: number;
  /** Folder with the record of when each scope was last read. */
  readonly folder: string;
}

/** Decides which scopes a run reads, and in which order. */
export interface Admission {
  readonly order: (scopes: readonly DesiredScope[]) => readonly DesiredScope[];
  /** Returns null to read the scope, else why it is left out. */
  readonly admit: (scope: DesiredScope) => RulewrightError | null;
  /** Called for each scope that was read, failed or was left out. */
  readonly ended: (scope: DesiredScope) => void;
  /** Records for the next run which scopes were tried; reports if that fails. */
  readonly close: () => Promise<void>;
}

/** Admits all scopes, in the order of the files. */
export const ALL_SCOPES: Admission = {
  order: (scopes) => scopes,
  admit: () => null,
  ended: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Admits scopes while the most requests that they may take fit into the limit, those unread for longest first, so that several runs
 * together read all of them. A scope that could not be read counts as read here, since a few of those would otherwise take up every
 * run. A scope that no run has room for is an error.
 */
export async function admitWithin(
  bound: RequestBound,
  {
    service,
    report,
    clock,
  }: {
    readonly service: { readonly identity: string; readonly requests: () => number };
    readonly report: OnEvent;
    readonly clock: Clock;
  },
): Promise<Admission> {
  const { folder } = bound;
  const now = clock.now();
  const seen = await readSeen(folder, service.identity, now);
  const tried = new Set<string>();
  const admitted = new Set<DesiredScope>();
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

/** Returns the most requests that a scope may take: for reading it without a cache, and for the account's lists if a rule names one. */
function costOf(scope: DesiredScope): number {
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
