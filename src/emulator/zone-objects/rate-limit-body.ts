import { flag, integer, list, object, type ObjectShape, opaque, text } from '../decode/shape.ts';

const headers = list(object({ name: text(), op: text(), value: text() }));

/** The body of POST and PUT of an old rate limit (api.md 9.6): JSON types only, `rate-limit-validation.ts` has the bounds. */
export const rateLimitBody: ObjectShape = object({
  // Clients send back whole objects: accepted and ignored (assumed).
  id: opaque,
  login_protect: opaque,
  disabled: flag(),
  description: text(),
  match: object({
    request: object({ methods: list(text()), schemes: list(text()), url: text() }),
    response: object({ status: list(integer()), origin_traffic: flag(), headers }),
    headers,
  }),
  bypass: list(object({ name: text(), value: text() })),
  threshold: integer(),
  period: integer(),
  action: object({
    mode: text(),
    timeout: integer(),
    response: object({ content_type: text(), body: text() }),
  }),
  correlate: object({ by: text() }),
});
