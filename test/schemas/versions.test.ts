import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { rulewright } from '../cli/in-process.ts';
import { closedSchema } from './closed-schema.ts';

const [versions, result] = [await closedSchema('versions'), await closedSchema('result')];

/** Returns the kind of a document that a schema describes, or the document and the errors of the schemas. */
function judged(stdout: string): unknown {
  const document: JsonValue = JSON.parse(stdout);
  const described = [versions, result].some((validate) => validate(document));
  return described && isJsonObject(document) ? document['kind'] : [document, versions.errors, result.errors];
}

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-versions-'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [scope.yaml]\n');
  await writeFile(
    join(cwd, 'scope.yaml'),
    'zone: shop.example\nentrypoints:\n  http_ratelimit:\n    rules: []\n',
  );
});
afterAll(() => rm(cwd, { recursive: true }));

/** Commands in their order, and the exit code and the kind of document of each. */
const STORY: readonly (readonly [command: string, came: string])[] = [
  ['apply --yes --allow all', '0 outcomes'],
  ['versions shop.example http_ratelimit', '0 versions'],
  ['versions shop.example http_ratelimit --limit 1', '0 versions'],
  ['versions shop.example http_request_firewall_managed --show 3', '0 version'],
  ['rollback shop.example http_ratelimit --to 2 --dry-run', '0 outcomes'],
  ['rollback shop.example http_ratelimit --to 2', '3 error'],
  ['rollback shop.example http_ratelimit --to 2 --yes', '0 outcomes'],
  ['rollback shop.example http_ratelimit --to 99 --yes', '1 error'],
  ['versions shop.example http_ratelimit --delete 2 --yes --allow irreversible', '0 version-deleted'],
  ['versions shop.example http_ratelimit', '0 versions'],
  ['versions shop.example http_nothing', '1 error'],
];

test('versions and rollback print nothing that their schemas do not describe', async () => {
  for (const [command, came] of STORY) {
    const { code, stdout } = await rulewright(
      [...command.split(' '), '--emulator', '--quiet', '--format', 'json'],
      { cwd },
    );
    expect([command, `${code} ${String(judged(stdout))}`]).toEqual([command, came]);
  }
});
