import { integer, object, text } from '../decode/body-shape.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';

/** Security events in a seed: how many a rule, named by its `ref` or id, left so many hours ago. */
export const securityEventsShape = object(
  { rule: text({ min: 1 }), count: integer(1), hours_ago: integer(0), action: text({ min: 1 }) },
  { required: ['rule', 'count', 'hours_ago'] },
);

/** Stores the security events of a zone's seed. Their age is counted from now on, so that a seed does not grow old. */
export function seedSecurityEvents(
  store: Store,
  zone: Zone,
  events: readonly ValueOf<typeof securityEventsShape>[],
): void {
  if (events.length > 0) {
    store.securityEvents.set(zone.id, {
      zone: zone.id,
      events: events.map(({ rule, count, hours_ago: hoursAgo, action = 'block' }) => ({
        rule,
        count,
        hoursAgo,
        action,
      })),
    });
  }
}
