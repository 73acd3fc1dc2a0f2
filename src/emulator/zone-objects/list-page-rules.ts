import type { ScopedCall } from '../call.ts';
import { checkWord } from '../directory/pages.ts';
import { numberAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { showObject, type ZoneObject } from './zone-object.ts';

/** The words of the query parameters. */
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
export function listPageRules(call: ScopedCall, all: readonly ZoneObject[]): Answer {
  for (const [name, words] of Object.entries(WORDS)) {
    checkWord(call.query, name, words);
  }
  const status = call.query.get('status');
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  const compare = call.query.get('order') === 'status' ? byStatus : byPriority;
  const rules = all
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
