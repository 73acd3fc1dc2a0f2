import { AUDIT_RETENTION_MS, isServiceError, readAuditLog } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import { readOwnWrites } from '../../apply/index.ts';
import { groupBy } from '../../data/index.ts';
import { knownError, plannedScopes } from '../../model/index.ts';
import type {
  RulewrightError,
  ChangeAuthors,
  AuditReading,
  AuthorNotKnown,
  OwnWrites,
  PlannedScope,
  Plan,
} from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import { findAuthors } from '../../plan/index.ts';
import { CREDENTIAL_ERRORS } from '../service/credential-errors.ts';
import { shortenMails } from './shorten-mails.ts';

/** Whether drift asks who made its changes, and how. */
export type AuditChoice =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      /** From when on the log is read, in milliseconds since 1970; by the changes themselves unless given. */
      readonly since: number | undefined;
      /** Whether mail addresses are told whole. */
      readonly showActors: boolean;
      /** The journal in which this project's own writes stand. */
      readonly journal: string;
    };

/** What reading the authors takes. */
export interface AuthorMeans {
  readonly service: {
    readonly identity: string;
    readonly client: (tokenEnv: string | undefined) => ReadClient;
    readonly requests: () => number;
  };
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** The most requests of the whole run. */
  readonly mostRequests: number;
}

const DAY_MS = 86_400_000;

/** How far back the log is read at least, and a day before the oldest change: an edit that made a difference is often not the last one. */
const AT_LEAST_MS = 30 * DAY_MS;

/** The most requests for the log of one account: 10,000 entries. */
const MOST_PAGES = 10;

/** How many tokens of an account are tried: zones may each have their own, which can read no log. */
const MOST_TOKENS = 3;

/**
 * Asks the audit logs of the accounts in which live differs who made the differences. Never fails because of them: what could not be read is said of
 * each change.
 */
export async function readAuthors(
  plan: Pick<Plan, 'scopes'>,
  choice: AuditChoice,
  means: AuthorMeans,
): Promise<ChangeAuthors> {
  const changed = plannedScopes(plan.scopes).filter(
    ({ steps, objects = [] }) => steps.length + objects.length > 0,
  );
  const sources = { now: means.clock.now(), retention: AUDIT_RETENTION_MS };
  if (choice.kind === 'off' || changed.length === 0) {
    return findAuthors(plan, { ...sources, logs: new Map(), own: NO_WRITES });
  }
  const logs = new Map<string, AuditReading>();
  for (const [account, scopes] of groupBy(changed, ({ scope }) => scope.accountId)) {
    logs.set(account, await readLog(account, scopes, { ...means, since: choice.since }));
  }
  const own = await readOwnWrites(choice.journal, means.service.identity);
  const authors = findAuthors(plan, { ...sources, logs, own });
  return choice.showActors ? authors : shortenMails(authors);
}

const NO_WRITES: OwnWrites = { ids: new Map(), undone: new Set(), versions: new Map(), rulesets: new Map() };

async function readLog(
  account: string,
  scopes: readonly PlannedScope[],
  means: AuthorMeans & { readonly since: number | undefined },
): Promise<AuditReading> {
  const { service, clock, signal, mostRequests } = means;
  const moments = momentsOf(scopes);
  // The clock of this machine may be behind that of the service, which made the changes.
  const now = Math.max(clock.now(), ...moments);
  const first = Math.min(now - AT_LEAST_MS, ...moments.map((moment) => moment - DAY_MS));
  const since = Math.max(means.since ?? first, now - AUDIT_RETENTION_MS);
  let why: AuthorNotKnown = NOT_PERMITTED;
  for (const tokenEnv of tokensOf(scopes)) {
    const left = mostRequests - service.requests();
    if (left < 1) {
      return { kind: 'unread', why: NO_REQUESTS };
    }
    try {
      const period = { since, before: now + DAY_MS, mostPages: Math.min(MOST_PAGES, left) };
      const { entries, cutAt } = await readAuditLog(service.client(tokenEnv), account, period);
      return { kind: 'read', entries, since, cutAt };
    } catch (error) {
      signal?.throwIfAborted();
      const known = knownError(error);
      if (!isExpected(known)) {
        throw error;
      }
      if (!isServiceError(error, 401) && !isServiceError(error, 403)) {
        why = { reason: 'unreadable', message: `the audit log could not be read: ${known.message}` };
      }
    }
  }
  return { kind: 'unread', why };
}

function isExpected(error: RulewrightError): boolean {
  return (error.fault !== 'bug' && error.code !== 'api/aborted') || CREDENTIAL_ERRORS.has(error.code);
}

const NOT_PERMITTED: AuthorNotKnown = {
  reason: 'no-permission',
  message: 'the token may not read the audit log, which takes "Account Settings" Read for the account',
};

const NO_REQUESTS: AuthorNotKnown = {
  reason: 'not-asked',
  message: 'the audit log was not asked, since --max-requests left no request for it',
};

/** Returns the tokens to try: that of the account first. */
function tokensOf(scopes: readonly PlannedScope[]): readonly (string | undefined)[] {
  const ordered = scopes.toSorted(
    (one, other) => Number(other.scope.kind === 'account') - Number(one.scope.kind === 'account'),
  );
  return [...new Set(ordered.map(({ tokenEnv }) => tokenEnv))].slice(0, MOST_TOKENS);
}

/** Returns when what differs was last changed, where the service says it. */
function momentsOf(scopes: readonly PlannedScope[]): readonly number[] {
  const moments = scopes.flatMap(({ steps, objects = [] }) => [
    ...steps.flatMap(({ base }) => (base.kind === 'version' ? [Date.parse(base.lastUpdated)] : [])),
    ...objects.flatMap((step) =>
      'base' in step && step.base.kind === 'list' ? [Date.parse(step.base.modifiedOn)] : [],
    ),
  ]);
  return moments.filter((moment) => !Number.isNaN(moment));
}
