import { expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { REPOSITORY } from '../forge/github-stand-in.ts';
import { pullRequestEvent, sha, startWorkflow } from '../forge/workflow.ts';
import { closedSchema } from './closed-schema.ts';

const [forge, result] = [await closedSchema('forge'), await closedSchema('result')];

/** Returns the kind and the result of a document that a schema describes, or the errors of the schemas. */
function judged(stdout: string): unknown {
  const document: JsonValue = JSON.parse(stdout);
  if (![forge, result].some((validate) => validate(document)) || !isJsonObject(document)) {
    return [forge.errors, result.errors];
  }
  const { kind, change, result: said } = document;
  const about = change ?? (isJsonObject(said) ? said['kind'] : '');
  return [kind, about].filter((word) => typeof word === 'string').join(' ');
}

test('the github commands print nothing that their schemas do not describe', async () => {
  const { github, run, on } = await startWorkflow();
  const told: unknown[] = [];
  const ask = async (event: unknown, command: string, more = {}): Promise<void> => {
    const { stdout, stderr } = await on(event, `${command} --format json`, more);
    told.push(stdout === '' ? stderr : judged(stdout));
  };
  await run('plan --emulator --out plan.json');
  await run('drift --emulator --format json --output drift.json');
  github.pulls.set(12, { head: sha('a'), headRepo: REPOSITORY });
  const push = pullRequestEvent(sha('a'));
  await ask(push, 'github plan-comment plan.json', { GITHUB_RUN_ID: '20' });
  await ask(push, 'github plan-comment plan.json', { GITHUB_RUN_ID: '20' });
  await ask(push, 'github plan-comment --pending');
  github.pulls.set(12, { head: sha('b'), headRepo: REPOSITORY });
  await ask(pullRequestEvent(sha('b')), 'github plan-comment plan.json', { GITHUB_RUN_ID: '30' });
  await ask(push, 'github plan-comment plan.json', { GITHUB_RUN_ID: '20' });
  await ask(pullRequestEvent(sha('a'), 'mallory/edge'), 'github plan-comment plan.json');
  await ask(push, 'github summary plan.json');
  await ask({}, 'github drift-issue drift.json');
  await ask({}, 'github drift-issue drift.json');
  await ask({}, 'github drift-issue plan.json');
  await ask({}, 'github summary nowhere.json');
  expect(told).toEqual([
    'posted posted',
    'posted posted',
    'posted outdated',
    'posted posted',
    'posted superseded',
    'posted not-posted',
    'posted summary',
    'drift-issue opened',
    'drift-issue none',
    'error ',
    'error ',
  ]);
});
