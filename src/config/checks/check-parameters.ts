import { siteOf } from './check-action.ts';
import { parameterProblems } from './phase-parameters.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import { isJsonObject } from '../../data/index.ts';
import { actionsIn, DEPRECATED_PARAMETERS, effectiveDate, findDeprecation } from '../../model/index.ts';
import type { Diagnostic, DeprecatedParameter } from '../../model/index.ts';

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
  const actions = actionsIn(phase, siteOf(ruleset)) ?? [];
  const misplaced =
    typeof action === 'string' && actions.includes(action)
      ? parameterProblems(action, known, { phase, scope: ruleset.scope.kind }).map(
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
    ...twice.map((key) =>
      finding('config/parameter-twice', {
        message: `\`${key}\` is also in \`action_parameters\``,
        hint: 'keep it in `action_parameters`, where it is checked',
        where: locateKey(document, [...path, 'extra_parameters', key]),
      }),
    ),
  ];
}

/** Warns of parameters, and of values of parameters, that the service is retiring. The rules language warns of retired fields. */
export function checkDeprecated(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action } = value;
  return ['action_parameters', 'extra_parameters'].flatMap((member) => {
    const parameters = value[member];
    return isJsonObject(parameters)
      ? DEPRECATED_PARAMETERS.filter(
          (row) =>
            row.action === action &&
            Object.hasOwn(parameters, row.parameter) &&
            (row.values === undefined || row.values.some((word) => word === parameters[row.parameter])),
        ).map((row) =>
          finding('config/deprecated-parameter', {
            message: messageOf(row, parameters[row.parameter]),
            hint: row.hint,
            where: locateKey(document, [...path, member, row.parameter]),
          }),
        )
      : [];
  });
}

function messageOf({ parameter, values, deprecation }: DeprecatedParameter, value: unknown): string {
  const what = values === undefined ? `\`${parameter}\`` : `\`${parameter}: ${String(value)}\``;
  const row = deprecation === null ? undefined : findDeprecation(deprecation);
  return row === undefined
    ? `${what} is retired`
    : `${what} is retired (${row.id}, ${effectiveDate(row)}): ${row.change}`;
}
