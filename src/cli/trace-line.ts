import type { AppEvent } from '../app/index.ts';
import { requestKind } from '../app/index.ts';
import { effectiveDate, findDeprecation } from '../model/index.ts';
import { assertNever } from '../data/index.ts';

type ClientEvent = Extract<AppEvent, { readonly kind: 'client' }>['event'];

/** Returns what `--verbose` shows of a request; null at its start, since its end shows the same. */
export function traceLine(event: ClientEvent): string | null {
  const kind = requestKind(event) === 'check' ? ' (a check, it cannot take effect)' : '';
  const request = `#${event.id} ${event.method} ${event.path}${kind}`;
  switch (event.kind) {
    case 'started':
      return null;
    case 'answered': {
      const ray = event.rayId === null ? '' : `, ray ${event.rayId}`;
      return `${request} → ${event.status} in ${Math.round(event.ms)} ms, ${event.bytes} bytes${ray}`;
    }
    case 'broken':
      return `${request} → no answer after ${Math.round(event.ms)} ms: ${event.reason}`;
    case 'retrying':
      return `${request} again in ${seconds(event.ms)} after attempt ${event.attempt}: ${event.reason}`;
    case 'waiting':
      return `${request} waits ${seconds(event.ms)}: ${WAITS[event.reason]}`;
    case 'deprecated':
      return deprecationLine(event);
    default:
      return assertNever(event);
  }
}

/** Says that a command itself calls a deprecated interface. */
function deprecationLine({
  method,
  route,
  deprecation,
}: Extract<ClientEvent, { readonly kind: 'deprecated' }>): string {
  const row = findDeprecation(deprecation);
  return row === undefined
    ? `${method} ${route} is deprecated`
    : `${method} ${route} is deprecated: ${row.id}, ${effectiveDate(row)}`;
}

/** How the reasons for which a request waits are shown. */
const WAITS: Readonly<Record<Extract<ClientEvent, { readonly kind: 'waiting' }>['reason'], string>> = {
  budget: 'the run keeps to its share of 1200 requests in 5 minutes, 200 in a second',
  slowed: 'the service refused requests (429), so the run sends fewer',
  pause: 'the service asked for a pause',
};

/** Shortest wait that is reported without `--verbose`, in milliseconds. */
const NOTICEABLE = 2000;

/** Deprecated interfaces that only `firewall`, `ratelimits` and `waf` call, to migrate away from them: their users know. */
const LEFT_BY_COMMANDS: ReadonlySet<string> = new Set(['firewall-rules', 'old-rate-limits', 'old-waf']);

/**
 * Returns what is shown of a request without `--verbose`: that it is deprecated, or that it waits long. A limit holds up all requests under way, so a
 * retry after a 429 is not shown: the request that waits for the limit's end speaks for all.
 */
export function waitLine(event: ClientEvent): string | null {
  switch (event.kind) {
    case 'deprecated':
      return LEFT_BY_COMMANDS.has(event.deprecation) ? null : traceLine(event);
    case 'waiting':
      return event.ms >= NOTICEABLE ? traceLine(event) : null;
    case 'retrying':
      return event.ms >= NOTICEABLE && event.reason !== '429' ? traceLine(event) : null;
    default:
      return null;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
