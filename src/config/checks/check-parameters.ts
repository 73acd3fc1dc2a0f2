import type { Diagnostic } from '../../model/index.ts';
import { actionsIn } from '../../model/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import { siteOf } from './check-action.ts';
import { parameterProblems } from './phase-parameters.ts';

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
