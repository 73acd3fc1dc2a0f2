import { expect, test } from 'vitest';

import { checkList } from '../../src/config/checks/check-list.ts';
import { formatPlace } from '../../src/model/source.ts';
import { loadValid } from './project-folder.ts';

const PACK = `pack: office
params: { allowed: { type: expression } }
rules:
  - ref: admin
    expression: 'http.host eq "a" and not (\${allowed})'
    action: block
`;

test('loadProject finds every use of a list in a rule, with its position in the file', async () => {
  const { scopes } = await loadValid({
    'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
    'packs/office.yaml': PACK,
    'zones/a.yaml': `zone: a.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - use: office
        with: { allowed: ip.src in $office }
  http_ratelimit:
    rules:
      - ref: limit
        expression: "http.host in $hosts"
        action: block
        ratelimit:
          characteristics: [cf.colo.id, ip.src]
          period: 60
          requests_per_period: 10
          counting_expression: >-
            http.request.method eq "POST" and
            ip.src.asnum in $nets
`,
  });
  const rules = scopes.flatMap(({ rulesets }) => rulesets).flatMap((ruleset) => ruleset.rules);
  expect(
    rules.flatMap(({ lists = [] }) =>
      lists.map(({ name, holds, where }) => `${holds} ${name} ${formatPlace(where)}`),
    ),
  ).toEqual([
    'ip office packs/office.yaml:5:44 via zones/a.yaml:5:14',
    'hostname hosts zones/a.yaml:10:35',
    'asn nets zones/a.yaml:18:29',
  ]);
});

test('checkList names the lists that could be meant when a list is missing or of the wrong kind', () => {
  const known = [
    { name: 'office_networks', kind: 'ip' },
    { name: 'partners', kind: 'ip' },
    { name: 'hosts', kind: 'hostname' },
  ] as const;
  const told = (name: string, holds: 'ip' | 'hostname' | 'asn'): readonly string[] => {
    const said = checkList({ name, holds }, known, 'the account');
    return said.kind === 'wrong' ? [said.problem.code, said.problem.hint] : [said.kind];
  };
  const first =
    '(declare it under `lists` of the account, or make it at the service before the rule that names it)';
  expect(told('partners', 'ip')).toEqual(['fits']);
  expect(told('partner', 'ip')).toEqual(['list/unknown', `did you mean \`partners\`? ${first}`]);
  expect(told('elsewhere', 'ip')).toEqual([
    'list/unknown',
    `lists of addresses: \`office_networks\` and \`partners\` ${first}`,
  ]);
  expect(told('hosts', 'asn')).toEqual(['list/wrong-kind', 'the account has no list of AS numbers']);
  expect(told('office_networks', 'hostname')).toEqual(['list/wrong-kind', 'lists of host names: `hosts`']);
});
