import { checkPermission } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { readNumber } from '../listing/pages.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import type { StoredRuleset } from '../records/ruleset.ts';
import { anyPermission, visibleRulesets } from './visible.ts';

const LARGEST_PAGE = 50;

/**
 * GET rulesets: all visible rulesets without their rules, paged by cursor. The cursor is sent in both forms, because
 * clients read one or the other (api.md 13.4); the last page has none.
 */
export function listRulesets(call: ScopedCall): Answer {
  checkPermission(call, 'Read', anyPermission);
  const size = readNumber(call.query, 'per_page', { min: 1, max: LARGEST_PAGE, standard: LARGEST_PAGE });
  const rulesets = visibleRulesets(call.service.store, call.scope);
  const start = readStart(call.query, rulesets);
  const page = rulesets.slice(start, start + size);
  const shown = page.map((ruleset) => call.service.render.summary(ruleset));
  const last = page.at(-1);
  if (last === undefined || start + size >= rulesets.length) {
    return result(shown);
  }
  const cursor = Buffer.from(`${start + size}:${last.id}`).toString('base64url');
  return result(shown, { cursor, cursors: { after: cursor } });
}

// A cursor names the last ruleset that was shown; if that ruleset is gone by now, its former place in the list counts.
function readStart(query: URLSearchParams, rulesets: readonly StoredRuleset[]): number {
  const text = query.get('cursor');
  if (text === null) {
    return 0;
  }
  const [, place, id] =
    /^(\d+):([0-9a-f]{32})$/u.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (place === undefined) {
    throw badParameter('cursor', text, 'it is not a cursor of this list');
  }
  const shown = rulesets.findIndex((ruleset) => ruleset.id === id);
  return shown < 0 ? Number(place) : shown + 1;
}
