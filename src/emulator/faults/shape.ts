import {
  either,
  flag,
  integer,
  list,
  map,
  object,
  type ObjectShape,
  opaque,
  type Shape,
  text,
  word,
} from '../decode/shape.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATH = /^\//u;
const moment = word('before', 'after');
const status = integer(100, 599);
const seconds = integer(0, 86_400);
const position = object({ before: text(), after: text(), index: integer(1) }, { some: 'any' });
const rule = text({ min: 1 });

const changes: Readonly<Record<string, ObjectShape>> = {
  add: object({ rule: map(opaque), position }, { required: ['rule'] }),
  patch: object({ rule, set: map(opaque, { min: 1 }) }, { required: ['rule', 'set'] }),
  delete: object({ rule }, { required: ['rule'] }),
  move: object({ rule, position }, { required: ['rule', 'position'] }),
  create_ruleset: object({ ruleset: map(opaque) }, { required: ['ruleset'] }),
  delete_ruleset: object({ ruleset: text({ min: 1 }) }),
  request: object(
    { method: word(...METHODS), path: text({ pattern: PATH }), body: map(opaque) },
    { required: ['method', 'path'] },
  ),
};

const effects: Readonly<Record<string, ObjectShape>> = {
  error: object(
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
  delay: object(
    { seconds, milliseconds: integer(0, 86_400_000), real: flag() },
    { one: ['seconds', 'milliseconds'] },
  ),
  cut: object({ moment }),
  html: object({ status, text: text(), moment }),
  truncate: object({ bytes: integer(0), connection: word('closed', 'kept') }),
  slow: object(
    { pieces: integer(2, 1000), milliseconds: integer(0, 60_000) },
    { required: ['milliseconds'] },
  ),
  limit: object({ seconds, retry_after: seconds }),
  edit: object(
    { scope: text({ min: 1 }), phase: text({ min: 1 }), change: map(opaque), moment },
    { required: ['change'] },
  ),
  spread: object({ seconds }, { required: ['seconds'] }),
  unknown_fields: object({ fields: map(opaque, { min: 1 }) }),
  missing: object({ members: list(text({ min: 1 }), { min: 1 }) }),
  stale: object({}),
  twice: object({}),
};

/** The kinds of effects, for messages and the documentation's test. */
export const effectKinds: readonly string[] = Object.keys(effects);

/** The kinds of changes of an `edit`. */
export const changeKinds: readonly string[] = Object.keys(changes);

/** What every fault has; effect and change are judged by their kind. */
export const faultShape: ObjectShape = object(
  {
    name: text({ min: 1, max: 200 }),
    method: oneOrMany(word(...METHODS)),
    path: text({ pattern: PATH }),
    query: map(text()),
    phase: text({ min: 1 }),
    nth: opaque,
    every: integer(1),
    times: integer(1),
    effect: map(opaque),
  },
  { required: ['effect'] },
);

/** The shape of an effect's own members by its kind. */
export function effectShape(kind: string): ObjectShape | undefined {
  return Object.hasOwn(effects, kind) ? effects[kind] : undefined;
}

/** The shape of a change's own members by its kind. */
export function changeShape(kind: string): ObjectShape | undefined {
  return Object.hasOwn(changes, kind) ? changes[kind] : undefined;
}

function oneOrMany(shape: Shape): Shape {
  return either({ text: shape, list: list(shape, { min: 1 }) });
}
