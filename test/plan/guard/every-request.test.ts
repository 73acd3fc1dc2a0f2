import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import type { Safety } from '../../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { CAUSE, content, desiredRuleset, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const ENTRYPOINT: RulesetAddress = { kind: 'entrypoint', phase: 'http_request_firewall_custom' };

interface Turn {
  readonly before: RuleContent | null;
  readonly after: RuleContent;
  readonly address?: RulesetAddress;
  readonly safety?: Partial<Safety>;
}

/** What guards find when a rule changes from `before` to `after`, or when its ruleset is created with it. */
function found({ before, after, address = ENTRYPOINT, safety = {} }: Turn): readonly unknown[] {
  const live = before === null ? null : liveRuleset([{ ...liveRule(1, { ref: 'r' }), content: before }]);
  const rule = { ref: 'r', adopt: false, content: after, cause: CAUSE };
  const plan = planOne(desiredRuleset([rule], { address }), live);
  return guardScope(plan, { ...DEFAULT_SAFETY, ...safety }, '2026-06-01').findings;
}

const some = content({ expression: 'http.host eq "a.example"' });
const all = content({ expression: 'true' });
const warning = expect.objectContaining({ kind: 'every-request', effect: 'warn', rule: 'r' }) as unknown;

describe('a rule that ends every request', () => {
  it.each([
    ['a new block', null, all],
    ['a block that was for some', some, all],
    ['a redirect', null, content({ action: 'redirect', expression: 'true' })],
    ['true in other words', null, content({ expression: 'true or ssl' })],
    [
      'a clause that takes all',
      content({ expression: 'http.request.uri.path eq "/.env"' }),
      content({
        expression: 'http.request.uri.path eq "/.env" or starts_with(http.request.uri.path, "/")',
      }),
    ],
    ['a rule that is switched on', { ...all, enabled: false }, all],
  ])('gets a warning: %s', (_name, before, after) => {
    expect(found({ before, after })).toEqual([warning]);
  });

  it('gets no warning when it is only recreated under another ref', () => {
    const live = liveRuleset([{ ...liveRule(1, { ref: 'old' }), content: all }]);
    const rule = { ref: 'new', adopt: false, content: { ...all, description: 'new' }, cause: CAUSE };
    const { findings } = guardScope(planOne(desiredRuleset([rule]), live), DEFAULT_SAFETY, '2026-06-01');
    expect(findings).toEqual([]);
  });

  it('gets a warning when a custom ruleset is created with it', () => {
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Shared' } as const;
    expect(found({ before: null, after: all, address })).toEqual([warning]);
  });

  it('is refused, with place and action, when the settings say so', () => {
    expect(found({ before: some, after: all, safety: { everyRequest: 'refuse' } })).toEqual([
      {
        kind: 'every-request',
        effect: 'refuse',
        step: 'zone:shop.example/http_request_firewall_custom',
        rule: 'r',
        reason: 'now blocks every request',
        message: 'zone:shop.example/http_request_firewall_custom: rule r now blocks every request',
      },
    ]);
  });

  // None of these can be proven to match every request, and none lets an ordinary visitor past.
  it.each([
    'http.host in {"shop.example" "www.shop.example"}',
    'ends_with(http.host, "shop.example")',
    'not http.host eq "api.shop.example"',
    'not ip.src in {203.0.113.0/24}',
    'not ip.src in $office',
    'http.request.uri.path matches "^.*$"',
    'http.request.uri.path matches "^/[a-z]+"',
    'http.request.uri.path ne "/"',
    'http.request.method eq "GET"',
    'ssl',
    'cf.edge.server_port in {80 443}',
    'http.user_agent contains "Mozilla"',
    'cf.tls_version in {"TLSv1.2" "TLSv1.3"}',
    'cf.bot_management.score gt 20',
    'cf.bot_management.score lt 99',
    'cf.waf.score lt 100',
    'cf.waf.score ge 80',
    'cf.waf.score.sqli lt 99',
    'ip.src.country ne "KP"',
    'http.request.version in {"HTTP/2" "HTTP/3"}',
    'any(http.request.headers.names[*] eq "user-agent")',
    'http.host eq http.host',
  ])('is found by trying ordinary requests when no proof is possible: %s', (expression) => {
    expect(found({ before: null, after: content({ expression }) })).toEqual([
      expect.objectContaining({
        kind: 'every-request',
        effect: 'warn',
        rule: 'r',
        message:
          'zone:shop.example/http_request_firewall_custom: rule r now blocks every ordinary request that was tried',
      }) as unknown,
    ]);
  });

  it.each([
    'starts_with(http.request.uri.path, "/wp-")',
    'not http.host in {"shop.example" "www.shop.example"}',
    'http.host in $hosts',
    'not http.host in $hosts',
    'ip.src in $cf.open_proxies',
    'ip.src in {::/0}',
    'ip.src in {0.0.0.0/1}',
    'ip.src in {0.0.0.0/0} and ip.src.continent ne "AS"',
    'not ssl',
    'not http.request.method in {"GET" "HEAD" "POST"}',
    'not http.request.version in {"HTTP/2" "HTTP/3"}',
    'not cf.tls_version in {"TLSv1.2" "TLSv1.3"}',
    'not ip.src.country in {"US" "CA"}',
    'not ip.src.is_in_european_union',
    'ip.src.country in {"RU" "KP"}',
    'cf.bot_management.static_resource',
    'cf.bot_management.score lt 30',
    'cf.bot_management.score eq 99',
    'cf.waf.score lt 80',
    'cf.waf.score eq 100',
    'cf.waf.score lt 20 or cf.waf.score.class eq "attack"',
    'http.user_agent eq ""',
    'not http.user_agent contains "Mozilla"',
    'http.user_agent contains "Mobile"',
    'not cf.worker.upstream_zone in {"" "shop.example"}',
    'not cf.edge.server_port in {80 443}',
    'cf.bot_management.ja3_hash eq ""',
    'http.request.body.size gt 1000000',
    'not has_key(http.request.headers, "user-agent")',
    'not any(http.request.headers["accept-encoding"][*] contains "gzip")',
    'http.request.uri.path contains ".php" and not ip.src in {203.0.113.0/24}',
    'hash_in_range(0, 100, ip.src) lt 10',
  ])('is not suspected in an ordinary rule: %s', (expression) => {
    expect(found({ before: null, after: content({ expression }) })).toEqual([]);
  });

  it.each([
    'not cf.bot_management.js_detection.passed',
    'not cf.bot_management.static_resource',
    'not http.referer contains "shop.example"',
    'not http.cookie contains "session="',
  ])('is reported if it blocks every first visit, but not if it challenges it: %s', (expression) => {
    expect(found({ before: null, after: content({ expression }) })).toEqual([
      expect.objectContaining({ reason: 'now blocks every first visit that was tried' }),
    ]);
    expect(found({ before: null, after: content({ action: 'managed_challenge', expression }) })).toEqual([]);
  });

  it.each([
    ['http.host eq "shop.example"', 'every request to shop.example'],
    ['http.host in {"www.shop.example" "old.shop.example"}', 'every request to www.shop.example'],
    ['starts_with(http.host, "www.")', 'every request to www.shop.example'],
    ['http.host matches "^www[.]"', 'every ordinary request to www.shop.example that was tried'],
    [
      'http.host eq "shop.example" and not ip.src in {203.0.113.0/24}',
      'every ordinary request to shop.example that was tried',
    ],
    [
      'http.host eq "shop.example" and starts_with(http.request.uri.path, "/")',
      'every request to shop.example',
    ],
    ['http.host eq "shop.example" and ip.src in {0.0.0.0/0}', 'every request to shop.example over IPv4'],
    [
      'http.host ne "shop.example" and not ip.src in {203.0.113.0/24 ::/0}',
      'every ordinary request to www.shop.example over IPv4 that was tried',
    ],
  ])('is reported if it ends every request to one host name of the zone: %s', (expression, ends) => {
    for (const [action, does] of [
      ['block', 'blocks'],
      ['managed_challenge', 'challenges'],
    ] as const) {
      expect(found({ before: null, after: content({ action, expression }) })).toEqual([
        expect.objectContaining({ kind: 'every-request', reason: `now ${does} ${ends}` }),
      ]);
    }
  });

  it('is reported for another host name, but not for one whose requests it ended before', () => {
    const turned = (from: string, to: string) =>
      found({ before: content({ expression: from }), after: content({ expression: to }) });
    const apex = 'http.host eq "shop.example"';
    const www = 'http.host eq "www.shop.example"';
    expect(turned(apex, www)).toContainEqual(warning);
    expect(turned(apex, `${apex} or ssl and http.host ne "a"`)).toContainEqual(
      expect.objectContaining({ reason: 'now blocks every ordinary request that was tried' }),
    );
    expect(turned('true', apex)).not.toContainEqual(warning);
    expect(turned(`${apex} or ${www}`, apex)).not.toContainEqual(warning);
    expect(turned(apex, `${apex} or http.request.uri.path eq "/x"`)).not.toContainEqual(warning);
  });

  it.each([
    [
      'a redirect from one name to another',
      content({ action: 'redirect', expression: 'http.host eq "shop.example"' }),
    ],
    ['a block of a name that few ask for', content({ expression: 'http.host eq "old.shop.example"' })],
    [
      'a block of some at a name',
      content({ expression: 'http.host eq "shop.example" and ip.src.country eq "KP"' }),
    ],
    ['a log', content({ action: 'log', expression: 'http.host eq "shop.example"' })],
  ])('is not suspected because of one host name in %s', (_name, after) => {
    expect(found({ before: null, after })).toEqual([]);
  });

  // Most traffic comes over IPv4.
  it.each([
    ['ip.src in {0.0.0.0/0}', 'every request over IPv4'],
    ['ip.src in {0.0.0.0/1 128.0.0.0/1}', 'every request over IPv4'],
    ['not ip.src in {::/0}', 'every request over IPv4'],
    ['(ssl or not ssl) and ip.src in {0.0.0.0/0}', 'every request over IPv4'],
    ['not ip.src in {203.0.113.0/24 ::/0}', 'every ordinary request over IPv4 that was tried'],
    ['ssl and ip.src in {0.0.0.0/0}', 'every ordinary request over IPv4 that was tried'],
  ])('is reported if it ends every request over IPv4: %s', (expression, ends) => {
    expect(found({ before: null, after: content({ expression }) })).toEqual([
      expect.objectContaining({ kind: 'every-request', reason: `now blocks ${ends}` }),
    ]);
  });

  it('is reported again when it widens to or beyond all of IPv4, but not when it narrows', () => {
    const turned = (from: string, to: string) =>
      found({ before: content({ expression: from }), after: content({ expression: to }) });
    expect(turned('ip.src in {0.0.0.0/0}', 'not ip.src in {2001:db8::/32}')).toContainEqual(warning);
    expect(turned('not ip.src in {203.0.113.0/24 ::/0}', 'ip.src in {0.0.0.0/0}')).toContainEqual(warning);
    expect(turned('not ip.src in {2001:db8::/32}', 'ip.src in {0.0.0.0/0}')).not.toContainEqual(warning);
  });

  it('is reported again when it becomes proven, but not when it stays unproven', () => {
    const nearly = content({ expression: 'not ip.src in {203.0.113.0/24}' });
    expect(found({ before: nearly, after: all })).toEqual([warning]);
    expect(found({ before: nearly, after: content({ expression: 'not ip.src in {203.0.113.7}' }) })).toEqual(
      [],
    );
  });

  it('is judged on packets by proof alone, since requests tell nothing about them', () => {
    const address: RulesetAddress = { kind: 'entrypoint', phase: 'magic_transit' };
    const after = (expression: string): Turn => ({ before: null, after: content({ expression }), address });
    expect(found(after('not tcp.dstport in {80 443}'))).toEqual([]);
    expect(found(after('ip.src in {0.0.0.0/0 ::/0}'))).toEqual([warning]);
    expect(found(after('ip.src in {0.0.0.0/0}'))).toEqual([warning]);
    expect(found(after('ip.src in {::/0}'))).toEqual([]);
  });

  it('is not suspected in a custom error page, which ordinary responses do not use', () => {
    const address: RulesetAddress = { kind: 'entrypoint', phase: 'http_custom_errors' };
    expect(found({ before: null, after: { ...all, action: 'serve_error' }, address })).toEqual([]);
  });

  it.each([
    ['a block for some', null, some],
    ['one that did before', all, { ...all, description: 'still' }],
    ['one that is switched off', null, { ...all, enabled: false }],
    ['a rate limit', null, { ...all, ratelimit: { period: 60 } }],
    ['an action that ends nothing', null, content({ action: 'log', expression: 'true' })],
  ])('is not suspected in %s', (_name, before, after) => {
    expect(found({ before, after })).toEqual([]);
  });

  // The trial of an expression is cached only when the expression comes a second time.
  it.each([
    ['every request', 'true or not ssl', [warning]],
    ['some', 'ip.src in {198.51.100.7}', []],
    ['a host', 'http.host eq "again.example"', []],
    ['nothing that parses', 'http.host eq', []],
  ])('is judged the same each time its expression comes: %s', (_name, expression, expected) => {
    const after = content({ expression });
    for (const time of ['first', 'second', 'third']) {
      expect([time, found({ before: null, after })]).toEqual([time, expected]);
    }
  });
});
