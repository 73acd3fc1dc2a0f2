import { describe, expect, it } from 'vitest';
import { generateRequests } from '../../src/migrate/generate-requests.ts';

const generated = (...expressions: readonly string[]) =>
  generateRequests(expressions.map((expression, index) => ({ name: `rule ${index}`, expression })));

describe('requests made from an expression', () => {
  it.each([
    'ssl',
    'not ssl',
    'http.host eq "a.example"',
    'http.host in {"a.example" "b.example"}',
    'http.host contains "a.exam"',
    'http.host matches "^(www|shop)\\\\.[a-z]+\\\\.example$"',
    'http.host matches r"^/api/v\\d+/\\w+$"',
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
    'http.host eq "a.example" and (ssl or not ip.src in {192.0.2.0/24}) xor http.request.method eq "POST"',
  ])('make each of its clauses true and false: %s', (expression) => {
    const { coverage } = generated(expression);
    expect(coverage.clauses).toBeGreaterThan(0);
    expect(coverage.missed).toEqual([]);
  });

  it('are bounded, and tell what they do not reach', () => {
    const many = Array.from({ length: 70 }, (_, index) => `http.request.headers["h${index}"][0] eq "x"`);
    expect(generated(...many).requests).toHaveLength(4000);
    const { coverage } = generated('ssl', 'http.host eq "a" and http.host ne http.host');
    expect(coverage).toMatchObject({ clauses: 3, exercised: 2, missed: [{ name: 'rule 1' }] });
  });
});
