import type { Call } from '../call/call.ts';
import { textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Method } from '../protocol/method.ts';
import { findDocument, keepDocument } from '../store/document.ts';

/** A route of the deprecation registry: its method, and the path of its objects as the registry writes it. */
export interface PlainPlace {
  readonly method: Method;
  readonly family: string;
}

/** The names that routes use for the scope parameters of the registry. */
export const SCOPES: Readonly<Record<string, string>> = { zone_id: 'zone', account_id: 'account' };

/** Answers a route for a list: GET shows its objects, any other method adds one. */
export function answerList(call: Call, { method, family }: PlainPlace, body: JsonObject): Answer {
  const group = groupOf(call, family);
  return method === 'GET'
    ? result(call.service.store.documents.group(group).map(({ value }) => value))
    : keep(call, group, textAt(body, 'id') ?? call.service.newId(), body);
}

/** Answers a route for an object of a list: POST and PUT store it, PATCH changes it, DELETE answers with its id. */
export function answerItem(call: Call, { method, family }: PlainPlace, body: JsonObject): Answer {
  const group = groupOf(call, family.slice(0, family.lastIndexOf('/')));
  const id = call.params[/\{(\w+)\}$/u.exec(family)?.[1] ?? ''] ?? '';
  const found = findDocument(call.service.store, group, id);
  if (method === 'POST' || method === 'PUT') {
    return keep(call, group, id, body);
  }
  if (found === undefined) {
    throw refuse(404, `could not find ${id}`);
  }
  if (method === 'DELETE') {
    call.service.store.documents.delete(found.key);
    return result({ id });
  }
  return method === 'GET' ? result(found.value) : keep(call, group, id, { ...found.value, ...body });
}

/** Answers a route for a single document: shows what was written to it, and is empty before. */
export function answerSingle(call: Call, { method, family }: PlainPlace, body: JsonObject): Answer {
  const group = groupOf(call, family);
  const found = findDocument(call.service.store, group, 'it')?.value ?? {};
  return method === 'GET' ? result(found) : keep(call, group, 'it', { ...found, ...body });
}

function keep(call: Call, group: string, id: string, body: JsonObject): Answer {
  return result(keepDocument(call.service.store, { group, id }, { ...body, id }).value);
}

/** Returns the store's group for a family: its path with the ids of the call. */
function groupOf(call: Call, path: string): string {
  return path
    .slice(1)
    .replaceAll(/\{(\w+)\}/gu, (_, name: string) => call.params[SCOPES[name] ?? name] ?? '');
}
