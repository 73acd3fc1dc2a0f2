// Measures Rulewright beside the tools that do the same work, all against the embedded service: `npm run bench:peers`.
//
//     node bench/peers/run.mjs [--sizes 1x20,50x40,200x40] [--runs 5] [--tools rulewright,octorules] [--jobs plan,apply]
//
// Tools take turns, so that whatever else the machine does meets all of them. Each run begins with the same state of the service, and with nothing that
// an earlier one kept. What is measured is told by measure.py; requests and rules by the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from './service.mjs';
import { setUpTools } from './tools.mjs';
import { writeSeed } from './world.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PROGRAM = join(HERE, '..', '..', 'dist', 'cli', 'main.js');
/** @type {readonly import('./tools.mjs').Job[]} */
const JOBS = ['lint', 'plan', 'plan-edit', 'apply', 'import'];

/**
 * @typedef {{ readonly wall: number, readonly cpu: number, readonly memory: number, readonly exit: number }} Usage
 * @typedef {Usage & { readonly requests: number, readonly writes: number, readonly idsLost: number, readonly rewritten: number }} Run
 */

/**
 * @param {import('./tools.mjs').Invocation} invocation
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<Usage>}
 */
async function measure({ cwd, command }, env) {
  const child = spawn('python3', [join(HERE, 'measure.py'), ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const texts = ['', ''];
  for (const [index, stream] of [child.stdio[3], child.stdio[2]].entries()) {
    stream?.on('data', (/** @type {Buffer} */ data) => {
      texts[index] += String(data);
    });
  }
  await once(child, 'close');
  const usage = JSON.parse(texts[0] ?? '');
  if (usage.exit !== 0 && usage.exit !== 2) {
    throw new Error(`${command.join(' ')} ended with ${usage.exit}:\n${texts[1]}`);
  }
  return usage;
}

/**
 * What an apply did to rules that it had no business with: ids that are others now, and versions that moved though nothing of the rule was to change.
 *
 * @param {readonly (readonly import('./service.mjs').LiveRule[])[]} before
 * @param {readonly (readonly import('./service.mjs').LiveRule[])[]} after
 */
function damage(before, after) {
  let idsLost = 0;
  let rewritten = 0;
  for (const [zone, rules] of before.entries()) {
    const now = new Map((after[zone] ?? []).map((rule) => [rule.ref, rule]));
    for (const rule of rules) {
      const same = now.get(rule.ref);
      if (same?.id !== rule.id) {
        idsLost += 1;
      } else if (same.expression === rule.expression && same.version !== rule.version) {
        rewritten += 1;
      }
    }
  }
  return { idsLost, rewritten };
}

/** @param {readonly number[]} values */
const sorted = (values) => values.toSorted((a, b) => a - b);
/** @param {readonly number[]} values */
const least = (values) => sorted(values)[0] ?? 0;
/** @param {readonly number[]} values */
const median = (values) => sorted(values)[Math.floor(values.length / 2)] ?? 0;
/** @param {readonly number[]} values */
const seconds = (values) => `${least(values).toFixed(2)} / ${median(values).toFixed(2)}`;

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1x20,50x40,200x40' },
    runs: { type: 'string', default: '5' },
    tools: { type: 'string' },
    jobs: { type: 'string' },
    folder: { type: 'string' },
  },
});
const sizes = flags.sizes.split(',').map((text) => {
  const [zones = 0, rules = 0] = text.split('x').map(Number);
  return { zones, rules };
});
const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'rulewright-peers-')));
await mkdir(folder, { recursive: true });
const tools = await setUpTools(folder, flags.tools);
const jobs = JOBS.filter((job) => flags.jobs === undefined || flags.jobs.split(',').includes(job));

console.log(tools.map(({ name, version }) => `${name} ${version}`).join(' · '));
console.log(
  `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, ${flags.runs} runs; least / median\n`,
);
console.log(
  '| zones × rules | job | tool | wall s | CPU s | MB | requests | writes | ids lost | rules rewritten |',
);
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');

for (const size of sizes) {
  const seed = join(folder, 'seed.json');
  await writeSeed(seed, size);
  const service = await startService(PROGRAM, seed, ['--unlimited']);
  try {
    /** @type {Map<string, Partial<Readonly<Record<string, import('./tools.mjs').Invocation>>>>} */
    const prepared = new Map();
    for (const { name, prepare } of tools) {
      const own = join(folder, `${name.replaceAll(' ', '-')}-${size.zones}x${size.rules}`);
      await rm(own, { recursive: true, force: true });
      prepared.set(name, await prepare(own, size, service.env));
    }
    const before = await service.rules(size.zones);
    for (const job of jobs) {
      /** @type {Map<string, Run[]>} */
      const runs = new Map();
      for (let turn = 0; turn < Number(flags.runs); turn += 1) {
        for (const { name, fresh } of tools) {
          const invocation = prepared.get(name)?.[job];
          if (invocation === undefined) {
            continue;
          }
          await fresh(join(folder, `${name.replaceAll(' ', '-')}-${size.zones}x${size.rules}`));
          await service.restart();
          const usage = await measure(invocation, service.env);
          const sent = await service.requests();
          runs.set(name, [
            ...(runs.get(name) ?? []),
            {
              ...usage,
              requests: sent.length,
              writes: sent.filter(({ wrote }) => wrote).length,
              ...damage(before, job === 'apply' ? await service.rules(size.zones) : before),
            },
          ]);
        }
      }
      for (const [name, all] of runs) {
        const of = (/** @type {keyof Run} */ key) => all.map((run) => run[key]);
        console.log(
          `| ${size.zones} × ${size.rules} | ${job} | ${name} | ${seconds(of('wall'))} | ${seconds(of('cpu'))} | ${median(of('memory')).toFixed(0)} | ${median(of('requests'))} | ${median(of('writes'))} | ${median(of('idsLost'))} | ${median(of('rewritten'))} |`,
        );
      }
    }
  } finally {
    await service.close();
  }
}
if (flags.folder === undefined) {
  await rm(folder, { recursive: true });
}
