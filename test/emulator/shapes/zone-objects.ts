import { pages } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { any, either, flag, id, integer, list, nothing, object, text, time, word } from './shape.ts';
import type { Shape } from './shape.ts';

const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'];
const header = object({ name: text, op: word('eq', 'ne'), value: text });

/** An old rate limit (api.md 9.6). */
export const rateLimit: Shape = object(
  {
    id,
    match: object(
      {},
      {
        request: object({}, { methods: list(text), schemes: list(text), url: text }),
        response: object({}, { status: list(integer), origin_traffic: flag, headers: list(header) }),
        headers: list(header),
      },
    ),
    threshold: integer,
    period: integer,
    action: object(
      { mode: word('simulate', 'ban', ...CHALLENGES) },
      { timeout: integer, response: object({ content_type: text, body: text }) },
    ),
  },
  {
    disabled: flag,
    description: text,
    bypass: list(object({ name: text, value: text })),
    correlate: object({ by: text }),
    login_protect: flag,
  },
);

/** A page rule (api.md 9.7). */
export const pageRule: Shape = object({
  id,
  targets: list(
    object({ target: word('url'), constraint: object({ operator: word('matches'), value: text }) }),
  ),
  actions: list(object({ id: text }, { value: any })),
  priority: integer,
  status: word('active', 'disabled'),
  created_on: time,
  modified_on: time,
});

/** A zone lockdown rule (api.md 9.7). */
export const lockdown: Shape = object(
  {
    id,
    created_on: time,
    modified_on: time,
    paused: flag,
    urls: list(text),
    configurations: list(object({ target: word('ip', 'ip_range'), value: text })),
  },
  { description: text, priority: integer },
);

/** A user agent rule (api.md 9.7). */
export const userAgentRule: Shape = object({
  id,
  paused: flag,
  description: text,
  mode: word('block', 'whitelist', ...CHALLENGES),
  configuration: object({ target: word('ua'), value: text }),
});

const family = (path: string, one: Shape, info?: Shape): AnswerShapes => ({
  [`GET /zones/:zone/${path}`]: { result: list(one), ...(info === undefined ? {} : { info }) },
  [`POST /zones/:zone/${path}`]: { result: one },
  [`GET /zones/:zone/${path}/:object`]: { result: one },
  [`PUT /zones/:zone/${path}/:object`]: { result: one },
  [`DELETE /zones/:zone/${path}/:object`]: { result: either(object({ id }), nothing) },
});

/** An access rule (api.md 9.7). */
const accessRule: Shape = object({
  id,
  notes: text,
  allowed_modes: list(text),
  mode: word('block', 'whitelist', ...CHALLENGES),
  configuration: object({ target: word('ip', 'ip6', 'ip_range', 'asn', 'country'), value: text }),
  created_on: time,
  modified_on: time,
  scope: object({ id, type: word('zone', 'organization', 'user') }, { email: text }),
});

const accessRules = (owner: string): AnswerShapes => {
  const all = `${owner}/firewall/access_rules/rules`;
  return {
    [`GET ${all}`]: { result: list(accessRule), info: pages },
    [`POST ${all}`]: { result: accessRule },
    [`GET ${all}/:object`]: { result: accessRule },
    [`PATCH ${all}/:object`]: { result: accessRule },
    [`DELETE ${all}/:object`]: { result: object({ id }) },
  };
};

/** Old rate limits, page rules, lockdowns, user agent rules, access rules (api.md 9.6, 9.7). */
export const zoneObjectShapes: AnswerShapes = {
  ...family('rate_limits', rateLimit, pages),
  ...family('pagerules', pageRule),
  'PATCH /zones/:zone/pagerules/:object': { result: pageRule },
  ...family('firewall/lockdowns', lockdown, pages),
  ...family('firewall/ua_rules', userAgentRule, pages),
  ...accessRules('/zones/:zone'),
  ...accessRules('/accounts/:account'),
  ...accessRules('/user'),
};
