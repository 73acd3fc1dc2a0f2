import { describe, expect, it } from 'vitest';
import type { ChangedBy } from '../../src/model/index.ts';
import { authorKey } from '../../src/model/index.ts';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { webhookBody } from '../../src/forge/index.ts';
import { actorNames, driftJson } from '../../src/report/index.ts';
import { plan, remove, scope, update } from './plan-builder.ts';
import { driftMarkdown, driftPage, driftPieces, whole } from './printed.ts';

const STEP = 'zone:shop.example/http_request_firewall_custom';
const CHANGED = plan(scope([update([remove('extra')])]));

function driftBy(...changed_by: readonly ChangedBy[]) {
  const key = authorKey({ step: STEP, rule: 'extra', difference: 'only-live' });
  return driftOf(CHANGED, { authors: new Map([[key, { changed_by }]]) });
}

const by = (more: Partial<ChangedBy>): ChangedBy => ({
  at: '2026-11-28T09:12:44.123Z',
  actor: { kind: 'token', name: 'CI' },
  via: 'api-token',
  audit_id: 'one',
  ...more,
});

const textOf = (drift: ReturnType<typeof driftBy>): string =>
  whole(driftPieces(drift, { width: 200, colour: false }));

it.each<[line: string, more: Partial<ChangedBy>]>([
  ['by CI (token), 2026-11-28 09:12:44 UTC, audit entry one', {}],
  [
    'by an…@shop.example (dashboard), 2026-11-28 09:12:44 UTC, audit entry one',
    { actor: { kind: 'user', name: 'an…@shop.example' }, via: 'dashboard' },
  ],
  [
    'by an unnamed token (token), 2026-11-28 09:12:44 UTC',
    { actor: { kind: 'token', name: '' }, audit_id: '' },
  ],
  [
    'by the service itself, 2026-11-28 09:12:44 UTC, audit entry one',
    { actor: { kind: 'service', name: '' }, via: 'service' },
  ],
  ['by somebody, 2026-11-28 09:12:44 UTC', { actor: { kind: 'unknown', name: '' }, via: 'unknown' }],
  ['calls itself curl/8', { claims: 'curl/8' }],
])('tells who made a change: %s', (line, more) => {
  expect(textOf(driftBy(by(more)))).toContain(line);
});

it('tells several writes, and says of which it is not known whether there were others', () => {
  const key = authorKey({ step: STEP, rule: 'extra', difference: 'only-live' });
  const not_known = { reason: 'delayed', message: 'it is not there yet' } as const;
  const changed_by = [by({}), by({ actor: { kind: 'token', name: 'Terraform' } })];
  const text = textOf(driftOf(CHANGED, { authors: new Map([[key, { changed_by, not_known }]]) }));
  expect(text).toMatch(
    /by CI \(token\)[^\n]*\n *by Terraform \(token\)[^\n]*\n *perhaps by others too: it is not there yet\n/u,
  );
});

describe('a hostile name', () => {
  const name = '\u001B[31m](https://x.example)\n# <script>alert(1)</script> @everyone |`\u202E**';
  const drift = driftBy(by({ actor: { kind: 'token', name }, claims: name, audit_id: name }));

  it('cannot steer a terminal or begin a line', () => {
    const text = textOf(drift);
    expect(text).not.toContain('\u001B');
    expect(text).not.toContain('\u202E');
    expect(text).not.toMatch(/^\s*# </mu);
  });

  it('has no meaning in Markdown and HTML', () => {
    const markdown = driftMarkdown(drift, null);
    expect(markdown).not.toMatch(/^\s*# </mu);
    const unfenced = markdown.replaceAll(/(`+)[^`].*?\1/gsu, '');
    expect(unfenced).not.toContain('<script>');
    expect(unfenced).not.toContain('](https://x.example)');
    expect(whole(driftPage(drift))).not.toContain('<script>alert');
  });

  it('makes no link and no mention in a chat', () => {
    const news = {
      change: 'opened',
      name: 'shop',
      summary: '',
      severity: null,
      everyRequest: false,
      unprotected: false,
      actors: ['<!channel>', ...actorNames(drift)],
      issueUrl: null,
      runUrl: null,
    } as const;
    expect(webhookBody(news, 'slack')).not.toContain('<');
    expect(JSON.parse(webhookBody(news, 'slack'))).toMatchObject({
      text: expect.stringContaining('By &lt;!channel&gt;, ') as unknown,
    });
  });
});

it('is the same after its JSON was read again', () => {
  const drift = driftBy(by({}));
  const [change] = driftJson(drift).changes;
  expect(change?.changed_by).toEqual([by({})]);
});
