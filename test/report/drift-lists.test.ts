import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import type { DesiredList, ListItem } from '../../src/model/list.ts';
import { listsNamed, planLists } from '../../src/plan/index.ts';
import { driftAnnotations } from '../../src/report/index.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { CAUSE, content, id } from '../plan/build.ts';
import { plan, scope } from './plan-builder.ts';
import { driftMarkdown, driftPage, driftPieces, planText, whole } from './printed.ts';

const ACCOUNT = {
  kind: 'account',
  id: id(2),
  name: 'A',
  accountId: id(2),
} as const;
const ZONE = {
  kind: 'zone',
  id: id(1),
  name: 'shop.example',
  accountId: id(2),
} as const;

interface Sides {
  readonly files: readonly ListItem[];
  readonly live: readonly ListItem[];
  readonly presence?: DesiredList['presence'];
}

/** The drift of the list `office`, which a block rule exempts. */
function drift({ files, live, presence = 'present' }: Sides) {
  const block = content({
    action: 'block',
    expression: 'not ip.src in $office',
  });
  const head = {
    id: id(7),
    name: 'office',
    kind: 'ip',
    description: 'Where we work',
    modifiedOn: '2026-01-01T00:00:00Z',
    itemCount: live.length,
    referenceCount: 1,
  } as const;
  const items = live.map((item, index) => ({ id: id(100 + index), item }));
  const planned = planLists({
    scope: ACCOUNT,
    desired: [
      {
        name: 'office',
        kind: 'ip',
        presence,
        items: files,
        cause: CAUSE,
      },
    ],
    heads: [head],
    read: new Map([['office', { ...head, items }]]),
    rules: [
      {
        scope: ZONE,
        phase: 'http_request_firewall_custom',
        ref: 'admin',
        content: block,
        lists: listsNamed(block),
        live: listsNamed(block),
      },
    ],
    known: new Map([['office', 1]]),
    awaited: new Set(),
  });
  const objects = planned.kind === 'planned' ? planned.lists.map(({ step }) => step) : [];
  return driftOf(plan(scope([], { scope: ACCOUNT, objects })));
}

const OFFICE = { ip: '203.0.113.0/24' };
const ANYBODY = { ip: '0.0.0.0/8' };

it('an address that somebody added to a live list is told as what live does by the rule that exempts it', () => {
  const weaker = drift({ files: [OFFICE], live: [OFFICE, ANYBODY] });
  expect(weaker.changes).toEqual([
    {
      scope: 'account:A',
      step: 'account:A/list:office',
      rule: 'admin',
      difference: 'changed-live',
      severity: 'weakening',
      reason:
        'of zone:shop.example/http_request_firewall_custom applies to fewer requests, with 1 item added to the list office',
      version: null,
      lastUpdated: '2026-01-01T00:00:00Z',
    },
  ]);
  const text = joinPieces(driftPieces(weaker, { width: 300, colour: false }));
  expect(text).toContain('Live protects less than the files:\n  ! admin ');
  expect(text).toContain('1 rule protects less than in the files.');
  expect(driftMarkdown(weaker, null)).toContain('Live protects less than the files');
  expect(whole(driftPage(weaker))).toContain('Live protects less than the files');
  expect(driftAnnotations(weaker, '')).toContain('rule admin of zone:shop.example/');
});

it('the other way round live protects more, and an item within a network that is there does nothing', () => {
  expect(drift({ files: [OFFICE, ANYBODY], live: [OFFICE] }).changes).toMatchObject([
    { rule: 'admin', severity: 'strengthening' },
  ]);
  expect(drift({ files: [OFFICE], live: [OFFICE, { ip: '203.0.113.9' }] }).changes).toMatchObject([
    { rule: '', severity: 'neutral' },
  ]);
});

it('of a list that is deleted, the description needs no line', () => {
  const { plan: deletion } = drift({ files: [], live: [OFFICE], presence: 'absent' });
  const text = planText(deletion, { width: 120, colour: false });
  expect(text).toContain('list deleted, with 1 item');
  expect(text).not.toContain('description');
});
