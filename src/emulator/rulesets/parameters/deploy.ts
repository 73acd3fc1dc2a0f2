import { flag, integer, list, map, object, text, word } from '../../decode/shape.ts';
import type { ObjectShape } from '../../decode/shape.ts';
import { phaseNames } from './phases.ts';

const id = text({ pattern: /^[0-9a-f]{32}$/u });
const actionName = text({ pattern: /^[a-z_]+$/u });
const sensitivity = word('default', 'medium', 'low', 'eoff');

const categoryOverride = object(
  { category: text({ min: 1 }), action: actionName, enabled: flag(), sensitivity_level: sensitivity },
  { required: ['category'], some: ['action', 'enabled', 'sensitivity_level'] },
);

const ruleOverride = object(
  { id, action: actionName, enabled: flag(), score_threshold: integer(0), sensitivity_level: sensitivity },
  { required: ['id'], some: ['action', 'enabled', 'score_threshold', 'sensitivity_level'] },
);

/** A ruleset to execute, with its overrides (api.md 5.3). Only the older schema has `version`. */
export const execute: ObjectShape = object(
  {
    id,
    version: text({ pattern: /^(?:latest|[0-9]+)$/u }),
    matched_data: object({ public_key: text({ min: 1 }) }, { required: ['public_key'] }),
    overrides: object({
      action: actionName,
      enabled: flag(),
      sensitivity_level: sensitivity,
      categories: list(categoryOverride, { min: 1, unique: true }),
      rules: list(ruleOverride, { min: 1, unique: true }),
    }),
  },
  { required: ['id'] },
);

const PRODUCTS = ['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown'];

/** The skip parameters that exclude each other (api.md 5.4). */
const QUARRELS = [
  ['ruleset', 'rulesets'],
  ['ruleset', 'rules'],
  ['rulesets', 'phases'],
  ...(['ruleset', 'rulesets', 'rules', 'phases'] as const).map((other) => [other, 'phase'] as const),
] as const;

/**
 * What matching requests skip (api.md 5.4). An empty list of rules stands for the whole ruleset: recorded, although the
 * newest schema requires at least one rule.
 */
export const skip: ObjectShape = object(
  {
    ruleset: word('current'),
    rulesets: list(id, { min: 1 }),
    rules: map(list(id), { min: 1, key: /^[0-9a-f]{32}$/u }),
    phases: list(word(...phaseNames), { min: 1 }),
    products: list(word(...PRODUCTS), { min: 1 }),
    phase: word('current'),
  },
  {
    some: 'any',
    also: (value) => {
      const pair = QUARRELS.find(([left, right]) => value[left] !== undefined && value[right] !== undefined);
      return pair === undefined
        ? undefined
        : { at: pair[1], reason: `it cannot be used together with ${pair[0]}` };
    },
  },
);
