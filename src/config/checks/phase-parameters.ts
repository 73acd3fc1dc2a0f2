import type { JsonObject } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';
import type { ScopeKind } from '../../model/index.ts';
import { oneOfThese } from '../schema/suggest.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** Something inside an action's parameters that the phase does not accept. */
export interface ParameterProblem {
  /** Path from the parameters. */
  readonly path: ValuePath;
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly hint: string;
}

/** Where the rule stands. */
interface RuleScope {
  readonly phase: string;
  readonly scope: ScopeKind;
}

type ParameterCheck = (parameters: JsonObject, place: RuleScope) => readonly ParameterProblem[];

const LOOKS: ReadonlyMap<string, ParameterCheck> = new Map<string, ParameterCheck>([
  ['block', inBlock],
  ['execute', inExecute],
  ['skip', inSkip],
  ['rewrite', inRewrite],
]);

/** Returns what the phase does not accept inside the parameters of an action that fits it (api.md 5.2 to 5.5). */
export function misfits(
  action: string,
  parameters: JsonObject,
  place: RuleScope,
): readonly ParameterProblem[] {
  return LOOKS.get(action)?.(parameters, place) ?? [];
}

const MANAGED = 'http_request_firewall_managed';
const CUSTOM = 'http_request_firewall_custom';
const SENSITIVE: readonly string[] = ['ddos_l4', 'ddos_l7'];

/** The actions that overrides may set, for the phases where that is known. */
const OVERRIDE_ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [MANAGED, ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log']],
  ['http_response_firewall_managed', ['block', 'log']],
  ['ddos_l7', ['block', 'challenge', 'managed_challenge', 'log']],
  ['ddos_l4', ['block', 'log']],
  ['magic_transit_ids_managed', ['log']],
]);

/** The actions that overrides may set in some phase; the schema reports any other. */
const OVERRIDING: ReadonlySet<string> = new Set([...[...OVERRIDE_ACTIONS.values()].flat(), 'ddos_dynamic']);

/** Most bytes in the response body of a rate limiting rule; no limit is known for other phases. */
const MAX_CONTENT_LENGTH = 30 * 1024;

function inBlock({ response }: JsonObject, { phase }: RuleScope): readonly ParameterProblem[] {
  const { content } = objectOf(response);
  const size = typeof content === 'string' ? Buffer.byteLength(content) : 0;
  return phase !== 'http_ratelimit' || size <= MAX_CONTENT_LENGTH
    ? []
    : [
        {
          path: ['response', 'content'],
          at: 'value',
          message: `the response of a rate limit may have at most 30 KB (${MAX_CONTENT_LENGTH} bytes), not ${size}`,
          hint: 'leave out what the page does not need, or load it from elsewhere',
        },
      ];
}

function inExecute(parameters: JsonObject, { phase }: RuleScope): readonly ParameterProblem[] {
  const overrides = objectOf(parameters['overrides']);
  const levels: readonly (readonly [JsonObject, ValuePath])[] = [
    [overrides, ['overrides']],
    ...entriesOf(overrides, 'categories'),
    ...entriesOf(overrides, 'rules'),
  ];
  return [
    ...(phase === MANAGED ? [] : unknownHere(parameters, ['matched_data'], phase, [MANAGED])),
    ...levels.flatMap(([entry, path]) => [
      ...overrideAction(entry, path, phase),
      ...(SENSITIVE.includes(phase)
        ? alwaysOn(entry, path)
        : unknownHere(entry, ['sensitivity_level'], phase, SENSITIVE).map((misfit) => ({
            ...misfit,
            path: [...path, ...misfit.path],
          }))),
    ]),
  ];
}

function entriesOf(overrides: JsonObject, list: string): readonly (readonly [JsonObject, ValuePath])[] {
  const entries = overrides[list];
  return isJsonArray(entries)
    ? entries.map((entry, index) => [objectOf(entry), ['overrides', list, index]] as const)
    : [];
}

/** DDoS protection refuses `enabled` at every level of overrides (api.md 5.3). */
function alwaysOn({ enabled }: JsonObject, path: ValuePath): readonly ParameterProblem[] {
  return enabled === undefined
    ? []
    : [
        {
          path: [...path, 'enabled'],
          at: 'key',
          message: 'DDoS protection is always on: its overrides cannot use `enabled`',
          hint:
            enabled === false
              ? 'write `sensitivity_level: eoff` instead, which switches rules off as far as possible'
              : 'remove it; `sensitivity_level` says how soon a rule acts',
        },
      ];
}

function overrideAction({ action }: JsonObject, path: ValuePath, phase: string): readonly ParameterProblem[] {
  const possible = OVERRIDE_ACTIONS.get(phase);
  return typeof action !== 'string' ||
    !OVERRIDING.has(action) ||
    possible === undefined ||
    possible.includes(action)
    ? []
    : [
        {
          path: [...path, 'action'],
          at: 'value',
          message: `an override in phase ${phase} cannot give the action \`${action}\``,
          hint: `allowed here: ${oneOfThese(possible, 'and')}`,
        },
      ];
}

/** The parameters of `skip`, for the phases that accept only a few of them. */
const SKIP_PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  [MANAGED, ['ruleset', 'rulesets', 'rules']],
  ['magic_transit', ['ruleset']],
]);

function inSkip(parameters: JsonObject, { phase, scope }: RuleScope): readonly ParameterProblem[] {
  const known = SKIP_PARAMETERS.get(phase);
  if (known !== undefined) {
    const unknown = Object.keys(parameters).filter((name) => !known.includes(name));
    return unknownHere(parameters, unknown, phase, [CUSTOM]);
  }
  return scope === 'zone' || parameters['phase'] === undefined
    ? []
    : [
        {
          path: ['phase'],
          at: 'key',
          message: '`phase` of `skip` is possible in zones only',
          hint: 'write `ruleset: current` for the rest of this ruleset, or name what is skipped in `phases` or `products`',
        },
      ];
}

/** Request headers that cannot be set, and whether they can be removed (api.md 5.5; removal of `True-Client-IP` is assumed). */
const GUARDED: readonly (readonly [name: RegExp, removable: boolean])[] = [
  [/^cf-connecting-ip$/iu, true],
  [/^(?:x-)?cf-/iu, false],
  [/^(?:x-forwarded-for|true-client-ip|x-real-ip|x-forwarded-proto|cookie)$/iu, true],
];

function inRewrite({ headers }: JsonObject, { phase }: RuleScope): readonly ParameterProblem[] {
  if (phase !== 'http_request_late_transform' || !isJsonObject(headers)) {
    return [];
  }
  return Object.entries(headers).flatMap(([name, change]): readonly ParameterProblem[] => {
    if (objectOf(change)['operation'] === 'add') {
      return [
        {
          path: ['headers', name, 'operation'],
          at: 'value',
          message: 'a request header cannot be added, only set or removed',
          hint: 'write `operation: set`, which replaces what the client sent; `add` is for response headers',
        },
      ];
    }
    const guarded = GUARDED.find(([pattern]) => pattern.test(name));
    if (guarded === undefined) {
      return [];
    }
    const [, removable] = guarded;
    return removable && objectOf(change)['operation'] === 'remove'
      ? []
      : [
          {
            path: ['headers', name],
            at: 'key',
            message: `the request header ${name} cannot be ${removable ? 'set' : 'changed'}`,
            hint: removable
              ? 'it can only be removed'
              : 'the service alone writes it; use a name of your own',
          },
        ];
  });
}

function unknownHere(
  parameters: JsonObject,
  names: readonly string[],
  phase: string,
  phases: readonly string[],
): readonly ParameterProblem[] {
  return names
    .filter((name) => parameters[name] !== undefined)
    .map((name) => ({
      path: [name],
      at: 'key',
      message: `phase ${phase} does not allow \`${name}\``,
      hint: `\`${name}\` belongs to ${oneOfThese(phases)}`,
    }));
}

/** A kind of ruleset at the service: entry point of a zone, entry point of an account (`root`), or custom ruleset. */
export type RulesetLevel = 'zone' | 'root' | 'custom';

const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'] as const;
const FIREWALL = ['block', ...CHALLENGES, 'log'] as const;
const EXECUTE = ['execute'] as const;

interface PhaseRow {
  readonly zone?: readonly string[];
  readonly root?: readonly string[];
  readonly custom?: readonly string[];
  /** Actions in custom rulesets of an account only, in addition to `custom`. */
  readonly accountCustom?: readonly string[];
}

/** Actions by phase and kind of ruleset (api.md 4.2, 5.1). No custom ruleset executes another one (api.md 4.4). */
const ROWS: ReadonlyMap<string, PhaseRow> = new Map<string, PhaseRow>([
  ['ddos_l4', { root: EXECUTE }],
  ['magic_transit', { root: ['block', 'skip', 'execute'], custom: ['block', 'skip'] }],
  ['magic_transit_managed', { root: EXECUTE }],
  ['magic_transit_ratelimit', { root: ['block', 'log'] }],
  ['magic_transit_ids_managed', { root: EXECUTE }],
  ['http_request_sanitize', { zone: EXECUTE }],
  ['http_request_dynamic_redirect', { zone: ['redirect'] }],
  ['http_request_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_config_settings', { zone: ['set_config'] }],
  ['http_request_origin', { zone: ['route'] }],
  ['ddos_l7', { zone: EXECUTE, root: EXECUTE }],
  [
    'http_request_firewall_custom',
    {
      zone: [...FIREWALL, 'skip', 'execute'],
      root: EXECUTE,
      custom: [...FIREWALL, 'skip'],
      accountCustom: ['rewrite'],
    },
  ],
  ['http_ratelimit', { zone: FIREWALL, root: EXECUTE, custom: FIREWALL }],
  [
    'http_request_firewall_managed',
    { zone: ['execute', 'skip'], root: ['execute', 'skip'], custom: ['skip'] },
  ],
  ['http_request_redirect', { root: ['redirect'] }],
  ['http_request_late_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_request_cache_settings', { zone: ['set_cache_settings'] }],
  ['http_response_cache_settings', { zone: ['set_cache_control', 'set_cache_tags', 'set_cache_settings'] }],
  ['http_custom_errors', { zone: ['serve_error'], root: ['serve_error'] }],
  ['http_response_headers_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_response_compression', { zone: ['compress_response'] }],
  ['http_response_firewall_managed', { zone: EXECUTE, root: EXECUTE }],
  ['http_log_custom_fields', { zone: ['log_custom_field'] }],
]);

/** Actions that no phase is documented for; the service decides. */
export const UNPLACED_ACTIONS: ReadonlySet<string> = new Set(['transform_response_html']);

/** Returns the actions that a ruleset accepts; undefined when the phase is not known. */
export function actionsIn(
  phase: string,
  level: RulesetLevel,
  scope: ScopeKind,
): readonly string[] | undefined {
  const row = ROWS.get(phase);
  if (row === undefined) {
    return undefined;
  }
  const actions = row[level] ?? [];
  return level === 'custom' && scope === 'account' ? [...actions, ...(row.accountCustom ?? [])] : actions;
}

/** Returns the phases that accept an action, for a hint. */
export function phasesWith(action: string, level: RulesetLevel, scope: ScopeKind): readonly string[] {
  return [...ROWS.keys()].filter((phase) => actionsIn(phase, level, scope)?.includes(action) === true);
}
