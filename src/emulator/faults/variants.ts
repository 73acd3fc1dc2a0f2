import { flag, integer, list, map, object, opaque, text, word } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { flagAt, isObject, listAt, numberAt, objectAt, textAt, textsAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Method } from '../route.ts';
import type { Change, Effect, Moment } from './fault.ts';

/** One form of an object whose `kind` tells which other members it has: their shape, and what they mean, with defaults. */
export interface Variant<Meaning> {
  readonly shape: ObjectShape;
  readonly read: (raw: JsonObject) => Meaning;
}

/** The forms of an object by `kind`. */
export type Variants<Meaning> = Readonly<Record<string, Variant<Meaning>>>;

/** The methods of requests. */
export const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A path below the base URL. */
export const path = text({ pattern: /^\//u });

const BAD_GATEWAY = 502;
const PIECES = 10;

const moment = word('before', 'after');
const status = integer(100, 599);
const seconds = integer(0, 86_400);
const name = text({ min: 1 });
const position = object({ before: text(), after: text(), index: integer(1) }, { some: 'any' });

/** What somebody else does in an `edit`. */
export const changes: Variants<Change> = {
  add: {
    shape: object({ rule: map(opaque), position }, { required: ['rule'] }),
    read: (raw) => ({ kind: 'add', rule: objectAt(raw, 'rule') ?? {}, position: objectAt(raw, 'position') }),
  },
  patch: {
    shape: object({ rule: name, set: map(opaque, { min: 1 }) }, { required: ['rule', 'set'] }),
    read: (raw) => ({ kind: 'patch', rule: ruleIn(raw), set: objectAt(raw, 'set') ?? {} }),
  },
  delete: {
    shape: object({ rule: name }, { required: ['rule'] }),
    read: (raw) => ({ kind: 'delete', rule: ruleIn(raw) }),
  },
  move: {
    shape: object({ rule: name, position }, { required: ['rule', 'position'] }),
    read: (raw) => ({ kind: 'move', rule: ruleIn(raw), position: objectAt(raw, 'position') ?? {} }),
  },
  create_ruleset: {
    shape: object({ ruleset: map(opaque) }, { required: ['ruleset'] }),
    read: (raw) => ({ kind: 'create_ruleset', ruleset: objectAt(raw, 'ruleset') ?? {} }),
  },
  delete_ruleset: {
    shape: object({ ruleset: name }),
    read: (raw) => ({ kind: 'delete_ruleset', ruleset: textAt(raw, 'ruleset') }),
  },
  request: {
    shape: object({ method: word(...METHODS), path, body: map(opaque) }, { required: ['method', 'path'] }),
    read: (raw) => ({
      kind: 'request',
      method: METHODS.find((method) => method === raw['method']) ?? 'GET',
      path: textAt(raw, 'path') ?? '/',
      body: objectAt(raw, 'body'),
    }),
  },
};

/** How requests go wrong. */
export const effects: Variants<Effect> = {
  error: {
    shape: object(
      {
        status,
        code: integer(0),
        message: text({ min: 1 }),
        errors: list(map(opaque)),
        headers: map(text()),
        moment,
      },
      { required: ['status'] },
    ),
    read: (raw) => ({
      kind: 'error',
      status: numberAt(raw, 'status') ?? BAD_GATEWAY,
      errors: errorsIn(raw),
      headers: Object.fromEntries(
        Object.entries(objectAt(raw, 'headers') ?? {}).map(([key, value]) => [
          key.toLowerCase(),
          String(value),
        ]),
      ),
      moment: momentIn(raw),
    }),
  },
  delay: {
    shape: object(
      { seconds, milliseconds: integer(0, 86_400_000), real: flag() },
      { one: ['seconds', 'milliseconds'] },
    ),
    read: (raw) => ({
      kind: 'delay',
      milliseconds: numberAt(raw, 'milliseconds') ?? secondsIn(raw) * 1000,
      real: flagAt(raw, 'real') ?? false,
    }),
  },
  cut: { shape: object({ moment }), read: (raw) => ({ kind: 'cut', moment: momentIn(raw) }) },
  html: {
    shape: object({ status, text: text(), moment }),
    read: (raw) => ({
      kind: 'html',
      status: numberAt(raw, 'status') ?? BAD_GATEWAY,
      text: textAt(raw, 'text'),
      moment: momentIn(raw),
    }),
  },
  truncate: {
    shape: object({ bytes: integer(0), connection: word('closed', 'kept') }),
    read: (raw) => ({
      kind: 'truncate',
      bytes: numberAt(raw, 'bytes'),
      connection: raw['connection'] === 'kept' ? 'kept' : 'closed',
    }),
  },
  slow: {
    shape: object(
      { pieces: integer(2, 1000), milliseconds: integer(0, 60_000) },
      { required: ['milliseconds'] },
    ),
    read: (raw) => ({
      kind: 'slow',
      pieces: numberAt(raw, 'pieces') ?? PIECES,
      milliseconds: numberAt(raw, 'milliseconds') ?? 0,
    }),
  },
  limit: {
    shape: object({ seconds, retry_after: seconds }),
    read: (raw) => ({ kind: 'limit', seconds: secondsIn(raw), retryAfter: numberAt(raw, 'retry_after') }),
  },
  edit: {
    shape: object({ scope: name, phase: name, change: map(opaque), moment }, { required: ['change'] }),
    read: (raw) => ({
      kind: 'edit',
      scope: textAt(raw, 'scope'),
      phase: textAt(raw, 'phase'),
      change: readVariant(changes, objectAt(raw, 'change') ?? {}),
      moment: momentIn(raw),
    }),
  },
  spread: {
    shape: object({ seconds }, { required: ['seconds'] }),
    read: (raw) => ({ kind: 'spread', seconds: secondsIn(raw) }),
  },
  unknown_fields: {
    shape: object({ fields: map(opaque, { min: 1 }) }),
    read: (raw) => ({
      kind: 'unknown_fields',
      fields: objectAt(raw, 'fields') ?? { x_unknown: { since: 2026 } },
    }),
  },
  missing: {
    shape: object({ members: list(name, { min: 1 }) }),
    read: (raw) => ({
      kind: 'missing',
      members: raw['members'] === undefined ? ['rules'] : textsAt(raw, 'members'),
    }),
  },
  stale: { shape: object({}), read: () => ({ kind: 'stale' }) },
  twice: { shape: object({}), read: () => ({ kind: 'twice' }) },
};

/** The form that a `kind` names. */
export function variantOf<Meaning>(variants: Variants<Meaning>, kind: unknown): Variant<Meaning> | undefined {
  return typeof kind === 'string' && Object.hasOwn(variants, kind) ? variants[kind] : undefined;
}

/** Turns a judged object into what it means. */
export function readVariant<Meaning>(variants: Variants<Meaning>, raw: JsonObject): Meaning {
  const variant = variantOf(variants, raw['kind']);
  if (variant === undefined) {
    throw new Error(`there is no kind ${String(raw['kind'])}`);
  }
  return variant.read(raw);
}

/** One error by `code` and `message`, or the whole list as it is to be. */
function errorsIn(raw: JsonObject): readonly JsonObject[] {
  return raw['errors'] === undefined
    ? [{ code: numberAt(raw, 'code'), message: textAt(raw, 'message') ?? 'injected fault' }]
    : listAt(raw, 'errors').filter(isObject);
}

function momentIn(raw: JsonObject): Moment {
  return raw['moment'] === 'after' ? 'after' : 'before';
}

function secondsIn(raw: JsonObject): number {
  return numberAt(raw, 'seconds') ?? 0;
}

function ruleIn(raw: JsonObject): string {
  return textAt(raw, 'rule') ?? '';
}
