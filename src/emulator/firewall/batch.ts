import { decodeBody, decodeList } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { checkBounds } from '../decode/bounds.ts';
import { invalidValue } from '../protocol/templates.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { textAt } from '../protocol/json.ts';
import { decline, refuse } from '../protocol/refusal.ts';
import { LARGEST_BATCH } from './body.ts';

/** One entry of a batch, or a body that is a single object. */
export interface Entry<Body> {
  readonly body: Body;
  /** The id that the entry names; empty when it names none. */
  readonly id: string;
  /** Where the entry is in the body: `/3`, or empty when the entry is the whole body. */
  readonly pointer: string;
}

/** Reads a body that is a list of 1 to 25 entries of one shape (api.md 9.1). */
export function readBatch<Body>(call: ScopedCall, shape: ObjectShape<Body>): readonly Entry<Body>[] {
  const bodies = decodeList(call, shape);
  if (bodies.length === 0 || bodies.length > LARGEST_BATCH) {
    throw refuse(400, `a batch holds 1 to ${LARGEST_BATCH} entries, this one has ${bodies.length}`);
  }
  return bodies.map((body, index) => {
    const pointer = `/${index}`;
    checkBounds(shape, body, pointer);
    return { body, id: textAt(body, 'id') ?? '', pointer };
  });
}

/** Like `readBatch`, for changes: no two entries may name the same object. */
export function readChanges<Body>(call: ScopedCall, shape: ObjectShape<Body>): readonly Entry<Body>[] {
  const entries = readBatch(call, shape);
  const seen = new Set<string>();
  for (const { id, pointer } of entries) {
    if (seen.has(id)) {
      throw invalidValue(id, `${pointer}/id`, 'it is already used');
    }
    seen.add(id);
  }
  return entries;
}

/** Reads a body that is one object, for the id in the path; an id in the body must be the same (assumed). */
export function readOne<Body>(call: ScopedCall, shape: ObjectShape<Body>, id: string): Entry<Body> {
  const sent = decodeBody(call, shape);
  const named = textAt(sent, 'id') ?? '';
  const body: unknown = { ...sent, id: named === '' ? id : named };
  checkBounds(shape, body, '');
  return named === '' || named === id
    ? { body, id, pointer: '' }
    : decline(invalidValue(named, '/id', 'it is not the id of the path'));
}

/** Reads the ids that a bulk deletion names in its query: `?id=a&id=b`. */
export function readIds(call: ScopedCall): readonly string[] {
  const ids = call.query.getAll('id');
  const wrong = ids.find((id) => !/^[0-9a-f]{32}$/u.test(id));
  return wrong === undefined ? [...new Set(ids)] : decline(refuse(400, `invalid field value: ${wrong}`));
}
