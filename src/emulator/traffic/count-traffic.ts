import type { EmulatedService } from '../call/service.ts';
import type { Zone } from '../records/directory-record.ts';
import { latest } from '../records/ruleset-record.ts';
import type { VisitOutcome, TrafficFault, TrafficMix, TrafficSpan } from '../records/traffic-record.ts';
import type { Store } from '../store/store.ts';
import { makeRequests, requestValues } from './request-mix.ts';
import type { RuledRequest } from './run-rules.ts';
import { liveRules } from './run-rules.ts';

type CountedService = Pick<EmulatedService, 'store' | 'clock'>;

/** Returns the mix of requests that visitors make; undefined if nobody visits. */
export function trafficMix(store: Store): TrafficMix | undefined {
  return store.traffic.get('mix');
}

/** How long it is remembered what became of requests. */
const KEPT_MS = 31 * 86_400_000;

/**
 * Notes what became of the requests since the last call: they went through the rules as they are now. So it has to be called before anything changes,
 * and before anybody asks.
 */
export function countTraffic({ store, clock }: CountedService): void {
  const mix = trafficMix(store);
  if (mix === undefined) {
    return;
  }
  const now = clock.now();
  for (const zone of store.zones.all()) {
    const spans = store.zoneTraffic.get(zone.id)?.spans ?? [];
    const last = spans.at(-1);
    const from = last?.to ?? firstVisit(zone, now);
    if (now > from) {
      const { requestsPerMinute } = mix;
      const span = { from, to: now, requestsPerMinute, outcomes: outcomesIn(store, zone, { mix, now }) };
      const kept = spans.filter(({ to }) => to > now - KEPT_MS);
      store.zoneTraffic.set(zone.id, { zone: zone.id, spans: joined(kept, span) });
    }
  }
}

/** Visitors have always come, also before anybody counted them. */
function firstVisit({ created_on: created }: Zone, now: number): number {
  const begun = Date.parse(created);
  return Math.max(now - KEPT_MS, begun > now ? 0 : begun);
}

/** Adds a span, or lengthens the last one if the same became of requests in both. */
function joined(spans: readonly TrafficSpan[], span: TrafficSpan): readonly TrafficSpan[] {
  const last = spans.at(-1);
  const goesOn =
    last !== undefined &&
    last.to === span.from &&
    last.requestsPerMinute === span.requestsPerMinute &&
    JSON.stringify(last.outcomes) === JSON.stringify(span.outcomes);
  return goesOn ? [...spans.slice(0, -1), { ...last, to: span.to }] : [...spans, span];
}

/** Sends each request of a mix through the live rules, and adds up those of which the same became. */
function outcomesIn(
  store: Store,
  zone: Zone,
  { mix, now }: { readonly mix: TrafficMix; readonly now: number },
): readonly VisitOutcome[] {
  const run = liveRules(store, zone, now);
  const faults = liveFaults(store, zone, mix);
  const requests = makeRequests(mix.seed, zone.name);
  const outcomes = new Map<string, VisitOutcome>();
  for (const request of requests) {
    for (const outcome of withFaults(run(requestValues(request, zone.name, now)), faults)) {
      const { status, events } = outcome;
      const key = JSON.stringify([status, events]);
      const share = (outcomes.get(key)?.share ?? 0) + outcome.share / requests.length;
      outcomes.set(key, { status, events, share });
    }
  }
  return [...outcomes.values()];
}

/** A fault whose rule is live, with the id of that rule. */
interface LiveFault extends TrafficFault {
  readonly ruleId: string;
}

/** Returns the faults of a mix whose rules are live in a zone or its account. */
export function liveFaults(store: Store, zone: Zone, { faults }: TrafficMix): readonly LiveFault[] {
  if (faults.length === 0) {
    return [];
  }
  const rules = [`accounts/${zone.account}`, `zones/${zone.id}`]
    .flatMap((owner) => store.rulesets.group(owner))
    .flatMap((ruleset) => latest(ruleset).rules)
    .filter(({ definition }) => definition.enabled);
  return faults.flatMap((fault) => {
    const rule = rules.find(({ id, definition }) => [id, definition.ref].includes(fault.rule));
    return rule === undefined || (fault.zone ?? zone.name) !== zone.name
      ? []
      : [{ ...fault, ruleId: rule.id }];
  });
}

/** Splits a request that would reach the origin into what becomes of it by faults, each with its share. */
export function withFaults(
  { status, passed, events }: RuledRequest,
  faults: readonly LiveFault[],
): readonly VisitOutcome[] {
  const outcomes: VisitOutcome[] = [];
  let left = 1;
  for (const fault of passed ? faults : []) {
    const share = (left * fault.percent) / 100;
    left -= share;
    outcomes.push(
      fault.effect === 'errors'
        ? { status: fault.status, events, share }
        : { status: 403, events: [...events, { rule: fault.ruleId, action: 'block' }], share },
    );
  }
  return [...outcomes, { status, events, share: left }].filter(({ share }) => share > 0);
}

/** A number of requests of which the same became. */
export interface CountedOutcome extends Pick<VisitOutcome, 'status' | 'events'> {
  readonly count: number;
}

/** Counts the requests to a zone in a period, as far as the analytics know of them by now. Counts of adjoining periods add up. */
export function countedIn(
  { store, clock }: CountedService,
  zone: Zone,
  { from, to }: { readonly from: number; readonly to: number },
): readonly CountedOutcome[] {
  const known = clock.now() - (trafficMix(store)?.delaySeconds ?? 0) * 1000;
  const spans = store.zoneTraffic.get(zone.id)?.spans ?? [];
  return spans.flatMap((span) => {
    const begin = Math.max(from, span.from);
    const end = Math.min(to, span.to, known);
    return end <= begin
      ? []
      : span.outcomes.map(({ status, events, share }) => {
          const until = (time: number): number =>
            Math.floor((time / 60_000) * span.requestsPerMinute * share);
          return { status, events, count: until(end) - until(begin) };
        });
  });
}
