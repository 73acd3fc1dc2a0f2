import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countedService } from './counted-service.ts';
import { rulewright } from './in-process.ts';

const zone = (path: string) => `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: [team-*] }
    place: first
    rules:
      - { ref: team-a, expression: 'http.request.uri.path eq "${path}"', action: block }
`;

/**
 * A project with its own service; `apply` returns the number of requests in its metrics and in its trace, and `sent` the number that
 * the service got.
 */
async function observed() {
  const { root, env, clock, run } = await countedService();
  const write = (path: string, text: string) => writeFile(join(root, path), text);
  await mkdir(join(root, 'zones'));
  await write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml]\n');
  await write('zones/shop.yaml', zone('/a'));
  const apply = async (words: string) => {
    const { code, stderr } = await rulewright(
      ['apply', '--yes', '--verbose', '--metrics', 'out.prom', ...words.split(' ')],
      { cwd: root, env, clock },
    );
    const metrics = await readFile(join(root, 'out.prom'), 'utf8');
    const counts = [...metrics.matchAll(/^rulewright_requests_total\{.*\} (\d+)$/gmu)];
    return {
      code,
      counted: counts.reduce((sum, [, count]) => sum + Number(count), 0),
      traced: stderr.split('\n').filter((line) => /^#\d+ [A-Z]+ \/.* → \d/u.test(line)).length,
    };
  };
  const sent = async () => (await run('schema rule')).length;
  return { root, write, run, apply, sent };
}

it('apply counts and traces the requests that find what changed since the review', async () => {
  const { write, run, apply, sent } = await observed();
  await run('plan --out reviewed.json');
  await write('zones/shop.yaml', zone('/b'));
  await run('apply --yes');
  await write('zones/shop.yaml', zone('/c'));
  const { code, counted, traced } = await apply('--expect reviewed.json');
  expect(code).toBe(3);
  expect([counted, traced]).toEqual([await sent(), counted]);
});

it('apply counts and traces the requests that find what a crashed run has done', async () => {
  const { root, run, write, apply, sent } = await observed();
  await run('apply --yes');
  const path = '.rulewright/journal.jsonl';
  const journal = await readFile(join(root, path), 'utf8');
  // As after a crash before the answer.
  await write(path, journal.replace(/^.*"kind":"(?:landed|done|end)".*\n/gmu, ''));
  await write('zones/shop.yaml', zone('/b'));
  const { code, counted, traced } = await apply('--writes ruleset');
  expect(code).toBe(0);
  expect([counted, traced]).toEqual([await sent(), counted]);
});
