import { flag, integer, list, object, opaque, text, word } from '../decode/body-shape.ts';
import type { ObjectShape, ValueOf } from '../decode/body-shape.ts';
import { bypassProducts, firewallActions } from '../records/old-records.ts';
import { decodeBody, decodeList } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { checkBounds } from '../decode/bounds.ts';
import { invalidValue, decline, refuse } from '../protocol/refusal.ts';
import { textAt } from '../protocol/wire-object.ts';

const LARGEST_PRIORITY = 2_147_483_647;

/** The maximum number of entries in a batch (api.md 9.1). */
const LARGEST_BATCH = 25;

const description = text({ max: 500 });
const ref = text({ max: 50 });
const priority = integer(0, LARGEST_PRIORITY);

// Members that clients copy from answers: accepted and ignored (assumed).
const readOnly = { created_on: opaque, modified_on: opaque } as const;

/** A filter as clients send it (api.md 9.2); `id` is empty or absent in new ones. */
const filterFields = { id: text(), expression: text(), paused: flag(), description, ref, ...readOnly };

/** A filter of a seed: as clients send it, with how it was made and how many other features use it. */
export const seededFilter = object(
  { ...filterFields, expression: text({ min: 1 }), made_with_rule: flag(), used_elsewhere: integer(0) },
  { required: ['expression'] },
);

/** An entry of POST filters. */
export const newFilter = object(filterFields, { required: ['expression'] });

/** An entry of PUT filters, and the body of PUT for one filter. */
export const changedFilter = object(filterFields, { required: ['id', 'expression'] });

/** An entry of PUT filters, decoded. */
export type ChangedFilter = ValueOf<typeof changedFilter>;

const ruleFields = {
  id: text(),
  action: word(...firewallActions),
  products: list(word(...bypassProducts), { min: 1, unique: true }),
  priority,
  paused: flag(),
  description,
  ref,
  ...readOnly,
};

/** A bypass needs products, and no other action may have any (assumed in api.md 9.1). */
const products: NonNullable<ObjectShape['also']> = (value) => {
  const bypass = value['action'] === 'bypass';
  const given = value['products'] !== undefined;
  return bypass === given
    ? undefined
    : { at: 'products', reason: bypass ? 'a bypass needs products' : 'only a bypass has products' };
};

/** An entry of POST rules; its filter is an existing one, named by `id`, or a new one (specification 4.2). */
export const newFirewallRule = object(
  { ...ruleFields, filter: object(filterFields, { some: ['id', 'expression'] }) },
  { required: ['action', 'filter'], also: products },
);

/** A rule of a seed; it names its filter by `id` or `ref`, or contains it. */
export const seededFirewallRule = object(
  { ...ruleFields, filter: object(filterFields, { some: ['id', 'ref', 'expression'] }) },
  { required: ['action', 'filter'], also: products },
);

/** An entry of PUT rules, and the body of PUT for one rule; only the `id` of the filter counts (api.md 9.1). */
export const changedFirewallRule = object(
  { ...ruleFields, filter: object({ ...filterFields, deleted: flag() }, { required: ['id'] }) },
  { required: ['id', 'action', 'filter'], also: products },
);

/** An entry of PATCH rules, and the body of PATCH for one rule. An absent or null priority means none (assumed). */
export const changedPriority = object({ id: text(), priority });

/** The optional body of DELETE for one rule. */
export const deletion = object({ delete_filter_if_unused: flag() });

/** One entry of a batch, or a body that is a single object. */
export interface BodyEntry<Body> {
  readonly body: Body;
  /** The id that the entry names; empty when it names none. */
  readonly id: string;
  /** Where the entry is in the body: `/3`, or empty when the entry is the whole body. */
  readonly pointer: string;
}

/** Reads a body that is a list of 1 to 25 entries of one shape (api.md 9.1). */
export function readBatch<Body>(call: ScopedCall, shape: ObjectShape<Body>): readonly BodyEntry<Body>[] {
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
export function readChanges<Body>(call: ScopedCall, shape: ObjectShape<Body>): readonly BodyEntry<Body>[] {
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
export function readOne<Body>(call: ScopedCall, shape: ObjectShape<Body>, id: string): BodyEntry<Body> {
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
