import { listOf, objectOf } from '../../model/json.ts';
import type { RulesetUse } from '../../model/rule.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { DeclaredRule, DeclaredRuleset } from './scope-file.ts';

/** Returns the rulesets that a declared rule executes or skips, each with its place in the file. */
export function rulesetUses(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly RulesetUse[] {
  const at = [...path, 'action_parameters'];
  const { id, rulesets, rules } = objectOf(value['action_parameters']);
  switch (value['action']) {
    case 'execute':
      return typeof id === 'string' ? [{ reference: id, where: locateValue(document, [...at, 'id']) }] : [];
    case 'skip':
      return [
        ...listOf(rulesets).flatMap((reference, index) =>
          typeof reference === 'string'
            ? [{ reference, where: locateValue(document, [...at, 'rulesets', index]) }]
            : [],
        ),
        ...Object.keys(objectOf(rules)).map((reference) => ({
          reference,
          where: locateKey(document, [...at, 'rules', reference]),
        })),
      ];
    default:
      return [];
  }
}
