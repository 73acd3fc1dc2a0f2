import { cursor } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { any, flag, id, integer, list, map, object, text, time, version, word } from './shape.ts';
import type { Shape } from './shape.ts';

const headKeys = {
  id,
  name: text,
  description: text,
  kind: word('managed', 'custom', 'root', 'zone'),
  version,
  last_updated: time,
  phase: text,
};

/** A ruleset without its rules, as lists show it (api.md 3.1). */
export const rulesetHead: Shape = object(headKeys, { source: text });

/** A `ratelimit` object (api.md 3.4); the last member is of 2021 and ignored. */
const ratelimit = object(
  { characteristics: list(text), period: integer },
  {
    requests_per_period: integer,
    score_per_period: integer,
    score_response_header_name: text,
    mitigation_timeout: integer,
    counting_expression: text,
    requests_to_origin: flag,
    mitigation_expression: text,
  },
);

/** A rule (api.md 3.2): managed ones have no expression, and read-only members of their own. */
export const rule: Shape = object(
  { id, version, action: word('[a-z_]+'), last_updated: time, ref: text, enabled: flag },
  {
    action_parameters: map(any),
    expression: text,
    description: text,
    categories: list(text),
    logging: object({ enabled: flag }),
    ratelimit,
    exposed_credential_check: object({ username_expression: text, password_expression: text }),
    score_threshold: integer,
  },
);

/** A ruleset with its rules; `rules` may be absent when there are none (api.md 0.3 number 14). */
export const ruleset: Shape = object(headKeys, { source: text, rules: list(rule) });

const inScope = (scope: string): AnswerShapes => ({
  [`GET ${scope}/rulesets`]: { result: list(rulesetHead), info: cursor },
  [`POST ${scope}/rulesets`]: { result: ruleset },
  [`GET ${scope}/rulesets/:ruleset`]: { result: ruleset },
  [`PUT ${scope}/rulesets/:ruleset`]: { result: ruleset },
  [`DELETE ${scope}/rulesets/:ruleset`]: { result: any, empty: true },
  [`GET ${scope}/rulesets/:ruleset/versions`]: { result: list(rulesetHead) },
  [`GET ${scope}/rulesets/:ruleset/versions/:version`]: { result: ruleset },
  [`DELETE ${scope}/rulesets/:ruleset/versions/:version`]: { result: any, empty: true },
  [`POST ${scope}/rulesets/:ruleset/rules`]: { result: ruleset },
  [`PATCH ${scope}/rulesets/:ruleset/rules/:rule`]: { result: ruleset },
  [`DELETE ${scope}/rulesets/:ruleset/rules/:rule`]: { result: ruleset },
  [`GET ${scope}/rulesets/phases/:phase/entrypoint`]: { result: ruleset },
  [`PUT ${scope}/rulesets/phases/:phase/entrypoint`]: { result: ruleset },
  [`GET ${scope}/rulesets/phases/:phase/entrypoint/versions`]: { result: list(rulesetHead) },
  [`GET ${scope}/rulesets/phases/:phase/entrypoint/versions/:version`]: { result: ruleset },
});

/** The Rulesets interface (api.md 2.1, 3). */
export const rulesetShapes: AnswerShapes = {
  ...inScope('/zones/:zone'),
  ...inScope('/accounts/:account'),
  'GET /accounts/:account/rulesets/:ruleset/versions/:version/by_tag/:tag': { result: ruleset },
};
