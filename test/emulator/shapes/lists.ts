import { cursors } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { either, flag, id, integer, list, object, text, time, word } from './shape.ts';
import type { Shape } from './shape.ts';

/** A list (api.md 9.8); one without a description answers none. */
export const listShape: Shape = object(
  {
    id,
    name: text,
    kind: word('ip', 'redirect', 'hostname', 'asn'),
    num_items: integer,
    num_referencing_filters: integer,
    created_on: time,
    modified_on: time,
  },
  { description: text },
);

const redirect = object(
  { source_url: text, target_url: text },
  {
    status_code: integer,
    include_subdomains: flag,
    subpath_matching: flag,
    preserve_query_string: flag,
    preserve_path_suffix: flag,
  },
);

const item = (value: Readonly<Record<string, Shape>>): Shape =>
  object({ id, ...value, created_on: time, modified_on: time }, { comment: text });

/** An item of a list: one of four values. */
export const listItem: Shape = either(
  item({ ip: text }),
  item({ hostname: object({ url_hostname: text }) }),
  item({ asn: integer }),
  item({ redirect }),
);

const started = object({ operation_id: id });
const operation = either(
  object({ id, status: word('pending', 'running') }),
  object({ id, status: word('completed'), completed: time }),
  object({ id, status: word('failed'), completed: time, error: text }),
);
const LISTS = '/accounts/:account/rules/lists';

/** The Lists interface (api.md 9.8). */
export const listShapes: AnswerShapes = {
  [`GET ${LISTS}`]: { result: list(listShape) },
  [`POST ${LISTS}`]: { result: listShape },
  [`GET ${LISTS}/:list`]: { result: listShape },
  [`PUT ${LISTS}/:list`]: { result: listShape },
  [`DELETE ${LISTS}/:list`]: { result: object({ id }) },
  [`GET ${LISTS}/:list/items`]: { result: list(listItem), info: cursors },
  [`POST ${LISTS}/:list/items`]: { result: started },
  [`PUT ${LISTS}/:list/items`]: { result: started },
  [`DELETE ${LISTS}/:list/items`]: { result: started },
  [`GET ${LISTS}/:list/items/:item`]: { result: listItem },
  [`GET ${LISTS}/bulk_operations/:operation`]: { result: operation },
};
