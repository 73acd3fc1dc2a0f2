import { expect, test } from 'vitest';

import { formatPlace } from '../../src/model/source.ts';
import { loadValid } from './project-folder.ts';

const PACK = `pack: managed
params: { ruleset: { type: string } }
rules:
  - ref: run
    expression: 'true'
    action: execute
    action_parameters:
      id: managed:\${ruleset}
`;

test('loadProject finds every use of a ruleset in a rule, with its position in the file', async () => {
  const { scopes } = await loadValid({
    'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
    'packs/managed.yaml': PACK,
    'zones/a.yaml': `zone: a.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - ref: pass
        expression: ip.src eq 192.0.2.1
        action: skip
        action_parameters:
          rulesets: [managed:core, managed:owasp]
      - ref: pass-one
        expression: ip.src eq 192.0.2.2
        action: skip
        action_parameters:
          rules:
            managed:core: [5de7edfa648c4d6891dc3e7f84534ffa]
      - ref: block
        expression: ip.src eq 192.0.2.3
        action: block
  http_request_firewall_managed:
    rules:
      - use: managed
        with: { ruleset: cloudflare-managed-ruleset }
`,
  });
  const rules = scopes.flatMap(({ rulesets }) => rulesets).flatMap((ruleset) => ruleset.rules);
  expect(
    rules.map(({ rulesets = [] }) =>
      rulesets.map(({ reference, where }) => `${reference} ${formatPlace(where)}`),
    ),
  ).toEqual([
    ['managed:core zones/a.yaml:9:22', 'managed:owasp zones/a.yaml:9:36'],
    ['managed:core zones/a.yaml:15:13'],
    [],
    ['managed:cloudflare-managed-ruleset packs/managed.yaml:8:11 via zones/a.yaml:21:14'],
  ]);
});
