import type { JsonObject } from '../../data/index.ts';
import { isJsonArray, objectOf } from '../../data/index.ts';
import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import type { ActionKind, PhaseFacts, ScopeKind } from '../../model/index.ts';
import {
  PHASES,
  actionKind,
  phaseFacts,
  phasesOfKind,
  phasesTaking,
  takesParameter,
  headerRewrites,
} from '../../model/index.ts';
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

type ParameterCheck = (
  parameters: JsonObject,
  phase: PhaseFacts,
  scope: ScopeKind,
) => readonly ParameterProblem[];

const CHECKS: Readonly<Partial<Record<ActionKind, ParameterCheck>>> = {
  block: inBlock,
  execute: inExecute,
  skip: inSkip,
  rewrite: inRewrite,
};

/** Returns what the phase does not accept in the parameters of an action that fits it (api.md 4.4, 5.2 to 5.6, 5.11). */
export function parameterProblems(
  action: string,
  parameters: JsonObject,
  rule: { readonly phase: string; readonly scope: ScopeKind },
): readonly ParameterProblem[] {
  const phase = phaseFacts(rule.phase);
  const kind = actionKind(action);
  const check = kind === undefined ? undefined : CHECKS[kind];
  return phase === undefined
    ? []
    : [...untaken(action, parameters, phase), ...(check?.(parameters, phase, rule.scope) ?? [])];
}

/** Returns the parameters that only other phases take. */
function untaken(action: string, parameters: JsonObject, phase: PhaseFacts): readonly ParameterProblem[] {
  const known = [...(KNOWN_ACTION_PARAMETERS.get(action) ?? [])];
  const here = known.filter((name) => takesParameter(phase, action, name));
  const few =
    here.length > 0 && here.length <= MOST_LISTED ? `allowed here: ${oneOfThese(here, 'and')}; ` : '';
  return known
    .filter((name) => parameters[name] !== undefined && !here.includes(name))
    .map((name) => ({
      path: [name],
      at: 'key',
      message: `phase ${phase.name} does not allow \`${name}\``,
      hint: `${few}\`${name}\` belongs to ${oneOfThese(phasesTaking(action, name))}`,
    }));
}

/** The most parameters that a hint lists. */
const MOST_LISTED = 3;

/** The actions that overrides may give in some phase; the schema reports any other. */
const OVERRIDING: ReadonlySet<string> = new Set([
  ...PHASES.flatMap(({ overrideActions = [] }) => overrideActions),
  'ddos_dynamic',
]);

function inBlock({ response }: JsonObject, { block }: PhaseFacts): readonly ParameterProblem[] {
  const { content } = objectOf(response);
  const size = typeof content === 'string' ? Buffer.byteLength(content) : 0;
  return block === undefined || size <= block.mostBytes
    ? []
    : [
        {
          path: ['response', 'content'],
          at: 'value',
          message: `the response of a rate limit may have at most ${block.mostBytes / 1024} KB (${block.mostBytes} bytes), not ${size}`,
          hint: 'leave out what the page does not need, or load it from elsewhere',
        },
      ];
}

function inExecute(parameters: JsonObject, phase: PhaseFacts): readonly ParameterProblem[] {
  const overrides = objectOf(parameters['overrides']);
  const levels: readonly (readonly [JsonObject, ValuePath])[] = [
    [overrides, ['overrides']],
    ...entriesOf(overrides, 'categories'),
    ...entriesOf(overrides, 'rules'),
  ];
  return levels.flatMap(([entry, path]) => [
    ...overrideAction(entry, path, phase),
    ...(phase.isAlwaysOn === true ? alwaysOn(entry, path) : sensitivity(entry, path, phase)),
  ]);
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

/** Only overrides of rules that always run have a sensitivity. */
function sensitivity(
  { sensitivity_level: level }: JsonObject,
  path: ValuePath,
  { name }: PhaseFacts,
): readonly ParameterProblem[] {
  const phases = PHASES.filter(({ isAlwaysOn }) => isAlwaysOn === true).map((phase) => phase.name);
  return level === undefined
    ? []
    : [
        {
          path: [...path, 'sensitivity_level'],
          at: 'key',
          message: `phase ${name} does not allow \`sensitivity_level\``,
          hint: `\`sensitivity_level\` belongs to ${oneOfThese(phases)}`,
        },
      ];
}

function overrideAction(
  { action }: JsonObject,
  path: ValuePath,
  { name, overrideActions: possible }: PhaseFacts,
): readonly ParameterProblem[] {
  return typeof action !== 'string' ||
    !OVERRIDING.has(action) ||
    possible === undefined ||
    possible.includes(action)
    ? []
    : [
        {
          path: [...path, 'action'],
          at: 'value',
          message: `an override in phase ${name} cannot give the action \`${action}\``,
          hint: `allowed here: ${oneOfThese(possible, 'and')}`,
        },
      ];
}

function inSkip(parameters: JsonObject, phase: PhaseFacts, scope: ScopeKind): readonly ParameterProblem[] {
  return scope === 'zone' ||
    parameters['phase'] === undefined ||
    !phasesOfKind('skip', 'phase').includes(phase.name)
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

function inRewrite(parameters: JsonObject, { rewrites }: PhaseFacts): readonly ParameterProblem[] {
  if (rewrites !== 'request-headers') {
    return [];
  }
  return headerRewrites(parameters).flatMap(({ name, operation }): readonly ParameterProblem[] => {
    if (operation === 'add') {
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
    return removable && operation === 'remove'
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
