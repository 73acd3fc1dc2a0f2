import type { DesiredRule } from '../../src/model/rule.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import type { ScopeRef } from '../../src/model/scope.ts';
import type { Cause } from '../../src/model/source.ts';
import type { DesiredScope } from '../../src/model/state.ts';

const CAUSE: Cause = { file: 'zones/a.yaml', line: 1, column: 1 };

/** A scope from a label such as `zone:a.example`, with the rulesets that are declared for it. */
export function desiredScope(
  label: string,
  rulesets: readonly DesiredRuleset[] = [],
  overrides: Partial<DesiredScope> = {},
): DesiredScope {
  const [kind, ...name] = label.split(':');
  const scope: ScopeRef = { kind: kind === 'account' ? 'account' : 'zone', name: name.join(':') };
  return { scope, rulesetOwnership: 'declared', rulesets, cause: CAUSE, ...overrides };
}

export function entrypoint(phase: string, overrides: Partial<DesiredRuleset> = {}): DesiredRuleset {
  return ruleset({ address: { kind: 'entrypoint', phase }, ...overrides });
}

export function custom(
  name: string,
  phase = 'http_request_firewall_custom',
  overrides: Partial<DesiredRuleset> = {},
): DesiredRuleset {
  return ruleset({ address: { kind: 'custom', phase, name }, ...overrides });
}

/** A rule that executes another ruleset. */
export function executing(target: string): DesiredRule {
  const content = {
    action: 'execute',
    expression: 'true',
    description: '',
    enabled: true,
    action_parameters: { id: target },
  };
  return { ref: 'run', adopt: false, content, cause: CAUSE };
}

function ruleset(overrides: Partial<DesiredRuleset> & Pick<DesiredRuleset, 'address'>): DesiredRuleset {
  return {
    presence: 'present',
    rules: [],
    ownership: { kind: 'all' },
    place: 'any',
    cause: CAUSE,
    ...overrides,
  };
}
