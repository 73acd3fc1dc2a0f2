import { canonicalJson, jsonEqual } from '../data/index.ts';
import { UNKNOWN_TEXT } from '../simulate/index.ts';
import type { PreparedRule, Trace } from '../simulate/index.ts';
import { actionKind } from '../model/index.ts';
import type { ReplayOutcome, TrafficOutcome } from '../model/index.ts';

/** Returns what becomes of a request on its way. */
export function outcomeOf({ end, solved }: Trace): TrafficOutcome {
  if (end === undefined) {
    return solved === undefined ? 'passed' : 'challenged';
  }
  const { effect, rule } = end.rule;
  if (effect.kind === 'redirect' || actionKind(rule.content.action) === 'redirect') {
    return 'redirected';
  }
  return effect.kind === 'challenge' || end.opaque === 'challenged' ? 'challenged' : 'blocked';
}

/**
 * Compares the ways of a request. A block in place of a challenge counts as newly blocked, a challenge in place of a block as newly challenged, and
 * a redirect in place of either as changed otherwise: the request reaches nothing that it did not reach before.
 */
export function compareTraces(live: Trace, desired: Trace): ReplayOutcome {
  const before = outcomeOf(live);
  const after = outcomeOf(desired);
  if (before !== after) {
    if (after === 'blocked') {
      return 'newly_blocked';
    }
    if (after === 'challenged') {
      return 'newly_challenged';
    }
    return after === 'passed' && before !== 'redirected' ? 'newly_passed' : 'otherwise_changed';
  }
  const answers = live.end !== undefined && desired.end !== undefined;
  const same = answers
    ? live.end.status === desired.end.status &&
      live.end.location === desired.end.location &&
      responseOf(live.end.rule) === responseOf(desired.end.rule)
    : sameWay(live, desired);
  if (same) {
    return 'unchanged';
  }
  return isUnknown(live) || isUnknown(desired) ? 'unknown' : 'otherwise_changed';
}

const responses = new WeakMap<PreparedRule, string>();

/** Returns the answer that a rule gives, or the kind of its challenge. */
function responseOf(rule: PreparedRule): string {
  const known = responses.get(rule);
  if (known !== undefined) {
    return known;
  }
  const { action, action_parameters: { response = null } = {} } = rule.rule.content;
  const made = rule.effect.kind === 'execute' ? '' : canonicalJson([action, response]);
  responses.set(rule, made);
  return made;
}

/** Whether requests that end at no rule reach the origin in the same form, under the same settings, and get the same answer. */
function sameWay(live: Trace, desired: Trace): boolean {
  return (
    sameRequest(live, desired) &&
    sameResponse(live, desired) &&
    sameSettings(live.settings, desired.settings) &&
    live.products.size === desired.products.size &&
    [...live.products].every((product) => desired.products.has(product))
  );
}

function sameRequest({ state: live }: Trace, { state: desired }: Trace): boolean {
  const [one, other] = [live.request, desired.request];
  return (
    (one === live.original && other === desired.original) ||
    (one.url.path === other.url.path &&
      one.url.query === other.url.query &&
      (one.headers === other.headers || canonicalJson(one.headers) === canonicalJson(other.headers)))
  );
}

function sameResponse(live: Trace, desired: Trace): boolean {
  const [one, other] = [live.state.response?.headers ?? [], desired.state.response?.headers ?? []];
  return (
    pageOf(live) === pageOf(desired) &&
    ((one.length === 0 && other.length === 0) || canonicalJson(one) === canonicalJson(other))
  );
}

function pageOf({ errorPage }: Trace): string {
  return errorPage === undefined ? '' : canonicalJson(errorPage.rule.rule.content.action_parameters ?? null);
}

function sameSettings(live: Trace['settings'], desired: Trace['settings']): boolean {
  if (live.size !== desired.size) {
    return false;
  }
  for (const [name, left] of live) {
    if (!jsonEqual(left.value, desired.get(name)?.value)) {
      return false;
    }
  }
  return true;
}

/** Whether something that a rule computed on the way is not known. */
function isUnknown({ end, state: { request, response } }: Trace): boolean {
  const texts = [
    end?.location ?? '',
    request.url.path,
    request.url.query,
    ...request.headers.map(({ value }) => value),
    ...(response?.headers ?? []).map(({ value }) => value),
  ];
  return texts.some((text) => text.includes(UNKNOWN_TEXT));
}
