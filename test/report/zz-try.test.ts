import { test } from 'vitest';
import { planText, driftText } from '../../src/report/plan-text.ts';
import * as b from './plan-builder.ts';
import { writeFileSync } from 'node:fs';
test('x', () => {
  const p = b.plan(
    b.scope([
      b.update([
        b.add('block-admin', { content: b.content({ description: 'Admin only from the office', expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24 2001:db8::/32}' }), place: {index: 2, after: 'skip-office'} }),
        b.patch('challenge-bots', { before: { action: 'managed_challenge', expression: 'cf.bot_management.score lt 20 and not cf.bot_management.verified_bot and http.host in {"shop.example" "www.shop.example"}' }, after: { action: 'block', expression: 'cf.bot_management.score lt 30 and not cf.bot_management.verified_bot and http.host in {"shop.example" "api.shop.example"}', description: 'now with more' } }, { move: { from: {index: 5, after: 'x'}, to: {index: 2, after: 'block-admin'} } }),
        b.move('skip-office'),
        b.remove('old-rule', { before: b.content({ description: 'Old\u001b[31m \u202eevil', enabled: false }) }),
      ]),
      b.update([
        b.patch('cloudflare-managed', { before: { action: 'execute', expression: 'true', action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee', overrides: { categories: [{category:'wordpress', action:'block'},{category:'php', enabled: false}], rules: [{ id: '5de7edfa648c4d6891dc3e7f84534ffa', action: 'log', enabled: true }] } } }, after: { action: 'execute', expression: 'true', action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee', overrides: { categories: [{category:'wordpress', action:'log'},{category:'php', enabled: false}], rules: [{ id: '5de7edfa648c4d6891dc3e7f84534ffa', action: 'block', enabled: true }, { id: '6de7edfa648c4d6891dc3e7f84534ffa', action: 'block', score_threshold: 40 }] } } } }),
      ], { target: { kind:'ruleset', level:'zone', phase:'http_request_firewall_managed', name:'x' } }),
      { ...b.update([b.add('limit-login', { content: b.content({ action: 'block', ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 100, mitigation_timeout: 600 } }) }),
         b.add('red', { content: b.content({ action: 'redirect', action_parameters: { from_value: { status_code: 301, target_url: { expression: 'concat("https://www.shop.example", http.request.uri.path)' }, preserve_query_string: true } } }) })]), operation: 'create', base: { kind: 'absent' }, description: '', target: { kind:'ruleset', level:'zone', phase:'http_ratelimit', name:'default' } },
    ], { findings: [{ kind: 'deleted', effect: 'refuse', message: '3 of 4 rules would be deleted (75 %, at most 30 %)', step: 'zone:shop.example/http_request_firewall_custom' }, {kind:'weakened', effect:'warn', rule:'challenge-bots', message:'a block becomes weaker'}],
      notes: [{ kind: 'respelled', step: 'zone:shop.example/http_request_firewall_custom', rule: 'foo', message: 'same meaning, other text: the live spelling stays', cause: b.cause(44) }] }),
    { kind: 'failed', scope: { kind: 'zone', name: 'broken.example' }, error: { code: 'api/forbidden', message: 'GET /zones/x: 403 Forbidden (10000)', hint: 'The token needs WAF read.' } },
  );
  writeFileSync('/tmp/plan.txt', planText(p, { width: 80, colour: false }));
  writeFileSync('/tmp/plan-c.txt', planText(p, { width: 80, colour: true }));
  writeFileSync('/tmp/drift.txt', driftText(p, { width: 80, colour: false }));
});
