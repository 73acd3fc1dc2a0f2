import type { Diagnostic } from '../../model/diagnostic.ts';
import { objectOf } from '../../model/json.ts';
import { repeatsOf } from '../../model/repeats.ts';
import { formatPlace } from '../../model/source.ts';
import { wellKnownRuleset } from '../../model/well-known-rulesets.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** Reports a managed ruleset that the entry point of a zone executes more than once, which the service refuses (api.md 4.4). */
export function checkExecutes({ document, address, scope, rules }: DeclaredRuleset): readonly Diagnostic[] {
  // Overrides of DDoS protection are several rules, each with its expression (api.md 5.3).
  if (address.kind !== 'entrypoint' || scope.kind !== 'zone' || address.phase === 'ddos_l7') {
    return [];
  }
  const enabled = rules.filter(({ value }) => value['enabled'] !== false);
  return repeatsOf(enabled, executedManaged).repeats.map(({ item, first }) =>
    finding('config/repeated-execute', {
      message: `another rule of this zone's entry point already executes ${executedManaged(item) ?? ''}`,
      hint: `the entry point of a zone may execute each managed ruleset once; the other one is at ${formatPlace(locateKey(document, first.path))}`,
      where: locateValue(document, [...item.path, 'action_parameters', 'id']),
    }),
  );
}

/** Returns the managed ruleset that a rule executes; an id that is not well known may be that of a custom one. */
function executedManaged({ value }: DeclaredRule): string | undefined {
  const { action, action_parameters: parameters } = value;
  const id = objectOf(parameters)['id'];
  if (action !== 'execute' || typeof id !== 'string') {
    return undefined;
  }
  return id.startsWith('managed:') ? id : wellKnownRuleset(id);
}
