import { describe, expect, test } from 'vitest';

import { routes } from '../../src/emulator/interface/interface-routes.ts';
import { startBench } from './bench.ts';
import { failure } from './shapes/answers.ts';
import type { AnswerShapes } from './shapes/answers.ts';
import { directoryShapes } from './shapes/directory.ts';
import { firewallShapes } from './shapes/firewall.ts';
import { listShapes } from './shapes/lists.ts';
import { rulesetShapes } from './shapes/rulesets.ts';
import { integer, list, misfits, object, text } from './shapes/shape.ts';
import { wafShapes } from './shapes/waf.ts';
import {
  visitor,
  walkDirectory,
  walkFirewall,
  walkLists,
  walkManaged,
  walkRulesets,
  walkWaf,
  walkZoneObjects,
} from './shapes/walk.ts';
import type { Visit } from './shapes/walk.ts';
import { zoneObjectShapes } from './shapes/zone-objects.ts';

const families: readonly (readonly [
  string,
  AnswerShapes,
  (visit: Visit, bench: Awaited<ReturnType<typeof startBench>>) => Promise<void>,
])[] = [
  ['token check, accounts and zones', directoryShapes, walkDirectory],
  [
    'rulesets',
    rulesetShapes,
    async (visit) => {
      await walkRulesets(visit, '/zones/:zone');
      await walkRulesets(visit, '/accounts/:account');
      await walkManaged(visit);
    },
  ],
  ['lists', listShapes, walkLists],
  ['firewall rules and filters', firewallShapes, walkFirewall],
  ['old rate limits, page rules, lockdowns, user agent rules', zoneObjectShapes, walkZoneObjects],
  ['the old WAF and its migration', wafShapes, walkWaf],
];

describe('answers have the keys and types of the references', () => {
  test.each(families)('%s: every operation', async (_, shapes, walk) => {
    const bench = await startBench();
    const { visit, visited } = visitor(bench, shapes);
    await walk(visit, bench);
    expect([...visited].sort()).toEqual(Object.keys(shapes).sort());
  });

  test('every operation of a managed family has a shape, except validate-expr', () => {
    const described = new Set(families.flatMap(([, shapes]) => Object.keys(shapes)));
    const paths = routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/gu, '')}`,
    );
    const managed =
      /\/(?:rulesets|rules\/lists|firewall|filters|rate_limits|pagerules|waf_migration)(?:\/|$)|^GET \/(?:zones|accounts)(?:\/:\w+)?$|tokens/u;
    const left = paths.filter((path) => !described.has(path) && managed.test(path));
    // The answers of validate-expr are nulls by design (api.md 9.2); the tests of filters check them.
    expect(left).toEqual(['GET /filters/validate-expr', 'POST /filters/validate-expr']);
    expect([...described].filter((path) => !paths.includes(path))).toEqual([]);
  });
});

describe('refusals have the keys and types of the references (specification 7 rule 1, api.md 1.2)', () => {
  test.each([
    ['no credentials', 'GET', '/zones', undefined, { authorization: '' }],
    ['a wrong header', 'GET', '/zones', undefined, { authorization: 'x' }],
    ['no route', 'GET', '/nowhere', undefined, {}],
    ['malformed JSON', 'PUT', '/zones/:zone/rulesets/phases/http_ratelimit/entrypoint', '{', {}],
    ['a wrong rule', 'PUT', '/zones/:zone/rulesets/phases/http_ratelimit/entrypoint', { rules: [{}] }, {}],
  ])('%s', async (_, method, path, body, headers) => {
    const bench = await startBench();
    const [zone] = bench.service.store.zones.all();
    const reply = await bench.call(method, path.replace(':zone', zone?.id ?? ''), body, headers);
    expect(misfits(failure, reply.body)).toEqual([]);
    expect([reply.body.success, reply.body.errors.length > 0]).toEqual([false, true]);
  });
});

test('misfits reports every member that does not fit the shape', () => {
  const shape = object({ a: text, b: list(integer) }, { c: text });
  expect(misfits(shape, { a: 'x', b: [1] })).toEqual([]);
  expect(misfits(shape, { a: 1, b: [1, 'x'], d: true })).toEqual([
    '/a: should be text and is 1',
    '/b/1: should be a whole number and is "x"',
    '/d: is not in the shape',
  ]);
  expect(misfits(shape, { b: 'x', c: null })).toEqual([
    '/a: is missing',
    '/b: should be a list and is "x"',
    '/c: should be text and is null',
  ]);
});
