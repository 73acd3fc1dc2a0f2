import type { ScopedCall } from '../call.ts';
import { numberAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { objectsOf, showObject, type ZoneObject, zoneOf } from '../zone-objects.ts';

/** The words of the query parameters, the standard first. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['active', 'disabled'],
  order: ['priority', 'status'],
  direction: ['desc', 'asc'],
  match: ['all', 'any'],
};

/**
 * GET page rules: all in one answer, without pages (api.md 1.3). Recorded answers start with the highest priority, and
 * without `status` they hold active rules, although the schema says that disabled ones are the default.
 */
export function listPageRules(call: ScopedCall): Answer | Refusal {
  for (const [name, words] of Object.entries(WORDS)) {
    const value = call.query.get(name);
    if (value !== null && !words.includes(value)) {
      return badParameter(name, value, `it must be one of ${words.join(', ')}`);
    }
  }
  const status = call.query.get('status');
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  const compare = call.query.get('order') === 'status' ? byStatus : byPriority;
  const rules = objectsOf(call.service.store, zoneOf(call), 'page_rules')
    .filter(({ body }) => status === null || textAt(body, 'status') === status)
    .toSorted((a, b) => sign * compare(a, b));
  return result(rules.map(showObject));
}

function byPriority(a: ZoneObject, b: ZoneObject): number {
  return (numberAt(a.body, 'priority') ?? 0) - (numberAt(b.body, 'priority') ?? 0);
}

function byStatus(a: ZoneObject, b: ZoneObject): number {
  return (textAt(a.body, 'status') ?? '').localeCompare(textAt(b.body, 'status') ?? '');
}
