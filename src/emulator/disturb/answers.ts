import { standardBudget } from '../environment/budget.ts';
import { isObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { envelope } from '../protocol/answer.ts';
import type { Envelope } from '../protocol/answer.ts';
import { authenticationError, budgetExceeded } from '../protocol/gateway-errors.ts';
import type { Service } from '../call/service.ts';
import type { Effect } from '../faults/fault.ts';

/** Makes the answer of an `error` effect. */
export function errorAnswer(effect: Extract<Effect, { kind: 'error' }>): Envelope {
  const body = { result: null, success: false, errors: effect.errors, messages: [] };
  return { status: effect.status, body: JSON.stringify(body), headers: effect.headers };
}

/** Makes the answer of an `html` effect: a page such as the edge in front of the service sends (api.md 1.4). */
export function htmlAnswer(effect: Extract<Effect, { kind: 'html' }>): Envelope {
  const page = `<!DOCTYPE html>\n<html><head><title>${effect.status}</title></head><body><h1>Error ${effect.status}</h1><p>injected fault</p></body></html>\n`;
  return {
    status: effect.status,
    body: effect.text ?? page,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
  };
}

/** Makes the answer of a `limit` effect (api.md 1.5, 1.7); `left` is the remaining time of the effect in seconds. */
export function limitAnswer(effect: Extract<Effect, { kind: 'limit' }>, left: number | undefined): Envelope {
  const { retryAfter } = effect;
  const headers =
    retryAfter === undefined ? {} : { 'retry-after': String(Math.min(retryAfter, left ?? retryAfter)) };
  return envelope(budgetExceeded(standardBudget, headers));
}

/** Makes the answer to a token that is not yet known everywhere in the service (api.md 1.1). */
export function unknownTokenAnswer(): Envelope {
  return envelope(authenticationError());
}

/** Applies an effect that alters the result of an answer; any other effect leaves the answer unchanged. */
export function changedAnswer(service: Service, answer: Envelope, effect: Effect): Envelope {
  switch (effect.kind) {
    case 'unknown_fields':
      return mapResults(answer, (object) => ({ ...withRules(object, effect.fields), ...effect.fields }));
    case 'missing':
      return mapResults(answer, (object) =>
        Object.fromEntries(Object.entries(object).filter(([key]) => !effect.members.includes(key))),
      );
    case 'emptied':
      return mapResults(answer, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([key, value]) => [key, effect.members.includes(key) ? [] : value]),
        ),
      );
    case 'stale':
      return mapResults(answer, (object) => olderVersion(service, object));
    default:
      return answer;
  }
}

/** Changes the result of a successful answer, or each item when the result is a list. */
function mapResults(answer: Envelope, change: (object: JsonObject) => JsonObject): Envelope {
  const body: unknown = answer.body === null ? undefined : JSON.parse(answer.body);
  if (!isObject(body) || body['success'] !== true) {
    return answer;
  }
  const { result } = body;
  const changed = Array.isArray(result)
    ? result.map((item: unknown) => (isObject(item) ? change(item) : item))
    : isObject(result)
      ? change(result)
      : result;
  return { ...answer, body: JSON.stringify({ ...body, result: changed }) };
}

function withRules(object: JsonObject, fields: JsonObject): JsonObject {
  const { rules } = object;
  return Array.isArray(rules)
    ? { ...object, rules: rules.map((rule: unknown) => (isObject(rule) ? { ...rule, ...fields } : rule)) }
    : object;
}

function olderVersion(service: Service, shown: JsonObject): JsonObject {
  const ruleset = service.store.rulesets.get(String(shown['id']));
  const at = ruleset?.versions.findIndex((version) => version.version === shown['version']) ?? -1;
  const older = ruleset?.versions[at - 1];
  if (ruleset === undefined || older === undefined) {
    return shown;
  }
  const text =
    'rules' in shown
      ? service.render.full(ruleset, older)
      : JSON.stringify(service.render.summary(ruleset, older));
  const parsed: unknown = JSON.parse(text);
  return isObject(parsed) ? parsed : shown;
}
