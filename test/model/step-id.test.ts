import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RulesetAddress } from '../../src/model/ruleset.ts';
import type { ScopeRef } from '../../src/model/scope.ts';
import { scopeLabel } from '../../src/model/scope.ts';
import { readStepId, rulesetName, stepId } from '../../src/model/step-id.ts';
import { propertyRuns } from '../property-runs.ts';

const name = fc.oneof(
  fc.string(),
  fc.constantFrom('Shop/EU', 'A/http_ratelimit', 'A/http_ratelimit/custom:b', 'A\nB', '/', 'Größe'),
);
const scope: fc.Arbitrary<ScopeRef> = fc.record({ kind: fc.constantFrom('zone', 'account'), name });
const phase = fc.constantFrom('http_ratelimit', 'http_request_firewall_custom');
const address: fc.Arbitrary<RulesetAddress> = fc.oneof(
  fc.record({ kind: fc.constant('entrypoint'), phase }),
  fc.record({ kind: fc.constant('custom'), phase, name }),
);

test('reads back every step id it made, whatever the names of scope and ruleset', () => {
  fc.assert(
    fc.property(scope, address, (where, what) => {
      expect(readStepId(stepId(where, what))).toEqual({
        scope: scopeLabel(where),
        ruleset: rulesetName(what),
      });
    }),
    { numRuns: propertyRuns() },
  );
});

test('reads a text that is not a step id as a ruleset without a scope', () => {
  expect(readStepId('no step')).toEqual({ scope: '', ruleset: 'no step' });
});
