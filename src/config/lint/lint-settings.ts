import { namesField } from '../../expression/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import {
  expressionMode,
  expressionsIn,
  formatPlace,
  settingFacts,
  settingFieldName,
  switchesOff,
} from '../../model/index.ts';
import type { ScopeFile } from '../project/scope-file.ts';
import { declaredSettings } from '../settings/declared-settings.ts';
import { finding } from '../source/finding.ts';
import { locateValue } from '../yaml/yaml-document.ts';

/** Reports rules that look at fields which a setting of the same file switches off: these never have a value. */
export function lintSwitchedOff(file: ScopeFile): readonly Diagnostic[] {
  const off = declaredSettings(file).flatMap(({ name, path, value, where }) => {
    const facts = settingFacts(name);
    const field = facts?.fields[path];
    return facts === undefined || field?.supplies === undefined || !switchesOff(field, value)
      ? []
      : [{ called: settingFieldName(facts, path), supplies: field.supplies, where }];
  });
  return off.length === 0
    ? []
    : file.rulesets.flatMap(({ document, rules }) =>
        rules.flatMap((rule) =>
          expressionsIn(rule.value).flatMap(({ path, text, role }) =>
            off
              .filter(({ supplies }) => namesField(text, expressionMode(role), supplies))
              .map(({ called, supplies, where }) =>
                finding('lint/switched-off', {
                  message: `this looks at ${supplies.join(' or ')}, which has no value while ${called} is off`,
                  hint: `it is switched off at ${formatPlace(where)}: switch it on, or take this out`,
                  where: locateValue(document, [...rule.path, ...path]),
                }),
              ),
          ),
        ),
      );
}
