import type { Diagnostic } from '../../model/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import { levelOf } from './check-action.ts';
import { actionsIn, misfits } from './phase-parameters.ts';

const STRIP = ['strip_etags', 'strip_last_modified', 'strip_set_cookie'] as const;

/** Parameters that only some phases accept, as action, parameter, phases (api.md 4.4, 5.6, 5.11). */
const PLACES: readonly (readonly [action: string, parameter: string, phases: readonly string[]])[] = [
  ['rewrite', 'uri', ['http_request_transform']],
  [
    'rewrite',
    'headers',
    ['http_request_late_transform', 'http_response_headers_transform', 'http_request_firewall_custom'],
  ],
  ['redirect', 'from_value', ['http_request_dynamic_redirect']],
  ['redirect', 'from_list', ['http_request_redirect']],
  ...STRIP.map((key) => ['set_cache_settings', key, ['http_response_cache_settings']] as const),
];

/** Checks that the action's parameters fit the phase, and that no parameter is in both `action_parameters` and `extra_parameters`. */
export function checkParameters(
  ruleset: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action, action_parameters: known, extra_parameters: extra } = value;
  const { document } = ruleset;
  if (!isJsonObject(known)) {
    return [];
  }
  const { phase } = ruleset.address;
  const actions = actionsIn(phase, levelOf(ruleset), ruleset.scope.kind) ?? [];
  const fits = actions.some((possible) => possible === action);
  const keys = Object.keys(known);
  const misplaced = PLACES.filter(
    ([of, parameter, phases]) => fits && of === action && keys.includes(parameter) && !phases.includes(phase),
  ).map(([of, parameter, phases]) =>
    finding('config/parameter-in-phase', {
      message: `phase ${phase} does not allow \`${parameter}\` in \`${of}\``,
      hint: `\`${parameter}\` belongs to ${oneOfThese(phases)}`,
      where: locateKey(document, [...path, 'action_parameters', parameter]),
    }),
  );
  const requestSettings =
    phase === 'http_response_cache_settings' && action === 'set_cache_settings'
      ? keys.filter((key) => !STRIP.some((strip) => strip === key))
      : [];
  const foreign = requestSettings.map((key) =>
    finding('config/parameter-in-phase', {
      message: `phase ${phase} does not allow \`${key}\``,
      hint: `allowed here: ${oneOfThese(STRIP, 'and')}; \`${key}\` belongs to \`http_request_cache_settings\``,
      where: locateKey(document, [...path, 'action_parameters', key]),
    }),
  );
  const inside =
    fits && typeof action === 'string'
      ? misfits(action, known, { phase, scope: ruleset.scope.kind }).map(
          ({ path: below, at, message, hint }) => {
            const place = [...path, 'action_parameters', ...below];
            const where = at === 'key' ? locateKey(document, place) : locateValue(document, place);
            return finding('config/parameter-in-phase', { message, hint, where });
          },
        )
      : [];
  const twice = isJsonObject(extra) ? Object.keys(extra).filter((key) => Object.hasOwn(known, key)) : [];
  return [
    ...misplaced,
    ...foreign,
    ...inside,
    ...twice.map((key) =>
      finding('config/parameter-twice', {
        message: `\`${key}\` is also in \`action_parameters\``,
        hint: 'keep it in `action_parameters`, where it is checked',
        where: locateKey(document, [...path, 'extra_parameters', key]),
      }),
    ),
  ];
}
