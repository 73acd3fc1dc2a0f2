import { createHash, randomUUID } from 'node:crypto';
import type { ScopeRef } from '../../model/index.ts';
import { effectiveDate, findDeprecation } from '../../model/index.ts';
import { refuse } from '../protocol/refusal.ts';

/** The service's time in milliseconds since 1970: everything that depends on a date or a wait reads it. */
export interface ServiceClock {
  now(): number;
}

/** A clock that can be set and advanced; the control endpoint `/_emulator/clock` does both. */
export interface SettableClock extends ServiceClock {
  set(milliseconds: number): void;
  advance(milliseconds: number): void;
}

/** Creates a clock that follows the machine's time; after it is set or advanced, it keeps running from there. */
export function runningClock(): SettableClock {
  let shift = 0;
  return {
    now: () => Date.now() + shift,
    set: (milliseconds) => {
      shift = milliseconds - Date.now();
    },
    advance: (milliseconds) => {
      shift += milliseconds;
    },
  };
}

/** Creates a clock that stands still until it is set or advanced, for tests. */
export function fakeClock(start: number | string = '2026-01-02T03:04:05Z'): SettableClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  return {
    now: () => now,
    set: (milliseconds) => {
      now = milliseconds;
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Whether a clock can be set. */
export function isSettable(clock: ServiceClock): clock is SettableClock {
  return 'set' in clock && 'advance' in clock;
}

/**
 * Creates a source of timestamps in the service's format: RFC 3339, UTC, six decimals (api.md 3.1). Two timestamps of
 * one source are never equal, even within one millisecond.
 */
export function stampSource(clock: ServiceClock): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(clock.now()) * 1000);
    const whole = new Date(Math.floor(last / 1000)).toISOString();
    return `${whole.slice(0, -1)}${String(last % 1000).padStart(3, '0')}Z`;
  };
}

/** A request that was answered, as `GET /_emulator/requests` lists it. */
export interface RequestRecord {
  readonly method: string;
  /** The path with its query string, as it was sent. */
  readonly path: string;
  readonly status: number;
  /** Whether the state changed. */
  readonly wrote: boolean;
  /**
   * The names of the faults that took effect; absent when there were none. A request that was cut off unanswered has
   * status 0.
   */
  readonly faults?: readonly string[];
}

/** What the emulator reports to its `log`; the emulator never prints. */
export type EmulatorEvent =
  | ({ readonly kind: 'request' } & RequestRecord)
  | { readonly kind: 'failure'; readonly message: string }
  /** The option `scopes` made the emulator create a zone or account; `near` is a zone that may have been meant instead. */
  | { readonly kind: 'made'; readonly scope: ScopeRef; readonly near?: string };

/** Returns a new identifier at each call: 32 lower-case hex characters. */
export type IdSource = () => string;

/** Creates a source of identifiers as the service makes them: a random UUIDv4 without dashes (api.md 13.2). */
export function randomIds(): IdSource {
  return () => randomUUID().replaceAll('-', '');
}

/** Creates a source of identifiers that are the same in every run, for tests and for the seed. */
export function countedIds(label: string): IdSource {
  let count = 0;
  return () => {
    count += 1;
    return namedId(label, String(count));
  };
}

/** Returns the identifier that is derived from a name. */
export function namedId(...name: readonly string[]): string {
  return createHash('sha256').update(name.join('\u0000')).digest('hex').slice(0, 32);
}

/**
 * Whether a deprecation has taken effect (specification 9), which it does at midnight UTC on its date. Throws for an
 * unknown id.
 */
export function inEffect(service: { readonly clock: ServiceClock }, id: string): boolean {
  const row = findDeprecation(id);
  if (row === undefined) {
    throw new Error(`there is no deprecation ${id}`);
  }
  return service.clock.now() >= Date.parse(effectiveDate(row));
}

/** Refuses a call to an API that has been removed by now (status and text assumed). */
export function checkNotGone(service: { readonly clock: ServiceClock }, id: string): void {
  const row = findDeprecation(id);
  if (row?.effect.kind === 'gone' && inEffect(service, id)) {
    const instead = row.replacement === null ? '' : `, use ${row.replacement}`;
    const message = `${row.subject}: this API was removed on ${effectiveDate(row)}${instead}`;
    throw refuse(410, message);
  }
}
