import { describe, expect, test } from 'vitest';
import type { Clause } from '../../src/model/simulation.ts';
import { entry, log, rule, send, zone } from './build.ts';
import type { Sent } from './build.ts';
import { TRANSFORM } from './phases.ts';

/** The clauses of an expression as text, one a line. */
function explained(expression: string, sent: Sent = {}): readonly string[] {
  const way = send([zone(entry([log('x', expression)]))], { ...sent, explained: true });
  const clause = way.verdicts[0]?.clause;
  return clause === null || clause === undefined ? [] : lines(clause, '');
}

function lines(clause: Clause, indent: string): readonly string[] {
  const { kind, text, holds, clauses, observed } = clause;
  const seen = observed
    .map(({ name, value, assumed }) => ` | ${name} = ${JSON.stringify(value)}${assumed ? ' assumed' : ''}`)
    .join('');
  return [
    `${indent}${holds === null ? 'open' : holds ? 'yes' : 'no'} ${kind === 'test' ? text : kind}${seen}`,
    ...clauses.flatMap((part) => lines(part, `${indent}  `)),
  ];
}

describe('the explanation of a verdict', () => {
  test('shows each clause of a joined condition, without its groups', () => {
    const expression =
      '(http.host eq "shop.example" and not (ssl or http.request.method eq "POST")) xor true';
    expect(explained(expression, { request: 'http://shop.example/' })).toEqual([
      'no xor',
      '  yes and',
      '    yes http.host eq "shop.example" | http.host = "shop.example"',
      '    yes not',
      '      no or',
      '        no ssl | ssl = false',
      '        no http.request.method eq "POST" | http.request.method = "GET"',
      '  yes true',
    ]);
  });

  test.each([
    ['starts_with(http.request.uri.path, "/a")', 'no', ' | http.request.uri.path = "/"'],
    ['lower(http.referer) contains "x"', 'no', ' | lower(http.referer) = "" assumed'],
    ['http.referer eq ""', 'yes', ' | http.referer = "" assumed'],
    ['http.cookie eq ""', 'yes', ' | http.cookie = "" assumed'],
    ['ip.src in {192.0.2.0/24}', 'no', ' | ip.src = null assumed'],
    ['ip.src.country eq "AT"', 'no', ' | ip.src.country = "" assumed'],
    ['http.request.headers["a"][0] eq "1"', 'no', ' | http.request.headers["a"][0] = null'],
    [
      'any(http.request.headers["host"][*] eq "x")',
      'no',
      ' | http.request.headers["host"] = ["shop.example"]',
    ],
    [
      'any(lower(http.request.headers["host"][*])[*] eq "x")',
      'no',
      ' | http.request.headers["host"] = ["shop.example"]',
    ],
    [
      'http.request.uri.path eq raw.http.request.uri.path',
      'yes',
      ' | http.request.uri.path = "/" | raw.http.request.uri.path = "/"',
    ],
    ['len(http.host) gt 3', 'yes', ' | len(http.host) = 12'],
    ['true', 'yes', ''],
    ['http.request.full_uri in $moved', 'open', ' | http.request.full_uri = "https://shop.example/"'],
  ])('shows the values that a clause reads: %s', (expression, holds, seen) => {
    expect(explained(expression)).toEqual([`${holds} ${expression}${seen}`]);
  });

  test('shows the values that the phase saw, before and after a rewrite', () => {
    const path = 'http.request.uri.path eq "/old"';
    const rewrite = rule('r', {
      action: 'rewrite',
      expression: path,
      action_parameters: { uri: { path: { value: '/new' } } },
    });
    const way = send([zone(entry([rewrite], TRANSFORM), entry([log('x', path)]))], {
      request: '/old',
      explained: true,
    });
    expect(way.verdicts.map(({ clause }) => clause?.observed[0]?.value)).toEqual(['/old', '/new']);
  });

  test('is missing for rules that were not evaluated', () => {
    const way = send([zone(entry([rule('a'), rule('b'), rule('c', { enabled: false })]))], {
      explained: true,
    });
    expect(way.verdicts.map(({ clause }) => clause === null)).toEqual([false, true, true]);
  });
});
