import { PHASES } from '../../model/phase.ts';

/** Keys of a mapping in canonical order; other keys follow in the order in which they stand. */
export type KeyOrder = readonly string[];

const SETTINGS = ['ownership', 'safety', 'ignore'] as const;

/** The project file. */
export const PROJECT_ORDER: KeyOrder = ['version', 'files', 'packs', 'vars', 'env', ...SETTINGS, 'lint'];

/** A zone, an account or a pack. */
export const FILE_ORDER: KeyOrder = [
  'pack',
  'zone',
  'zones',
  'account',
  'description',
  'phases',
  'token_env',
  'params',
  'vars',
  'labels',
  ...SETTINGS,
  'entrypoints',
  'rulesets',
  'rules',
];

/** Entry points in the order in which a request meets them. */
export const PHASE_ORDER: KeyOrder = PHASES.map(({ name }) => name);

/** An entry point, or a custom ruleset. */
export const RULESET_ORDER: KeyOrder = [
  'name',
  'phase',
  'description',
  'absent',
  'ownership',
  'place',
  'ignore',
  'rules',
];

/** A rule, or the use of a pack. */
export const RULE_ORDER: KeyOrder = [
  'use',
  'with',
  'ref',
  'id',
  'adopt',
  'description',
  'expression',
  'action',
  'enabled',
  'action_parameters',
  'extra_parameters',
  'ratelimit',
  'logging',
  'exposed_credential_check',
];
