import { describe, expect, test } from 'vitest';

import { newFieldsFor } from '../../src/simulate/new-fields.ts';
import { prepareScope } from '../../src/simulate/prepare.ts';
import { evaluationOf } from '../../src/simulate/read-lists.ts';
import { readScenario } from '../../src/simulate/read-scenario.ts';
import { runTest } from '../../src/simulate/run-test.ts';
import type { ReadyTest } from '../../src/simulate/run-test.ts';
import type { SimulatedRule } from '../../src/simulate/scope-rules.ts';
import { entry, log, rule, skip, zone } from './build.ts';

// A rule may test a field of a newer service, which a comment permits, or be in newer grammar. Tests give the field a value of the
// type that its expressions need; where the rest of a test does not depend on the rule, it passes without one.

type Fields = Readonly<Record<string, string | number | boolean | object>>;

/** Sends a request for a path through custom rules, and returns what a test of it finds wrong. */
function found(
  rules: readonly SimulatedRule[],
  {
    path = '/',
    fields = {},
    expected,
  }: { readonly path?: string; readonly fields?: Fields; readonly expected: ReadyTest['expect'] },
): readonly string[] {
  const scopes = [zone(entry(rules))];
  const newFields = newFieldsFor(Object.keys(fields), scopes);
  const read = readScenario({
    test: { request: { url: path, fields } },
    zone: 'shop.example',
    path: [],
    newFields,
  });
  if (read.kind === 'invalid') {
    return read.problems.map(({ code, message }) => `${code}: ${message}`);
  }
  const evaluation = { ...evaluationOf({}), newFields };
  const prepared = {
    zone: { name: 'shop.example', plan: '' },
    scopes: scopes.map((one) => prepareScope(one, evaluation)),
    source: 'files',
  } as const;
  const { mismatches } = runTest({ zone: prepared, scenario: read.scenario, evaluation, expect: expected });
  return mismatches.map(({ key, message }) => `${key}: ${message}`);
}

const BLOCKED = { action: 'block' } as const;
const FREE = { action: 'none' } as const;
const A = 'cf.edge.brand_new';

describe('a field that a comment permits', () => {
  test.each<readonly [expression: string, blocks: Fields[string], passes: Fields[string]]>([
    [A, true, false],
    [`${A} lt 30`, 29, 30],
    [`${A} eq "x"`, 'x', 'y'],
    [`lower(${A}) in {"x" "y"}`, 'Y', 'z'],
    [`${A} in {192.0.2.0/24}`, '192.0.2.7', '198.51.100.7'],
    [`any(${A}[*] eq "x")`, ['w', 'x'], []],
    [`${A}["k"] eq "x"`, { k: 'x' }, { other: 'x' }],
    [`any(${A}["k"][*] eq "x")`, { k: ['x'] }, { k: [] }],
    [`http.host eq ${A}`, 'shop.example', 'y'],
  ])('has the values that a test gives it: %s', (expression, blocks, passes) => {
    const rules = [rule('odd', { expression })];
    expect(found(rules, { fields: { [A]: blocks }, expected: BLOCKED })).toEqual([]);
    expect(found(rules, { fields: { [A]: passes }, expected: FREE })).toEqual([]);
  });

  test('takes only values of that type, and no other name', () => {
    const rules = [rule('odd', { expression: `${A} eq "x"` })];
    expect(found(rules, { fields: { [A]: 3 }, expected: FREE })).toEqual([
      `test/field-value: \`${A}\` takes a text, not 3`,
    ]);
    expect(found(rules, { fields: { 'cf.edge.brand_old': 'x' }, expected: FREE })).toEqual([
      'test/unknown-field: there is no field `cf.edge.brand_old`',
    ]);
  });

  test.each([
    [`${A} eq 1 and http.request.uri.path eq "/a"`, FREE],
    [`${A} eq 1 or http.request.uri.path eq "/b"`, BLOCKED],
    [`not (${A} eq 1 or cf.edge.brand_newer eq 2 or http.request.uri.path eq "/b")`, FREE],
  ])('matters to no test that the other clauses decide: %s', (expression, expected) => {
    expect(found([rule('odd', { expression })], { path: '/b', expected })).toEqual([]);
  });

  test('is named by a test that depends on it', () => {
    const rules = [rule('odd', { expression: `${A} eq 1 and http.request.uri.path eq "/a"` })];
    expect(found(rules, { path: '/a', expected: FREE })).toEqual([
      `rules: the result depends on odd, which cannot be evaluated: give ${A} in \`fields\``,
    ]);
    expect(found(rules, { path: '/a', expected: { ...FREE, rules: { odd: 'undecided' } } })).toEqual([]);
  });
});

describe('a rule in grammar that is newer', () => {
  const ODD = { expression: 'http.host like "x*"' };
  const depends = expect.stringMatching(
    /^rules: the result depends on odd, which cannot be evaluated: expected /u,
  );

  test.each([
    ['it only logs', [log('odd', ODD.expression)], FREE],
    ['an earlier rule ends the request', [rule('end'), rule('odd', ODD)], { rule: 'end' }],
    ['a later rule does the same', [rule('odd', ODD), rule('end')], BLOCKED],
  ])('fails no test that does not depend on it: %s', (_, rules, expected) => {
    expect(found(rules, { expected })).toEqual([]);
  });

  test.each([
    ['it may block', [rule('odd', ODD)], FREE],
    ['it may end the request before', [rule('odd', ODD), rule('end')], { rule: 'end' }],
    [
      'it may skip the rule',
      [
        {
          ...skip('odd', { ruleset: 'current' }),
          content: { ...skip('odd', { ruleset: 'current' }).content, ...ODD },
        },
        rule('end'),
      ],
      BLOCKED,
    ],
    ['another open rule does not matter', [log('other', ODD.expression), rule('odd', ODD)], FREE],
  ])('fails a test that depends on it, and alone is named: %s', (_, rules, expected) => {
    expect(found(rules, { expected })).toEqual([depends]);
  });

  test('leaves what is wrong in any case to say', () => {
    expect(found([log('odd', ODD.expression)], { expected: BLOCKED })).toEqual([
      'action: expected block, but no rule ends the request',
    ]);
  });

  test('is named with all others if there are too many to try', () => {
    const rules = Array.from({ length: 6 }, (_, at) => log(`odd${at}`, ODD.expression));
    expect(found(rules, { expected: FREE })).toHaveLength(6);
  });
});
