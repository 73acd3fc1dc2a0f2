import { pages } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { rule } from './rulesets.ts';
import { any, either, flag, id, integer, list, map, nothing, object, text, word } from './shape.ts';
import type { Shape } from './shape.ts';

const packageKeys = { id, name: text, description: text, zone_id: id, status: word('active') };

/** A package of the old WAF (api.md 9.4). */
export const wafPackage: Shape = either(
  object({ ...packageKeys, detection_mode: word('traditional') }),
  object({
    ...packageKeys,
    detection_mode: word('anomaly'),
    sensitivity: word('high', 'medium', 'low', 'off'),
    action_mode: word('simulate', 'block', 'challenge'),
  }),
);

/** A group of rules of the old WAF. */
export const wafGroup: Shape = object({
  id,
  name: text,
  description: either(text, nothing),
  rules_count: integer,
  modified_rules_count: integer,
  package_id: id,
  mode: word('on', 'off'),
  allowed_modes: list(word('on', 'off')),
});

const ruleKeys = {
  id: text,
  description: text,
  priority: text,
  package_id: id,
  group: object({ id, name: text }),
  allowed_modes: list(text),
};
const modes = ['default', 'disable', 'simulate', 'block', 'challenge'];

/** A rule of the old WAF: one that is on or off, or one with a mode and a default. */
export const wafRule: Shape = either(
  object({ ...ruleKeys, mode: word('on', 'off') }),
  object({ ...ruleKeys, mode: word(...modes), default_mode: word(...modes) }),
);

/** A URI-based override (api.md 9.5). */
export const wafOverride: Shape = object(
  {
    id,
    urls: list(text),
    priority: integer,
    groups: map(text),
    rules: map(text),
    rewrite_action: map(text),
    paused: flag,
  },
  { description: either(text, nothing) },
);

const blank = { kind: 'text', pattern: /^$/u } as const;
const generatedRule: Shape = object(
  {
    id: blank,
    version: blank,
    action: text,
    expression: text,
    description: text,
    ref: blank,
    enabled: flag,
  },
  { action_parameters: map(any), logging: object({ enabled: flag }) },
);

/** The answers of the WAF migration (specification 2.7, 4.3, api.md 10.1). */
export const migrationCheck: Shape = either(
  object({ compatible: flag, migration_state: text }),
  object({ compatible: flag }),
);
export const migrationConfig: Shape = object({ name: text, rules: list(either(generatedRule, rule)) });
export const migrationStatus: Shape = object(
  {
    old_waf_status: word('enabled', 'disabled'),
    new_waf_status: word('enabled', 'disabled'),
    migration_state: text,
  },
  { source: text, created: text },
);

const PACKAGES = '/zones/:zone/firewall/waf/packages';
const OVERRIDES = '/zones/:zone/firewall/waf/overrides';

/** The old WAF and its migration (api.md 9.4, 9.5, 10). */
export const wafShapes: AnswerShapes = {
  [`GET ${PACKAGES}`]: { result: list(wafPackage), info: pages },
  [`GET ${PACKAGES}/:package`]: { result: wafPackage },
  [`PATCH ${PACKAGES}/:package`]: { result: wafPackage },
  [`GET ${PACKAGES}/:package/groups`]: { result: list(wafGroup), info: pages },
  [`GET ${PACKAGES}/:package/groups/:group`]: { result: wafGroup },
  [`PATCH ${PACKAGES}/:package/groups/:group`]: { result: wafGroup },
  [`GET ${PACKAGES}/:package/rules`]: { result: list(wafRule), info: pages },
  [`GET ${PACKAGES}/:package/rules/:rule`]: { result: wafRule },
  [`PATCH ${PACKAGES}/:package/rules/:rule`]: { result: wafRule },
  [`GET ${OVERRIDES}`]: { result: list(wafOverride), info: pages },
  [`POST ${OVERRIDES}`]: { result: wafOverride },
  [`GET ${OVERRIDES}/:override`]: { result: wafOverride },
  [`PUT ${OVERRIDES}/:override`]: { result: wafOverride },
  [`DELETE ${OVERRIDES}/:override`]: { result: object({ id }) },
  'GET /zones/:zone/waf_migration/check': { result: migrationCheck },
  'GET /zones/:zone/waf_migration/config': { result: migrationConfig },
  'GET /zones/:zone/waf_migration/status': { result: migrationStatus },
};
