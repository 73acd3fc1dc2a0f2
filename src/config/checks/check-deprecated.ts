import type { Diagnostic, DeprecatedParameter } from '../../model/index.ts';
import { DEPRECATED_PARAMETERS, effectiveDate, findDeprecation } from '../../model/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey } from '../yaml/yaml-document.ts';

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
