import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FILE_ORDER, PROJECT_ORDER } from '../../src/config/format/format-text.ts';
import { rulewright } from '../cli/in-process.ts';

async function keysOf(schema: string): Promise<readonly string[]> {
  const { properties } = JSON.parse(await readFile(`schemas/${schema}.schema.json`, 'utf8')) as {
    readonly properties: object;
  };
  return Object.keys(properties);
}

it.each([
  ['project', PROJECT_ORDER],
  ['zone', FILE_ORDER],
  ['account', FILE_ORDER],
  ['pack', FILE_ORDER],
])('the key order of a %s file covers every key of its schema', async (schema, order) => {
  expect(order).toEqual(expect.arrayContaining([...(await keysOf(schema))]));
});

it.each(['first', 'fleet', 'shop'])('fmt --check accepts the example %s', async (example) => {
  expect(await rulewright(['fmt', '--check', `examples/${example}`], { cwd: process.cwd() })).toMatchObject({
    code: 0,
  });
});
