import type { Clock } from '../../network/clock.ts';
import { orElse } from '../../api/service-error.ts';
import type { Scope } from '../../model/scope.ts';
import type { WafStatus } from '../../model/waf-migration.ts';
import type { OnEvent } from '../run/events.ts';

/** Time between two reads of the state. */
const EVERY_MS = 5000;

const MINUTE_MS = 60_000;

/** The update may take up to an hour (api.md 10.2). */
const MAX_MS = 60 * 60 * 1000;

/** What is needed to wait for a state. */
export interface Waiting {
  readonly scope: Scope;
  readonly clock: Clock;
  readonly report: OnEvent;
  readonly signal?: AbortSignal | undefined;
  readonly read: () => Promise<WafStatus>;
}

/** Waits until a zone is in a state, at most an hour. A failed read is repeated unless it cannot succeed; an abort ends the wait. */
export async function awaitState(
  wanted: string,
  { scope, clock, report, signal, read }: Waiting,
): Promise<{ readonly kind: 'arrived' } | { readonly kind: 'waiting'; readonly reason: string }> {
  const began = clock.now();
  let minutes = 0;
  for (;;) {
    const { state, hopeless } = await stateOf(read());
    if (state === wanted) {
      return { kind: 'arrived' };
    }
    if (hopeless) {
      return { kind: 'waiting', reason: state };
    }
    const waitedMs = clock.now() - began;
    if (waitedMs >= MAX_MS) {
      return { kind: 'waiting', reason: `an hour has passed: ${state}` };
    }
    const isNewMinute = waitedMs >= minutes * MINUTE_MS;
    report({ kind: 'waf-waiting', scope, state, waitedMs, isNewMinute });
    minutes += isNewMinute ? 1 : 0;
    try {
      signal?.throwIfAborted();
      await clock.sleep(EVERY_MS, signal);
    } catch {
      return { kind: 'waiting', reason: `interrupted: ${state}` };
    }
  }
}

/** Codes of errors that another read would not change: the token may not ask. */
const HOPELESS: readonly string[] = ['api/unauthorized', 'api/forbidden', 'api/not-found'];

function stateOf(
  status: Promise<WafStatus>,
): Promise<{ readonly state: string; readonly hopeless: boolean }> {
  return orElse(
    status.then(({ state }) => ({ state, hopeless: false })),
    ({ message, code }) => ({
      state: `the state cannot be read (${message})`,
      hopeless: HOPELESS.includes(code),
    }),
  );
}
