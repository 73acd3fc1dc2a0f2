import { flag, object, opaque, text } from '../decode/shape.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import type { ZoneObject } from '../zone-objects.ts';
import type { PlainFamily } from './plain-family.ts';

const MODES = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'whitelist'];

/** User agent rules: what happens to requests of one user agent (api.md 9.7). */
export const uaRules: PlainFamily = {
  family: 'ua_rules',
  path: '/firewall/ua_rules',
  body: object({
    id: opaque,
    paused: flag(),
    description: text(),
    mode: text(),
    configuration: object({ target: text(), value: text() }),
  }),
  narrowings: {
    description: { kind: 'part', of: description },
    description_search: { kind: 'part', of: description },
    user_agent: { kind: 'part', of: userAgent },
    ua_search: { kind: 'part', of: userAgent },
    paused: { kind: 'flag', of: ({ body }) => body['paused'] === true },
  },
  problem: uaProblem,
  fill: (body) => {
    const said = textAt(body, 'description') ?? '';
    return {
      paused: body['paused'] === true,
      ...(said === '' ? {} : { description: said }),
      mode: body['mode'],
      configuration: body['configuration'],
    };
  },
  quotaMessage: 'exceeded the maximum number of user agent rules',
};

function uaProblem(body: JsonObject): Refusal | undefined {
  const configuration = objectAt(body, 'configuration') ?? {};
  const reason = !MODES.includes(textAt(body, 'mode') ?? '')
    ? `mode must be one of ${MODES.join(', ')}`
    : textAt(configuration, 'target') !== 'ua'
      ? 'configuration.target must be ua'
      : (textAt(configuration, 'value') ?? '') === ''
        ? 'configuration.value cannot be blank'
        : undefined;
  return reason === undefined ? undefined : refuse(400, serviceError(reason));
}

function description({ body }: ZoneObject): string {
  return textAt(body, 'description') ?? '';
}

function userAgent({ body }: ZoneObject): string {
  return textAt(objectAt(body, 'configuration') ?? {}, 'value') ?? '';
}
