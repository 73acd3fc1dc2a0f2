import type { AppEvent } from '../app/events.ts';
import { notCheckedReasons, preflightSummary } from '../report/preflight-text.ts';

type Event<Kind extends AppEvent['kind']> = Extract<AppEvent, { readonly kind: Kind }>;

/** How much work lies ahead: `plan: about 6 requests`, and how long the service's limit lets them wait. */
export function estimateLine({ work, requests, leastWaitMs }: Event<'estimate'>): string {
  const count = `${work}: about ${requests} ${requests === 1 ? 'request' : 'requests'}`;
  return leastWaitMs === 0
    ? count
    : `${count}; with at most 1200 in 5 minutes they take at least ${Math.ceil(leastWaitMs / 60_000)} minutes`;
}

/** What came of the preflight; nothing where there was none. */
export function preflightLines(preflight: Event<'preflight'>['preflight']): readonly string[] {
  return preflight.kind === 'off'
    ? []
    : [
        preflightSummary(preflight.steps),
        ...notCheckedReasons(preflight).map((reason) => `not checked: ${reason}`),
      ];
}
