import { checkShape } from '../decode/bounds.ts';
import { flag, integer, list, map, object, opaque, text, word } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import type { JsonObject } from '../protocol/json.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { Method } from '../protocol/method.ts';
import type { Change, Effect } from './fault.ts';

/** Reads an object of one kind and fills in defaults; refuses an object that does not fit, with a pointer to the problem. */
type Read<Meaning> = (raw: JsonObject, at: string) => Meaning;

/** The readers of an object by its `kind`, which decides its other members. */
export type Variants<Meaning> = Readonly<Record<string, Read<Meaning>>>;

function variant<Raw, Meaning>(
  shape: ObjectShape<Raw>,
  meaning: (raw: Raw, at: string) => Meaning,
): Read<Meaning> {
  return (raw, at) => {
    checkPlaced(shape, raw, at);
    return meaning(raw, at);
  };
}

/** Checks an object of a fault file. Every refusal has a pointer, unlike the service's refusal of an unknown field. */
export function checkPlaced<Raw>(shape: ObjectShape<Raw>, raw: unknown, at: string): asserts raw is Raw {
  const refused = attempt(() => checkShape(shape, raw, at));
  if (refused instanceof Refusal) {
    throw refuse(400, refused.message, { pointer: refused.errors[0]?.source?.pointer ?? at });
  }
}

/** The methods that a fault can name. */
export const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The shape of a path below the base URL. */
export const path = text({ pattern: /^\//u });

const moment = word('before', 'after');
const status = integer(100, 599);
const seconds = integer(0, 86_400);
const name = text({ min: 1 });
const position = object({ before: text(), after: text(), index: integer(1) }, { some: 'any' });

/** The changes that somebody else can make in an `edit`. */
export const changes: Variants<Change> = {
  add: variant(object({ rule: map(opaque), position }, { required: ['rule'] }), ({ rule, position }) => ({
    kind: 'add',
    rule,
    position,
  })),
  patch: variant(
    object({ rule: name, set: map(opaque, { min: 1 }) }, { required: ['rule', 'set'] }),
    ({ rule, set }) => ({ kind: 'patch', rule, set }),
  ),
  delete: variant(object({ rule: name }, { required: ['rule'] }), ({ rule }) => ({ kind: 'delete', rule })),
  move: variant(
    object({ rule: name, position }, { required: ['rule', 'position'] }),
    ({ rule, position }) => ({ kind: 'move', rule, position }),
  ),
  create_ruleset: variant(object({ ruleset: map(opaque) }, { required: ['ruleset'] }), ({ ruleset }) => ({
    kind: 'create_ruleset',
    ruleset,
  })),
  delete_ruleset: variant(object({ ruleset: name }), ({ ruleset }) => ({ kind: 'delete_ruleset', ruleset })),
  request: variant(
    object({ method: word(...METHODS), path, body: map(opaque) }, { required: ['method', 'path'] }),
    ({ method, path, body }) => ({ kind: 'request', method, path, body }),
  ),
};

/** The effects that a fault can have. */
export const effects: Variants<Effect> = {
  error: variant(
    object(
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
    // Either one error, given by `code` and `message`, or the whole list of errors.
    ({ status, code, message = 'injected fault', errors, headers = {}, moment = 'before' }) => ({
      kind: 'error',
      status,
      errors: errors ?? [{ code, message }],
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])),
      moment,
    }),
  ),
  delay: variant(
    object(
      { seconds, milliseconds: integer(0, 86_400_000), real: flag() },
      { one: ['seconds', 'milliseconds'] },
    ),
    ({ seconds = 0, milliseconds = seconds * 1000, real = false }) => ({ kind: 'delay', milliseconds, real }),
  ),
  cut: variant(object({ moment }), ({ moment = 'before' }) => ({ kind: 'cut', moment })),
  html: variant(object({ status, text: text(), moment }), ({ status = 502, text, moment = 'before' }) => ({
    kind: 'html',
    status,
    text,
    moment,
  })),
  truncate: variant(
    object({ bytes: integer(0), connection: word('closed', 'kept') }),
    ({ bytes, connection = 'closed' }) => ({ kind: 'truncate', bytes, connection }),
  ),
  slow: variant(
    object({ pieces: integer(2, 1000), milliseconds: integer(0, 60_000) }, { required: ['milliseconds'] }),
    ({ pieces = 10, milliseconds }) => ({ kind: 'slow', pieces, milliseconds }),
  ),
  limit: variant(object({ seconds, retry_after: seconds }), ({ seconds = 0, retry_after: retryAfter }) => ({
    kind: 'limit',
    seconds,
    retryAfter,
  })),
  edit: variant(
    object({ scope: name, phase: name, change: map(opaque), moment }, { required: ['change'] }),
    ({ scope, phase, change, moment = 'before' }, at) => ({
      kind: 'edit',
      scope,
      phase,
      change: readVariant(changes, change, `${at}/change`),
      moment,
    }),
  ),
  spread: variant(object({ seconds }, { required: ['seconds'] }), ({ seconds }) => ({
    kind: 'spread',
    seconds,
  })),
  unknown_fields: variant(
    object({ fields: map(opaque, { min: 1 }) }),
    ({ fields = { x_unknown: { since: 2026 } } }) => ({ kind: 'unknown_fields', fields }),
  ),
  missing: variant(object({ members: list(name, { min: 1 }) }), ({ members = ['rules'] }) => ({
    kind: 'missing',
    members,
  })),
  emptied: variant(object({ members: list(name, { min: 1 }) }), ({ members = ['rules'] }) => ({
    kind: 'emptied',
    members,
  })),
  stale: variant(object({}), () => ({ kind: 'stale' })),
  twice: variant(object({}), () => ({ kind: 'twice' })),
};

/** Reads an object according to its `kind`. */
export function readVariant<Meaning>(variants: Variants<Meaning>, raw: JsonObject, at: string): Meaning {
  const { kind, ...members } = raw;
  const read = typeof kind === 'string' && Object.hasOwn(variants, kind) ? variants[kind] : undefined;
  if (read === undefined) {
    throw refuse(400, `expected one of ${Object.keys(variants).join(', ')}`, { pointer: `${at}/kind` });
  }
  return read(members, at);
}
