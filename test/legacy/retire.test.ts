import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Ended, Setting } from '../cli/in-process.ts';
import { fillDisk } from '../full-disk.ts';
import { rulewright } from '../cli/in-process.ts';

const OFFICE = '1a618aa52635e08ca215211bca07c4d5';
const RETIRE = 'firewall retire blog.example';

/** A project whose converted firewall rules are live in the embedded service. */
async function converted(safety = '') {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-retire-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await mkdir(join(cwd, 'zones'));
  await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [zones/*.yaml]\n${safety}`);
  const run = (command: string, setting: Setting = {}): Promise<Ended> =>
    rulewright([...command.split(' '), '--emulator'], { cwd, ...setting });
  await run('firewall convert blog.example --order priority --out zones/blog.yaml');
  expect((await run('apply --yes')).code).toBe(0);
  return { cwd, run, journal: join(cwd, '.rulewright', 'retired.jsonl') };
}

test('firewall retire refuses to delete protected rules until --allow protected', async () => {
  const { run } = await converted(`safety: { protect: ["firewall-rule-${OFFICE}"] }\n`);
  const refused = await run(`${RETIRE} --allow irreversible --yes`);
  expect(refused.code).toBe(3);
  expect(refused.stdout.replaceAll(/\s+/gu, ' ')).toContain(
    `! protected zone:blog.example/firewall_rule/${OFFICE}: firewall-rule-${OFFICE} is protected and would be deleted`,
  );
  expect(refused.stderr).toContain('To allow it for this run: --allow irreversible,protected');
  expect((await run(`${RETIRE} --allow irreversible,protected --yes`)).code).toBe(0);
});

test('firewall retire names no flag for the guard `account`, which nothing allows', async () => {
  const { cwd, run } = await converted();
  const safety = 'safety: { accounts: [01a7362d577a6c3019a474fd6f485823] }';
  await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [zones/*.yaml]\n${safety}\n`);
  const refused = await run(`${RETIRE} --allow all --yes`);
  expect(refused.code).toBe(3);
  expect(refused.stderr).not.toContain('--allow account');
  expect(refused.stderr).toContain('Nothing allows `account`: use the token of an account');
});

test('firewall retire with nothing to do is not refused by a guard', async () => {
  const { cwd, run } = await converted();
  expect((await run(`${RETIRE} --allow irreversible --yes`)).code).toBe(0);
  const safety = 'safety: { accounts: [01a7362d577a6c3019a474fd6f485823] }';
  await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [zones/*.yaml]\n${safety}\n`);
  expect(await run(RETIRE)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Refused') });
});

test('firewall retire needs no flag while the project allows its deletions', async () => {
  const allow = (until: string) =>
    `safety: { allow: [{ kind: irreversible, reason: moving, until: ${until} }] }\n`;
  const { cwd, run } = await converted(allow('2020-01-01'));
  expect((await run(`${RETIRE} --yes`)).code).toBe(3);
  await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [zones/*.yaml]\n${allow('9999-12-31')}`);
  expect((await run(`${RETIRE} --yes`)).code).toBe(0);
});

test('firewall retire reports a crashed run until nothing is left to do', async () => {
  const { run, journal } = await converted();
  const go = `${RETIRE} --allow irreversible --yes`;
  expect((await run(go)).stderr).not.toContain('did not finish');
  // As after a crash: one deletion has its answer, the next one was sent.
  const lines = (await readFile(journal, 'utf8')).split('\n');
  const second = lines.findIndex((line, index) => index > 3 && line.includes('"kind":"landed"'));
  await writeFile(journal, `${lines.slice(0, second).join('\n')}\n`);
  const again = await run(go);
  const told = again.stderr.replaceAll(/\s+/gu, ' ');
  expect(again.code).toBe(0);
  expect(told).toContain('An earlier retirement did not finish. It began');
  expect(told).toContain('1 old object had been deleted.');
  expect(told).toContain('its deletion was sent, and no answer is known; it is gone');
  expect((await run(go)).stderr).not.toContain('did not finish');
});

test('firewall retire deletes nothing once another run has the journal', async () => {
  const { run, journal } = await converted();
  const go = `${RETIRE} --allow irreversible`;
  const { code, stderr } = await run(go, {
    answer: async () => {
      await writeFile(`${journal}.lock`, 'of another run');
      return true;
    },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('apply/not-held')]);
  await rm(`${journal}.lock`);
  expect((await run(`${go} --dry-run`)).stdout).toContain('11 old objects will be deleted permanently');
});

test('firewall retire suggests a command to go on with the same project and journal', async () => {
  const { run } = await converted();
  const makeRoom = await fillDisk((text) => text.includes('"kind":"landed"'));
  const flags = '--config rulewright.yaml --allow irreversible --journal j.jsonl';
  const ended = await run(`${RETIRE} ${flags} --yes`);
  makeRoom();
  expect([ended.code, ended.stdout.replaceAll(/\s+/gu, ' ')]).toEqual([
    4,
    expect.stringContaining(`To go on: rulewright ${RETIRE} ${flags} --emulator`),
  ]);
});

test('waf check has no flag --yes', async () => {
  const ended = await rulewright(['waf', 'check', 'api.example', '--yes', '--emulator']);
  expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining('there is no flag --yes')]);
});
