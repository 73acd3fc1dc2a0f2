import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { driftPage, planPage } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { driftPieces, planText } from './printed.ts';
import { driftMarkdown, planMarkdown } from './printed.ts';
import { add, content, patch, plan, scope, update } from './plan-builder.ts';

const PHASE = 'http_request_firewall_custom';
const LOGIN = '1'.repeat(32);
const UNREAD = '2'.repeat(32);
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const LOOK = { width: 200, colour: false };

const runs = (id: string) => content({ action: 'execute', action_parameters: { id } });
const changes = [
  add('run-login', { content: runs(LOGIN) }),
  add('run-managed', { content: runs(MANAGED) }),
  add('run-unread', { content: runs(UNREAD) }),
  patch('pass', {
    before: { action: 'skip', action_parameters: { rulesets: [MANAGED] } },
    after: { action: 'skip', action_parameters: { rulesets: [LOGIN] } },
  }),
  patch('some', {
    before: { action: 'skip', action_parameters: { rules: { [LOGIN]: ['a'] } } },
    after: { action: 'skip', action_parameters: { rules: { [LOGIN]: ['b'] } } },
  }),
];
const told = plan(
  scope([update(changes)], {
    bases: [
      {
        target: { kind: 'ruleset', level: 'custom', phase: PHASE, name: 'Login protection' },
        base: { kind: 'version', id: LOGIN, version: '3', lastUpdated: '' },
      },
    ],
  }),
);

it.each([
  ['text', planText(told, LOOK)],
  ['Markdown', planMarkdown(told, null)],
  ['a page', joinPieces(planPage(told))],
  ['text of drift', joinPieces(driftPieces(driftOf(told), LOOK))],
  ['Markdown of drift', driftMarkdown(driftOf(told), null)],
  ['a page of drift', joinPieces(driftPage(driftOf(told)))],
])('%s shows the names of rulesets with their ids, and only the id if no name is known', (_what, text) => {
  const named = `custom:login-protection (${LOGIN})`;
  // As an id, as an item of a list, and as a key.
  expect(text.split(named).length).toBeGreaterThanOrEqual(4);
  expect(text.split(LOGIN)).toHaveLength(text.split(named).length);
  expect(text.split(`managed:cloudflare-managed-ruleset (${MANAGED})`)).toHaveLength(3);
  expect(text).toContain(UNREAD);
  expect(text).not.toContain(`(${UNREAD})`);
});
