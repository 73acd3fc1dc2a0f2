import { setTimeout } from 'node:timers/promises';
import { isSettable } from '../environment/service-clock.ts';
import type { Dispatched } from '../call/dispatch.ts';
import type { Envelope } from '../protocol/answer.ts';
import type { EmulatedService } from '../call/service.ts';
import type { FaultEffect, FaultRequest } from '../faults/fault.ts';
import type { Strike } from '../faults/faults.ts';
import { standardBudget } from '../environment/request-budget.ts';
import { isObject } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { envelope } from '../protocol/answer.ts';
import { authenticationError, budgetExceeded } from '../protocol/refusal.ts';
import type { Ending } from './disturb-connection.ts';
import { performEdit } from './concurrent-edit.ts';

/** The outcome of a request, including the faults that struck it. */
export interface Performed extends Dispatched {
  readonly ending: Ending;
  /** The names of the faults that took effect, in order. */
  readonly faults: readonly string[];
}

/** The answer when nothing is sent to the client. */
const NOTHING: Envelope = { status: 0, body: null, headers: {} };

/**
 * Performs a request with the faults that strike it: first the effects before the work, in order, until one of them
 * answers in the service's place; then the work; then the effects after it.
 */
export async function performWithFaults(
  service: EmulatedService,
  readFacts: () => Promise<FaultRequest>,
  work: () => Promise<Dispatched>,
): Promise<Performed> {
  if (service.faults.none()) {
    return { ...(await work()), ending: { kind: 'kept' }, faults: [] };
  }
  const facts = await readFacts();
  const strikes = service.faults.strike(facts);
  const before = strikes.filter(({ fault }) => comesBefore(fault.effect));
  const early = await performEarly(service, facts, before);
  if (early.ending !== undefined) {
    const { answer, ending, performed, wrote } = early;
    return { envelope: answer, wrote, ending, faults: namesOf(before.slice(0, performed)) };
  }
  let done = await work();
  if (before.some(({ fault }) => fault.effect.kind === 'twice')) {
    const again = await work();
    done = { envelope: again.envelope, wrote: done.wrote || again.wrote };
  }
  const after = strikes.filter((strike) => !before.includes(strike));
  const late = performLate(service, facts, { strikes: after, done });
  return { ...late, wrote: early.wrote || late.wrote, faults: namesOf(strikes) };
}

function namesOf(strikes: readonly Strike[]): readonly string[] {
  return strikes.map(({ fault }) => fault.name);
}

/** Whether an effect comes before the service's work, or changes how the work is done. */
function comesBefore(effect: FaultEffect): boolean {
  switch (effect.kind) {
    case 'delay':
    case 'limit':
    case 'spread':
    case 'twice':
      return true;
    case 'error':
    case 'html':
    case 'cut':
    case 'edit':
      return effect.moment === 'before';
    default:
      return false;
  }
}

interface Early {
  readonly wrote: boolean;
  /** How many of the faults took effect. */
  readonly performed: number;
  readonly answer: Envelope;
  /** Undefined when the service is to do its work. */
  readonly ending: Ending | undefined;
}

async function performEarly(
  service: EmulatedService,
  facts: FaultRequest,
  strikes: readonly Strike[],
): Promise<Early> {
  let wrote = false;
  for (const [index, strike] of strikes.entries()) {
    const { effect } = strike.fault;
    let detail: string | undefined;
    if (effect.kind === 'delay') {
      detail = await wait(service, effect);
    }
    if (effect.kind === 'edit') {
      const edited = performEdit(service, effect, facts);
      wrote ||= edited.wrote;
      detail = edited.detail;
    }
    note(service, facts, { strike, detail });
    const answer = earlyAnswer(effect, strike.left);
    if (answer !== undefined) {
      const kind = effect.kind === 'cut' ? 'cut' : 'kept';
      return { wrote, performed: index + 1, answer, ending: { kind } };
    }
  }
  return { wrote, performed: strikes.length, answer: NOTHING, ending: undefined };
}

/** Returns the answer that replaces the service's own; undefined when the request goes on. */
function earlyAnswer(effect: FaultEffect, left: number | undefined): Envelope | undefined {
  switch (effect.kind) {
    case 'limit':
      return limitAnswer(effect, left);
    case 'spread':
      return unknownTokenAnswer();
    case 'error':
      return errorAnswer(effect);
    case 'html':
      return htmlAnswer(effect);
    case 'cut':
      return NOTHING;
    default:
      return undefined;
  }
}

function performLate(
  service: EmulatedService,
  facts: FaultRequest,
  { strikes, done }: { readonly strikes: readonly Strike[]; readonly done: Dispatched },
): Dispatched & { readonly ending: Ending } {
  let { envelope, wrote } = done;
  let ending: Ending = { kind: 'kept' };
  for (const strike of strikes) {
    const { effect } = strike.fault;
    let detail: string | undefined;
    if (effect.kind === 'edit') {
      const edited = performEdit(service, effect, facts);
      wrote ||= edited.wrote;
      detail = edited.detail;
    } else if (effect.kind === 'error') {
      envelope = errorAnswer(effect);
    } else if (effect.kind === 'html') {
      envelope = htmlAnswer(effect);
    } else if (effect.kind === 'cut') {
      ending = { kind: 'cut' };
    } else if (effect.kind === 'slow') {
      ending = { kind: 'slow', pieces: effect.pieces, milliseconds: effect.milliseconds };
    } else if (effect.kind === 'truncate') {
      const size = Buffer.byteLength(envelope.body ?? '');
      const bytes = Math.min(effect.bytes ?? Math.floor(size / 2), size);
      if (effect.connection === 'closed') {
        ending = { kind: 'cut-after', bytes };
      } else {
        envelope = { ...envelope, body: Buffer.from(envelope.body ?? '').toString('utf8', 0, bytes) };
      }
    } else if (effect.kind !== 'stale' || facts.method === 'GET') {
      envelope = changedAnswer(service, envelope, effect);
    }
    note(service, facts, { strike, detail });
  }
  return { envelope: ending.kind === 'cut' ? NOTHING : envelope, wrote, ending };
}

async function wait(
  service: EmulatedService,
  { milliseconds, real }: Extract<FaultEffect, { kind: 'delay' }>,
): Promise<string | undefined> {
  const { clock } = service;
  if (real) {
    await setTimeout(milliseconds);
    return undefined;
  }
  if (!isSettable(clock)) {
    return 'this clock cannot be set';
  }
  clock.advance(milliseconds);
  return undefined;
}

function note(
  service: EmulatedService,
  { method, path, query }: FaultRequest,
  { strike, detail }: { readonly strike: Strike; readonly detail: string | undefined },
): void {
  const text = query.toString();
  service.faults.record({
    at: new Date(service.clock.now()).toISOString(),
    fault: strike.fault.name,
    kind: strike.fault.effect.kind,
    method,
    path: text === '' ? path : `${path}?${text}`,
    match: strike.match,
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Makes the answer of an `error` effect. */
function errorAnswer(effect: Extract<FaultEffect, { kind: 'error' }>): Envelope {
  const body = { result: null, success: false, errors: effect.errors, messages: [] };
  return { status: effect.status, body: JSON.stringify(body), headers: effect.headers };
}

/** Makes the answer of an `html` effect: a page such as the edge in front of the service sends (api.md 1.4). */
function htmlAnswer(effect: Extract<FaultEffect, { kind: 'html' }>): Envelope {
  const page = `<!DOCTYPE html>\n<html><head><title>${effect.status}</title></head><body><h1>Error ${effect.status}</h1><p>injected fault</p></body></html>\n`;
  return {
    status: effect.status,
    body: effect.text ?? page,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
  };
}

/** Makes the answer of a `limit` effect (api.md 1.5, 1.7); `left` is the remaining time of the effect in seconds. */
function limitAnswer(effect: Extract<FaultEffect, { kind: 'limit' }>, left: number | undefined): Envelope {
  const { retryAfter } = effect;
  const headers =
    retryAfter === undefined ? {} : { 'retry-after': String(Math.min(retryAfter, left ?? retryAfter)) };
  return envelope(budgetExceeded(standardBudget, headers));
}

/** Makes the answer to a token that is not yet known everywhere in the service (api.md 1.1). */
function unknownTokenAnswer(): Envelope {
  return envelope(authenticationError());
}

/** Applies an effect that alters the result of an answer; any other effect leaves the answer unchanged. */
function changedAnswer(service: EmulatedService, answer: Envelope, effect: FaultEffect): Envelope {
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
function mapResults(answer: Envelope, change: (object: WireObject) => WireObject): Envelope {
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

function withRules(object: WireObject, fields: WireObject): WireObject {
  const { rules } = object;
  return Array.isArray(rules)
    ? { ...object, rules: rules.map((rule: unknown) => (isObject(rule) ? { ...rule, ...fields } : rule)) }
    : object;
}

function olderVersion(service: EmulatedService, shown: WireObject): WireObject {
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
