import { describe, expect, it } from 'vitest';
import { GENERATED_EVALUATION } from '../../src/legacy/clause-values.ts';
import { generateRequests } from '../../src/legacy/generated-requests.ts';
import { describeRequest, valuesOf } from '../../src/legacy/generated-request.ts';
import type { Assignment } from '../../src/legacy/generated-request.ts';
import { compileCondition } from '../../src/simulate/compile.ts';

const generated = (...expressions: readonly string[]) =>
  generateRequests(expressions.map((expression, index) => ({ name: `rule ${index}`, expression })));

/** Returns a test of whether an expression is true for a generated request. */
function holds(expression: string): (request: Assignment) => boolean {
  const { evaluate } = compileCondition(expression, GENERATED_EVALUATION);
  return (request) => evaluate(valuesOf(request));
}

describe('requests generated from expressions', () => {
  it.each([
    'ssl',
    'not ssl',
    'http.host eq "a.example"',
    'http.host in {"a.example" "b.example"}',
    'http.host contains "a.exam"',
    'http.host matches "^(www|shop)\\\\.[a-z]+\\\\.example$"',
    'http.host matches r"^/api/v\\d+/\\w+$"',
    'http.host matches r"^(a(b|c))d$"',
    'http.host matches r"^[^a]x$"',
    'http.host matches r"^a{2}b$"',
    'http.host matches r"^(?:x|(y))z$"',
    'http.host matches r"^\\x2fé\\.[[:alpha:]]$"',
    'http.host matches r"(?i)^\\bselect\\b.+\\bfrom\\b"',
    'http.host matches r"^/api($|/)v1$"',
    'http.request.uri.path wildcard "/shop/*/cart"',
    'http.request.uri.path strict wildcard r"/shop/\\*"',
    'ip.src eq 192.0.2.1',
    'ip.src in {192.0.2.0/24 2001:db8::/32}',
    'ip.src in $office',
    'ip.src.asnum in {64496 64500..64510}',
    'http.response.code ge 500',
    'cf.edge.server_port ne 443',
    'len(http.request.uri.path) gt 20',
    'lower(http.host) eq "a.example"',
    'upper(http.host) ne "A.EXAMPLE"',
    'starts_with(http.request.uri.path, "/admin")',
    'ends_with(lower(http.request.uri.path), ".php")',
    'http.request.headers["x-key"][0] eq "secret"',
    'http.request.headers["x-key"][2] eq "third"',
    'any(http.request.headers["accept"][*] contains "html")',
    'all(http.request.headers["accept"][*] contains "html")',
    'any(lower(http.request.headers.names[*])[*] contains "x-")',
    'len(http.request.headers["x-key"]) gt 1',
    'url_decode(http.request.uri.path) eq "/shop"',
    'ssl or true or false',
    'http.host eq "a.example" and (ssl or not ip.src in {192.0.2.0/24}) xor http.request.method eq "POST"',
  ])('make each clause true and false: %s', (expression) => {
    const { coverage } = generated(expression);
    expect(coverage.clauses).toBeGreaterThan(0);
    expect(coverage.missed).toEqual([]);
  });

  it('are limited in number, and report the clauses that they do not exercise', () => {
    const many = Array.from({ length: 70 }, (_, index) => `http.request.headers["h${index}"][0] eq "x"`);
    expect(generated(...many).requests).toHaveLength(4000);
    const { coverage } = generated(
      'ssl',
      'http.host eq "ä" and http.host ne http.host or http.host eq http.host',
    );
    expect(coverage).toEqual({
      clauses: 4,
      exercised: 2,
      missed: [
        { name: 'rule 1', text: 'http.host ne http.host' },
        { name: 'rule 1', text: 'http.host eq http.host' },
      ],
    });
  });

  it('use only addresses that exist', () => {
    const { requests } = generated('ip.src in {0.0.0.0/8 240.0.0.0/4 ffff::/16}');
    const addresses = requests.flatMap((request) => Object.values(describeRequest(request)).map(String));
    expect(addresses.sort()).toEqual([
      '0.0.0.0',
      '0.255.255.255',
      '1.0.0.0',
      '239.255.255.255',
      '240.0.0.0',
      '255.255.255.255',
      'fffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'ffff::',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ]);
  });

  it('satisfy every pair of expressions at once', () => {
    const expressions = ['http.host eq "a.example"', 'http.request.uri.path eq "/x"', 'not ssl'];
    const { requests } = generated(...expressions);
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const both = [expressions[one], expressions[other]].map((text = '') => holds(text));
      expect(requests.some((request) => both.every((test) => test(request)))).toBe(true);
    }
  });
});

describe('requests generated from an expression', () => {
  it.each([
    ['from one whose number is one more', 'http.response.code ge 500', 'http.response.code gt 500'],
    ['from one whose number is one less', 'http.response.code gt 499', 'http.response.code gt 498'],
    ['from one of that number alone', 'http.response.code ge 500', 'http.response.code eq 500'],
    ['from a range that begins earlier', 'ip.src.asnum in {64500..64510}', 'ip.src.asnum in {64499..64510}'],
    ['from a range that begins later', 'ip.src.asnum in {64500..64510}', 'ip.src.asnum in {64501..64510}'],
    ['from a range that ends earlier', 'ip.src.asnum in {64500..64510}', 'ip.src.asnum in {64500..64509}'],
    ['from a range that ends later', 'ip.src.asnum in {64500..64510}', 'ip.src.asnum in {64500..64511}'],
    ['from a set that lacks one', 'ip.src.asnum in {64496 64511}', 'ip.src.asnum eq 64496'],
    ['from the lower half of a network', 'ip.src in {192.0.2.0/24}', 'ip.src in {192.0.2.0/25}'],
    ['from the upper half of a network', 'ip.src in {192.0.2.0/24}', 'ip.src in {192.0.2.128/25}'],
    ['from the network above', 'ip.src in {192.0.2.0/24}', 'ip.src in {192.0.2.0/23}'],
    ['from the network below', 'ip.src in {192.0.3.0/24}', 'ip.src in {192.0.2.0/23}'],
    ['from the upper half of one of IPv6', 'ip.src in {2001:db8::/32}', 'ip.src in {2001:db8::/33}'],
    ['from the network above one of IPv6', 'ip.src in {2001:db8::/32}', 'ip.src in {2001:db8::/31}'],
    ['from one address', 'ip.src in {192.0.2.0/31}', 'ip.src eq 192.0.2.0'],
    ['from any text that begins so', 'http.host eq "a.example"', 'starts_with(http.host, "a.example")'],
    ['from any text that ends so', 'http.host eq "a.example"', 'ends_with(http.host, "a.example")'],
    ['from any case', 'http.host eq "a.example"', 'lower(http.host) eq "a.example"'],
    ['from one case', 'lower(http.host) eq "a.example"', 'http.host eq "a.example"'],
    ['from one case, of capitals', 'upper(http.host) eq "A.EXAMPLE"', 'http.host eq "A.EXAMPLE"'],
    ['from any text but the empty', 'http.host ne ""', 'http.host ne "x"'],
    ['from the whole text', 'starts_with(http.host, "a.ex")', 'http.host eq "a.ex"'],
    ['from one that begins shorter', 'starts_with(http.host, "a.ex")', 'starts_with(http.host, "a.e")'],
    ['from one that contains it', 'starts_with(http.host, "a.ex")', 'http.host contains "a.ex"'],
    ['from the whole text', 'ends_with(http.host, ".php")', 'http.host eq ".php"'],
    ['from one that ends shorter', 'ends_with(http.host, ".php")', 'ends_with(http.host, "php")'],
    ['from one that contains it', 'ends_with(http.host, ".php")', 'http.host contains ".php"'],
    ['from one that begins so', 'http.host contains "exam"', 'starts_with(http.host, "exam")'],
    ['from one that ends so', 'http.host contains "exam"', 'ends_with(http.host, "exam")'],
    ['from one that contains less', 'http.host contains "exam"', 'http.host contains "exa"'],
    ['from a length one more', 'len(http.host) gt 20', 'len(http.host) gt 21'],
    ['from a length one less', 'len(http.host) gt 20', 'len(http.host) gt 19'],
    [
      'from a pattern without its start',
      'http.host matches "^www\\\\.[a-z]+$"',
      'http.host matches "www\\\\.[a-z]+$"',
    ],
    [
      'from a pattern without its end',
      'http.host matches "^www\\\\.[a-z]$"',
      'http.host matches "^www\\\\.[a-z]"',
    ],
    ['from the case of a pattern', 'http.host matches "(?i)^www$"', 'http.host eq "www"'],
    ['from the text without a wildcard', 'http.host wildcard "a*b"', 'http.host eq "ab"'],
    ['from the case of a wildcard', 'http.host wildcard "a*b"', 'http.host strict wildcard "a*b"'],
    ['from a wildcard of any case', 'http.host strict wildcard "a*b"', 'http.host wildcard "a*b"'],
    ['from what is never so', 'ip.src in $office', 'not ssl and ssl'],
    ['from what is always so', 'ip.src.asnum in $partners', 'ssl or not ssl'],
    ['from one without its exception', 'ssl and not http.host eq "a.example"', 'ssl'],
    [
      'beside other conditions',
      'http.request.method eq "POST" and http.host eq "a.example" and http.response.code ge 500',
      'http.request.method eq "POST" and http.host eq "a.example" and http.response.code gt 500',
    ],
    [
      'under a condition that is not to be',
      'http.host eq "a.example" and not (http.request.method eq "GET" or http.response.code ge 500)',
      'http.host eq "a.example" and not (http.request.method eq "GET" or http.response.code gt 500)',
    ],
    [
      'beside alternatives',
      '(http.host eq "a.example" or http.request.method eq "POST") and http.response.code ge 500',
      '(http.host eq "a.example" or http.request.method eq "POST") and http.response.code gt 500',
    ],
    [
      'beside either of two',
      '(http.host eq "a.example" xor http.request.method eq "POST") and http.response.code ge 500',
      '(http.host eq "a.example" xor http.request.method eq "POST") and http.response.code gt 500',
    ],
    [
      'beside not both of two',
      'not (http.host eq "zone.example" and http.request.method eq "GET") and http.response.code ge 500',
      'not (http.host eq "zone.example" and http.request.method eq "GET") and http.response.code gt 500',
    ],
    ['from one without its alternative', 'ssl or http.host eq "a.example"', 'ssl'],
  ])('tell it %s: %s, not %s', (_what, expression, other) => {
    const { requests } = generated(expression);
    const [one, another] = [expression, other].map((text) => holds(text));
    expect(requests.some((request) => one?.(request) !== another?.(request))).toBe(true);
  });
});
