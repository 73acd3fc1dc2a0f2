import type { DesiredScope, NotSimulated } from '../../model/index.ts';
import { isSettingAsWanted, settingFacts, settingFieldName, switchesOff } from '../../model/index.ts';

/**
 * Returns what settings of a zone's files may do to requests beside its rules: block, challenge, redirect or turn them away, which no simulation
 * of rules shows. Those that are off or at their defaults do nothing that a reader has to be told.
 */
export function settingsBeside(scopes: readonly DesiredScope[]): readonly NotSimulated[] {
  return scopes.flatMap(({ scope, settings = [] }): readonly NotSimulated[] => {
    const met = settings.flatMap(({ name, fields }) => {
      const facts = settingFacts(name);
      return fields.flatMap(({ path, value }) => {
        const field = facts?.fields[path];
        return facts === undefined ||
          field?.stops !== true ||
          switchesOff(field, value) ||
          isSettingAsWanted(field, undefined, value)
          ? []
          : [{ setting: settingFieldName(facts, path), value }];
      });
    });
    return met.length === 0
      ? []
      : [{ kind: 'settings', scope: { kind: scope.kind, name: scope.name }, settings: met }];
  });
}
