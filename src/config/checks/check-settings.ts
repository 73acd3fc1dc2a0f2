import { jsonEqual, repeatsOf } from '../../data/index.ts';
import { formatPlace, phaseFacts, settingFacts, settingFieldName } from '../../model/index.ts';
import type { DeclaredSettingField, Diagnostic } from '../../model/index.ts';
import type { RulesetHead, ScopeGroup } from '../project/desired-scope.ts';
import { finding } from '../source/finding.ts';

/**
 * Reports what is wrong with the settings of a scope: fields that nobody can write, fields on which files disagree, and a setting beside the entry
 * point that holds the same state.
 */
export function checkZoneSettings({ files, scope }: ScopeGroup): readonly Diagnostic[] {
  const declared = files.flatMap(({ zoneSettings }) => zoneSettings);
  const said = `${scope.kind} ${scope.name}`;
  return [
    ...declared.flatMap((field) => readOnly(field)),
    ...repeatsOf(declared, ({ name, path }) => `${name}${path}`)
      .repeats.filter(({ item, first }) => !jsonEqual(item.value, first.value))
      .map(({ item, first }) =>
        finding('config/duplicate-setting', {
          message: `the setting ${nameOf(item)} is declared twice for ${said}, with two values`,
          hint: `the first one is at ${formatPlace(first.where)}; keep one of them`,
          where: item.where,
        }),
      ),
    ...twoDoors(
      declared,
      files.flatMap(({ heads }) => heads),
    ),
  ];
}

function nameOf({ name, path }: DeclaredSettingField): string {
  const facts = settingFacts(name);
  return facts === undefined ? name : settingFieldName(facts, path);
}

function readOnly(field: DeclaredSettingField): readonly Diagnostic[] {
  const why = settingFacts(field.name)?.fields[field.path]?.readOnly;
  return why === undefined
    ? []
    : [
        finding('config/read-only-setting', {
          message: `the setting ${nameOf(field)} cannot be written: ${why}`,
          hint: 'leave it out',
          where: field.where,
        }),
      ];
}

/** Reports settings beside the entry point through which the same state can be written: the later write would win. */
function twoDoors(
  declared: readonly DeclaredSettingField[],
  heads: readonly RulesetHead[],
): readonly Diagnostic[] {
  const { firsts } = repeatsOf(declared, ({ name }) => name);
  return [...firsts.values()].flatMap(({ name, where }) => {
    const other = heads.find(
      ({ address }) => address.kind === 'entrypoint' && phaseFacts(address.phase)?.setting === name,
    );
    return other === undefined
      ? []
      : [
          finding('config/two-doors', {
            message: `the setting ${name} and the entry point of ${other.address.phase} are one state, and both are declared`,
            hint: `the entry point is at ${formatPlace(other.where)}; keep one of them`,
            where,
          }),
        ];
  });
}
