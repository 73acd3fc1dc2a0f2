import type { Diagnostic } from '../../../model/diagnostic.ts';
import { objectOf } from '../../../model/json.ts';
import { formatPlace } from '../../../model/source.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateKey, locateValue } from '../../yaml/yaml-document.ts';
import { repeatsOf } from '../../../model/repeats.ts';
import { lintUnreachable } from './unreachable.ts';

/** Reports what can be wrong with the order of a ruleset's rules (api.md 4.3, 4.4). */
export function lintOrder(ruleset: DeclaredRuleset): readonly Diagnostic[] {
  const enabled = ruleset.rules.filter(({ value }) => value['enabled'] !== false);
  return [...lintUnreachable(ruleset, enabled), ...repeatedExecutes(ruleset, enabled)];
}

/** Reports a managed ruleset that the entry point of a zone executes more than once (api.md 4.4). */
function repeatedExecutes(
  { document, address, scope }: DeclaredRuleset,
  rules: readonly DeclaredRule[],
): readonly Diagnostic[] {
  // Overrides of DDoS protection are several rules, each with its expression (api.md 5.3).
  if (address.kind !== 'entrypoint' || scope.kind !== 'zone' || address.phase === 'ddos_l7') {
    return [];
  }
  return repeatsOf(rules, executedManaged).repeats.map(({ item, first }) =>
    finding('lint/repeated-execute', {
      message: `another rule of this zone's entry point already executes ${executedManaged(item) ?? ''}`,
      hint: `the entry point of a zone may execute each managed ruleset once; the other one is at ${formatPlace(locateKey(document, first.path))}`,
      where: locateValue(document, [...item.path, 'action_parameters', 'id']),
    }),
  );
}

/** Returns the ruleset that a rule executes, unless it is a custom ruleset. */
function executedManaged({ value }: DeclaredRule): string | undefined {
  const { action, action_parameters: parameters } = value;
  const id = objectOf(parameters)['id'];
  return action === 'execute' && typeof id === 'string' && !id.startsWith('custom:') ? id : undefined;
}
