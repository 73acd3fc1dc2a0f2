import { expect, test } from 'vitest';
import { createListCheck } from '../../../src/app/planning/list-check.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { id } from '../../api/builders.ts';
import { sendJson, startLoopback, success } from '../../api/loopback.ts';
import { openReader } from '../../api/open.ts';
import { CAUSE } from '../../plan/build.ts';
import { loadValid } from '../../config/project-folder.ts';

const PHASE = 'http_request_firewall_custom';
const ZONE = `zone: a.example
entrypoints:
  ${PHASE}:
    rules:
      - { ref: known, expression: ip.src in $office, action: block }
      - { ref: missing, expression: ip.src in $gone, action: block }
      - { ref: again, expression: ssl and ip.src in $gone, action: block }
      - { ref: novel, expression: ip.src in $sights, action: block }
`;

test('the list check tells a missing list once, and leaves only the rules of a list of unknown kind unchecked', async () => {
  const server = await startLoopback((_request, response) => {
    const lists = [
      { id: id(1), name: 'office', kind: 'ip', num_items: 1 },
      { id: id(2), name: 'sights', kind: 'ja4', num_items: 1 },
    ];
    sendJson(response, 200, success(lists));
  });
  const { scopes } = await loadValid({ 'zones/a.yaml': ZONE });
  const [desired] = scopes;
  if (desired === undefined) {
    throw new Error('no zone');
  }
  const address = { kind: 'entrypoint', phase: PHASE } as const;
  const plan = planScope(desired, {
    scope: { kind: 'zone', id: id(3), name: 'a.example', accountId: id(4) },
    entries: [{ address, slot: { kind: 'absent' } }],
    catalogue: [],
  });
  if (plan.kind === 'failed') {
    throw plan.error;
  }
  const { client } = openReader(server.baseUrl);
  const told = await createListCheck({ kind: 'drift', unmanaged: false }).check(plan, {
    desired,
    client,
    declared: [],
  });
  const notes = told.kind === 'planned' ? told.notes : [];
  expect(notes.filter(({ kind }) => kind.startsWith('list')).map(({ kind, rule }) => [kind, rule])).toEqual([
    ['list', 'missing'],
    ['list', 'again'],
    ['list-unchecked', 'novel'],
  ]);
  expect(notes.find(({ kind }) => kind === 'list-unchecked')?.message).toBe(
    'not checked whether the list sights holds addresses: its kind ja4 is not known here',
  );
  const check = createListCheck({ kind: 'plan' });
  expect(await check.check(plan, { desired, client, declared: [] })).toMatchObject({
    kind: 'failed',
    scope: { kind: 'zone', name: 'a.example' },
    error: {
      code: 'list/unknown',
      message: 'zones/a.yaml:6:47: the account of the zone has no list gone; also at zones/a.yaml:7:53',
    },
  });
  const theirs = { name: 'gone', kind: 'ip', presence: 'present', items: 'external', cause: CAUSE } as const;
  expect(
    await createListCheck({ kind: 'plan' }).check(plan, { desired, client, declared: [theirs] }),
  ).toMatchObject({
    kind: 'failed',
    error: { hint: expect.stringContaining('make it at the service first') },
  });
  expect(check.findings().map(({ code, message }) => [code, message])).toEqual([
    ['list/unknown', 'the account of a.example has no list `gone`; also at zones/a.yaml:7:53'],
  ]);
});
