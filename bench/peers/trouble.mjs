// What each tool does when something goes wrong while it applies a change of three zones: `node bench/peers/trouble.mjs`.
//
// For each trouble: how the tool ended, what is live then, and what a second run of the same command makes of it. Seen from the service, which knows;
// what a tool says of it is not judged.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import { startService } from './service.mjs';
import { setUpTools } from './tools.mjs';
import { editedRules, writeSeed } from './world.mjs';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'cli', 'main.js');
const SIZE = { zones: 3, rules: 20 };
const WRITES = { method: ['POST', 'PUT', 'PATCH'], path: '/zones/*/rulesets/**' };

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * @typedef {object} Trouble
 * @property {string} name
 * @property {readonly object[]} faults
 * @property {boolean} [kill] ends the tool, with no word, as soon as it has written
 */

/** @type {readonly Trouble[]} */
const TROUBLES = [
  { name: 'nothing', faults: [] },
  {
    name: 'the second write is refused for too many requests, once',
    faults: [{ ...WRITES, nth: 2, effect: { kind: 'limit', retry_after: 1 } }],
  },
  {
    name: 'a colleague adds a rule just before the first write',
    faults: [
      {
        ...WRITES,
        nth: 1,
        effect: {
          kind: 'edit',
          change: {
            kind: 'add',
            rule: {
              ref: 'theirs',
              action: 'block',
              expression: 'ip.src eq 192.0.2.66',
              description: 'In the dashboard',
            },
          },
        },
      },
    ],
  },
  {
    name: 'the service refuses the writes of one zone',
    faults: [
      {
        ...WRITES,
        path: '/zones/ZONE/rulesets/**',
        effect: { kind: 'error', status: 400, code: 20127, message: 'an expression is not valid' },
      },
    ],
  },
  {
    name: 'the answer to the first write is lost',
    faults: [{ ...WRITES, nth: 1, effect: { kind: 'cut', moment: 'after' } }],
  },
  {
    name: 'an answer without rules to the first read',
    faults: [{ method: 'GET', path: '/zones/*/rulesets/**', nth: 2, times: 1, effect: { kind: 'missing' } }],
  },
  { name: 'killed after its first write', faults: [], kill: true },
];

/** @param {readonly { readonly ref: string, readonly expression: string }[]} rules */
const told = (rules) => rules.map(({ ref, expression }) => `${ref} ${expression}`).join('\n');

/**
 * What is live, in a few words.
 *
 * @param {Service} service
 */
async function state(service) {
  const all = await service.rules(SIZE.zones);
  let [done, untouched, otherwise] = [0, 0, 0];
  let theirs = 0;
  for (const [zone, rules] of all.entries()) {
    const wanted = editedRules(zone, SIZE.rules);
    const own = rules.filter(({ ref }) => ref !== 'theirs');
    theirs += rules.length - own.length;
    if (told(own) === told(wanted)) {
      done += 1;
    } else if (own.length === SIZE.rules && own[0]?.ref === 'rule-0') {
      untouched += 1;
    } else {
      otherwise += 1;
    }
  }
  return { done, untouched, otherwise, theirs };
}

/**
 * @param {import('./tools.mjs').Invocation} invocation
 * @param {Service} service
 * @param {boolean} kill
 */
async function run({ cwd, command: [program = '', ...args] }, service, kill) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...service.env }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  if (kill) {
    while (child.exitCode === null && !(await service.requests()).some(({ wrote }) => wrote)) {
      await setTimeout(1);
    }
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  return signal === null ? `exit ${code}` : 'killed';
}

const { values: flags } = parseArgs({ options: { tools: { type: 'string' }, folder: { type: 'string' } } });
const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'rulewright-peers-')));
await mkdir(folder, { recursive: true });
const tools = await setUpTools(folder, flags.tools);
const seed = join(folder, 'seed.json');
await writeSeed(seed, SIZE);
const service = await startService(PROGRAM, seed, ['--unlimited']);
try {
  console.log(
    '| trouble | tool | first run | zones done / as before / otherwise | rule of the colleague | second run | zones done | of the colleague |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const { name: trouble, faults, kill = false } of TROUBLES) {
    for (const { name, prepare, fresh } of tools) {
      const own = join(folder, `${name.replaceAll(' ', '-')}-trouble`);
      await rm(own, { recursive: true, force: true });
      await service.restart();
      const invocation = (await prepare(own, SIZE, service.env)).apply;
      if (invocation === undefined) {
        continue;
      }
      await fresh(own);
      await service.restart();
      const zone = await service.zoneId(1);
      await service.control('POST', '/faults', JSON.parse(JSON.stringify(faults).replaceAll('ZONE', zone)));
      const first = await run(invocation, service, kill);
      const then = await state(service);
      await service.control('DELETE', '/faults');
      const second = await run(invocation, service, false);
      const last = await state(service);
      console.log(
        `| ${trouble} | ${name} | ${first} | ${then.done} / ${then.untouched} / ${then.otherwise} | ${then.theirs === 0 ? '-' : 'there'} | ${second} | ${last.done} | ${last.theirs === 0 ? '-' : 'there'} |`,
      );
    }
  }
} finally {
  await service.close();
}
if (flags.folder === undefined) {
  await rm(folder, { recursive: true });
}
