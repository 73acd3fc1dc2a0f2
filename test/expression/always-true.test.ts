import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, Tree } from '../../src/expression/language/ast.ts';
import { compileExpression } from '../../src/expression/evaluate/compile-expression.ts';
import { isAlwaysTrue, isTrueOverIpv4 } from '../../src/expression/implies.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import type { IpAddress } from '../../src/data/index.ts';
import type { Value, Values } from '../../src/expression/values/value.ts';
import { isIp } from '../../src/expression/values/value.ts';
import { propertyRuns } from '../property-runs.ts';
import { condition, smallCondition, textTest, values } from './arbitrary.ts';
import * as build from './build.ts';

function treeOf(text: string): Tree {
  const result = parseExpression(text);
  if (!result.ok) {
    throw new Error(`${text}: ${result.error.message}`);
  }
  return result.tree;
}

function isAlways(text: string): boolean {
  return isAlwaysTrue(treeOf(text));
}

/** The values that do not satisfy a filter, under either meaning of `ne` for missing values. */
function failing(tree: Tree, given: readonly Values[]): readonly Values[] {
  return [true, false].flatMap((nilNotEqual) => {
    const compiled = compileExpression(tree, { nilNotEqual });
    if (!compiled.ok) {
      throw new Error(JSON.stringify(compiled));
    }
    return given.filter((some) => compiled.evaluate(some) !== true);
  });
}

describe('a condition that every request satisfies', () => {
  it.each([
    'true',
    'not (false)',
    'ssl or not ssl',
    'http.host eq "a" or not http.host eq "a"',
    'http.host eq "a" or http.host ne "a"',
    'http.host in {"a" "b"} or http.host ne "b"',
    'http.request.uri.path ne "/x" or http.request.uri.path ne "/y"',
    'not http.host in {}',
    'starts_with(http.request.uri.path, "/")',
    'starts_with(raw.http.request.uri.path, "/")',
    'http.request.uri.path contains "/"',
    'http.request.uri contains ""',
    'ends_with(http.host, "")',
    'http.request.uri.path matches ".*"',
    'http.request.uri.path matches "^/"',
    'http.request.uri.path matches ""',
    'lower(http.request.uri.path) matches "^/"',
    'http.user_agent matches "^"',
    'http.request.uri.path wildcard "*"',
    'http.request.uri.path wildcard "/*"',
    'http.request.uri.path strict wildcard "/*"',
    'http.request.full_uri wildcard "HTTP*"',
    'http.request.uri.path ne ""',
    'http.host ne ""',
    'http.host contains ""',
    'http.user_agent contains ""',
    'not http.request.method eq ""',
    'len(http.host) gt 0',
    'len(http.user_agent) ge 0',
    'len(http.user_agent) ne -1',
    'ip.src in {0.0.0.0/0 ::/0}',
    'ip.src in {0.0.0.0/1 128.0.0.0/1 ::/0}',
    'ip.src in {0.0.0.0/0} or not ip.src in {10.0.0.0/8}',
    'ip.src ne 192.0.2.1 or ip.src ne 192.0.2.2',
    'cf.edge.server_port in {1..65535}',
    'cf.edge.server_port ge 1',
    'cf.edge.server_port lt 100 or cf.edge.server_port in {100..65535}',
    'cf.bot_management.score le 99',
    'cf.waf.score ge 50 or cf.waf.score lt 50',
    'cf.threat_score lt 5',
    'http.request.uri.path eq "/.env" or starts_with(http.request.uri.path, "/")',
    'ssl and http.host eq "a" or not (ssl and http.host eq "a")',
    '(ssl or http.host ne "a") and (http.host eq "a" or http.host ne "a") or not ssl',
    'ssl or (not ssl and http.request.uri.path contains "/")',
    'any(http.request.headers["x"][*] eq "a") or not any(http.request.headers["x"][*] eq "a")',
    'http.request.headers["x"][0] eq "a" or not http.request.headers["x"][0] eq "a"',
    'not http.request.headers["x"][0] eq "a" or not http.request.headers["x"][0] eq "b"',
  ])('is recognized: %s', (text) => {
    expect(isAlways(text)).toBe(true);
  });

  it.each([
    'false',
    'ssl',
    'ssl and http.host ne ""',
    'http.host eq "a"',
    'http.user_agent ne ""',
    'len(http.user_agent) gt 0',
    'http.host ne "a"',
    'http.host ne "a" or http.host ne "a"',
    'starts_with(http.request.uri.path, "/a")',
    'http.request.uri.query contains "/"',
    'http.request.uri.path matches "^.*$"',
    'http.request.uri.path matches "^/$"',
    'http.request.uri.path wildcard "/*/*"',
    'ip.src in {0.0.0.0/0}',
    'ip.src in {0.0.0.0/1 128.0.0.0/2 ::/0}',
    'cf.edge.server_port in {2..65535}',
    'cf.bot_management.score lt 99',
    // A header may be missing, and then it neither is nor is not (rules-language.md 2.3).
    'http.request.headers["x"][0] eq "a" or http.request.headers["x"][0] ne "a"',
    'http.request.headers["x"][0] contains ""',
    'len(http.request.headers["x"][0]) ge 0',
    'http.response.code in {0..999} or http.response.code lt 0 or http.response.code gt 999',
    'tcp.dstport ge 0 or tcp.dstport lt 0',
    'ssl or not cf.client.bot',
    'any(http.request.headers["x"][*] eq "a") or any(http.request.headers["x"][*] ne "a")',
  ])('is not claimed of %s', (text) => {
    expect(isAlways(text)).toBe(false);
  });
});

/** Conditions joined with similar ones, so that many are always true. */
function joined(one: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  const clause = fc.oneof(one, one.map(build.group).map(build.not));
  return fc
    .tuple(fc.constantFrom('or', 'or', 'and'), fc.array(clause, { minLength: 2, maxLength: 4 }))
    .map(([kind, items]) => build.join(kind, items.map(build.group)));
}

const PATHS = ['/', '/a', '/b/a', '/A?'];
const HOSTS = ['a', 'b.a', 'A'];
const PARTS = ['', '/', '/a', 'a', 'b'];
const address = fc.constantFrom<IpAddress>(
  { family: 4, value: 0n },
  { family: 4, value: 2n ** 32n - 1n },
  { family: 4, value: 2n ** 31n },
  { family: 6, value: 0n },
  { family: 6, value: 2n ** 128n - 1n },
);

/** Requests for which the facts of `imply/facts.ts` hold, and little else. */
const request: fc.Arbitrary<Values> = fc
  .record({
    path: fc.constantFrom(...PATHS),
    host: fc.constantFrom(...HOSTS),
    agent: fc.constantFrom('', 'a', '/'),
    port: fc.constantFrom(1, 2, 443, 65_534, 65_535),
    score: fc.constantFrom(1, 2, 98, 99),
    ip: address,
    ssl: fc.boolean(),
  })
  .map(
    ({ path, host, agent, port, score, ip, ssl }) =>
      new Map<string, Value>([
        ['http.request.uri.path', path],
        ['http.host', host],
        ['http.user_agent', agent],
        ['cf.edge.server_port', port],
        ['cf.bot_management.score', score],
        ['cf.threat_score', 0],
        ['ip.src', ip],
        ['ssl', ssl],
        ['http.request.headers', new Map()],
      ]),
  );

const textClause = fc
  .tuple(
    fc.constantFrom('http.request.uri.path', 'http.host', 'http.user_agent', 'http.request.headers["x"][0]'),
    fc.constantFrom(...PARTS),
    fc.constantFrom<(field: string, part: string) => string>(
      (field, part) => `${field} eq "${part}"`,
      (field, part) => `${field} ne "${part}"`,
      (field, part) => `${field} in {"${part}" "/b"}`,
      (field, part) => `${field} contains "${part}"`,
      (field, part) => `starts_with(${field}, "${part}")`,
      (field, part) => `ends_with(lower(${field}), "${part}")`,
      (field, part) => `${field} wildcard "${part}*"`,
      (field, part) => `${field} strict wildcard "*${part}"`,
      (field, part) => `${field} matches "^${part}"`,
      (field, part) => `${field} matches "${part}.*$"`,
      (field, part) => `upper(${field}) matches "${part}.*"`,
      (field, part) => `len(${field}) gt ${part.length}`,
      (field, part) => `len(${field}) le ${part.length}`,
    ),
  )
  .map(([field, part, write]) => write(field, part));
const numberClause = fc
  .tuple(
    fc.constantFrom('cf.edge.server_port', 'cf.bot_management.score', 'cf.threat_score'),
    fc.constantFrom('eq 1', 'ne 1', 'lt 2', 'ge 2', 'gt 0', 'le 99', 'in {1..99}', 'in {2..65535}', 'ne 0'),
  )
  .map(([field, test]) => `${field} ${test}`);
const otherClause = fc.constantFrom(
  'ssl',
  'ip.src in {0.0.0.0/0}',
  'ip.src in {0.0.0.0/1 ::/0}',
  'ip.src in {128.0.0.0/1}',
  'ip.src in {::/1}',
  'ip.src ne 0.0.0.0',
  'ip.src eq 0.0.0.0',
);
const clause = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: textClause }, numberClause, otherClause), fc.boolean())
  .map(([text, negated]) => (negated ? `not ${text}` : text));
const written = fc
  .array(fc.array(clause, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 })
  .map((all) => all.map((some) => `(${some.join(' and ')})`).join(' or '));

describe('a proof that every request satisfies a condition', () => {
  it('is never wrong about values of which any may be missing (random trees)', () => {
    const trees = fc
      .oneof(joined(smallCondition), joined(textTest), condition)
      .map((root): Tree => ({ mode: 'filter', root }));
    let proven = 0;
    fc.assert(
      fc.property(trees, fc.array(values, { minLength: 1, maxLength: 8 }), (tree, given) => {
        const always = isAlwaysTrue(tree);
        proven += always ? 1 : 0;
        expect(always ? failing(tree, given) : []).toEqual([]);
      }),
      { numRuns: propertyRuns() * 5 },
    );
    expect(proven).toBeGreaterThan(propertyRuns() / 10);
  });

  it('is never wrong about requests for which the facts of fields hold (random texts)', () => {
    let proven = 0;
    fc.assert(
      fc.property(written, fc.array(request, { minLength: 4, maxLength: 12 }), (text, given) => {
        const tree = treeOf(text);
        const always = isAlwaysTrue(tree);
        proven += always ? 1 : 0;
        expect(always ? failing(tree, given) : []).toEqual([]);
      }),
      { numRuns: propertyRuns() * 5 },
    );
    expect(proven).toBeGreaterThan(propertyRuns() / 10);
  });

  it('over IPv4 is never wrong about such requests with IPv4, and includes every proof over all (random texts)', () => {
    let proven = 0;
    fc.assert(
      fc.property(written, fc.array(request, { minLength: 4, maxLength: 12 }), (text, given) => {
        const tree = treeOf(text);
        const always = isTrueOverIpv4(tree);
        proven += always && !isAlwaysTrue(tree) ? 1 : 0;
        const over = given.filter((values) => {
          const address = values.get('ip.src');
          return address !== undefined && isIp(address) && address.family === 4;
        });
        expect(always ? failing(tree, over) : []).toEqual([]);
        expect(always || !isAlwaysTrue(tree)).toBe(true);
      }),
      { numRuns: propertyRuns() * 5 },
    );
    expect(proven).toBeGreaterThan(0);
  });

  it('is given up if it would take too long', () => {
    const clauses = Array.from({ length: 60 }, (_, index) => `(ssl and http.host eq "${index}")`);
    expect(isAlways(`${clauses.join(' or ')} or not ssl`)).toBe(false);
  });
});
