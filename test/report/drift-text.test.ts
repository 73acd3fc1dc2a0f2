import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { driftMarkdown, driftPieces } from './printed.ts';
import { momentText } from '../../src/report/print-value.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { add, content, endsLive, move, patch, plan, remove, scope, update } from './plan-builder.ts';

const LOOK = { width: 80, colour: false };

it('shows the differences of a plan as drift, seen from live', () => {
  const document = plan(
    scope([
      update([
        add('lost'),
        patch('changed', {
          before: { action: 'log', expression: 'cf.threat_score gt 50' },
          after: { action: 'block', expression: 'cf.threat_score gt 10' },
        }),
        move('moved'),
        remove('foreign', { before: content({ expression: 'cf.client.bot' }) }),
      ]),
    ]),
  );
  expect(joinPieces(driftPieces(driftOf(document), LOOK)))
    .toBe(`Drift of https://api.example.test/client/v4: live against the files

+ only live   - missing live   ~ different   > in another place

Live protects less than the files:
  ! lost in zone:shop.example/http_request_firewall_custom: no longer blocks
      what it matches  version 7 of 2026-11-20 10:00:00 UTC
  ! changed in zone:shop.example/http_request_firewall_custom: goes from block
      to log  version 7 of 2026-11-20 10:00:00 UTC

zone shop.example

  WAF custom rules · http_request_firewall_custom · version 7, changed
    2026-11-20 10:00:00 UTC  zones/shop.yaml:8
    - lost  zones/shop.yaml:10
        place       1, first
        action      block
        expression  ip.src eq 192.0.2.1
        weaker      no longer blocks what it matches
    ~ changed  zones/shop.yaml:20
        action      live log · files block
        expression
          live   cf.threat_score gt 50
                                    ~~
          files  cf.threat_score gt 10
                                    ^^
        weaker      goes from block to log
    > moved  zones/shop.yaml:30
        place  live 3, after two · files 1, first
    + foreign
        place       4
        action      block
        expression  cf.client.bot

Drift: 1 rule only live, 1 missing live, 1 different, 1 in another place · 1
  ruleset different.
2 rules protect less than in the files.
Digest: ${document.digest}
apply --expect-drift undoes it, import --expect-drift takes it into the files.
`);
});

it('lists rules that end every request first, and counts them at the end', () => {
  const shown = plan(
    scope([
      update([
        add('lost'),
        patch('all', { before: { expression: 'true' }, after: {} }, endsLive()),
        remove('away', {
          before: content({ action: 'redirect', expression: 'true' }),
          ...endsLive('redirect'),
        }),
      ]),
    ]),
  );
  const text = joinPieces(driftPieces(driftOf(shown), { width: 120, colour: false }));
  expect(text).toContain(`
Live stops or redirects every request (or every one tried); the files do not:
  ! all in zone:shop.example/http_request_firewall_custom: applies block to every request  version 7 of 2026-11-20
      10:00:00 UTC
  ! away in zone:shop.example/http_request_firewall_custom: applies redirect to every request  version 7 of 2026-11-20
      10:00:00 UTC

Live protects less than the files:
  ! lost in zone:shop.example/http_request_firewall_custom: no longer blocks what it matches  version 7 of 2026-11-20
      10:00:00 UTC
`);
  expect(
    text.endsWith(
      `\n2 rules may stop or redirect every request, 1 rule protects less than in the files.\nDigest: ${shown.digest}\napply --expect-drift undoes it, import --expect-drift takes it into the files.\n`,
    ),
  ).toBe(true);
});

it('names a rule without a telling ref by its description', () => {
  const skip = content({ action: 'skip', description: 'CEO travels', expression: 'ip.src eq 192.0.2.7' });
  const [one, two, three] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  const zone = (name: string, id = '') =>
    scope([update([remove(id, { id, before: skip })], { id: `zone:${name}/http_request_firewall_custom` })], {
      scope: { kind: 'zone', id: `${name}-id`, name, accountId: 'f'.repeat(32) },
    });
  const drift = driftOf(plan(zone('a.example', one)));
  expect(drift.changes).toMatchObject([{ rule: one, description: 'CEO travels' }]);
  expect(joinPieces(driftPieces(drift, LOOK)).replaceAll(/\s+/gu, ' ')).toContain(
    `! “CEO travels” (${one}) in zone:a.example/http_request_firewall_custom: applies skip`,
  );
  expect(driftMarkdown(drift, null)).toContain(
    `> - \`“CEO travels” (${one})\` in \`zone:a.example/http_request_firewall_custom\`: applies skip`,
  );
  const alike = driftOf(plan(zone('a.example', one), zone('b.example', two), zone('c.example', three)));
  expect(joinPieces(driftPieces(alike, LOOK))).toContain(
    '! “CEO travels” (…) in zone:…/http_request_firewall_custom: applies skip',
  );
});

it('lists at most ten rules that protect less at the top, and marks all of them below', () => {
  const drift = driftOf(
    plan(
      scope(
        Array.from({ length: 12 }, (_, index) =>
          update([add(`lost-${index}`)], { id: `zone:shop.example/p${index}` }),
        ),
      ),
    ),
  );
  const text = joinPieces(driftPieces(drift, LOOK));
  expect(text.match(/^ {2}! lost-/gm)).toHaveLength(10);
  expect(text).toContain('\n    and 2 more, marked below\n');
  expect(text.match(/^ {4}- lost-/gm)).toHaveLength(12);
  expect(text.match(/^ {8}weaker +no longer blocks what it matches$/gm)).toHaveLength(12);
  expect(driftMarkdown(drift, null)).toContain('\n> - … and 2 more, marked below\n');
});

it.each([
  ['2026-01-02T03:04:05.678901Z', '2026-01-02 03:04:05 UTC'],
  ['2026-01-02T03:04:05Z', '2026-01-02 03:04:05 UTC'],
  ['2026-01-02T01:04:05-02:00', '2026-01-02 03:04:05 UTC'],
  ['2026-13-45T03:04:05Z', '2026-13-45T03:04:05Z'],
  ['yesterday', 'yesterday'],
])('formats the time %s as %s', (moment, told) => {
  expect(momentText(moment)).toBe(told);
});

it('does not say that there is no drift where no scope was compared', () => {
  expect(joinPieces(driftPieces(driftOf(plan()), LOOK))).toBe(
    'Nothing was compared: no scope changed, or none was chosen.\n',
  );
});

it('says that there is no drift', () => {
  expect(joinPieces(driftPieces(driftOf(plan(scope([]))), LOOK))).toBe(
    'No drift. Live equals the files (0 rulesets in 1 scope).\n',
  );
});
