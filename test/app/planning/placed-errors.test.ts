import { expect, test } from 'vitest';
import { createPlacedErrors } from '../../../src/app/planning/placed-errors.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { id } from '../../api/builders.ts';
import { loadValid } from '../../config/project-folder.ts';

const PHASE = 'http_request_firewall_managed';
const ZONE = `zone: a.example
entrypoints:
  ${PHASE}:
    rules:
      - { ref: one, action: execute, expression: 'true', action_parameters: { id: managed:none } }
      - { ref: two, action: execute, expression: ssl, action_parameters: { id: managed:nothing } }
`;

test('each ruleset that nobody has is a finding at the name in the file', async () => {
  const { scopes } = await loadValid({ 'zones/a.yaml': ZONE });
  const [desired] = scopes;
  if (desired === undefined) {
    throw new Error('no zone');
  }
  const plan = planScope(desired, {
    scope: { kind: 'zone', id: id(3), name: 'a.example', accountId: id(4) },
    entries: [{ address: { kind: 'entrypoint', phase: PHASE }, slot: { kind: 'absent' } }],
    catalogue: [],
  });
  const placed = createPlacedErrors();
  if (plan.kind === 'failed') {
    placed.references(plan.error, desired);
  }
  expect(placed.findings()).toMatchObject([
    {
      code: 'plan/unresolved-reference',
      message: expect.stringContaining('managed ruleset'),
      where: { file: 'zones/a.yaml', start: { line: 5, column: 83 } },
    },
    { where: { start: { line: 6 } } },
  ]);
});
