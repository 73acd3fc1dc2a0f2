import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeClock } from '../fake-clock.ts';
import { createFakeClock } from '../fake-clock.ts';
import { actInDashboard } from './dashboard.ts';
import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';
import type { Section } from './scenario-file.ts';
import { formatScenario, parseScenario } from './scenario-file.ts';
import type { ScenarioService } from './scenario-service.ts';
import { startService } from './scenario-service.ts';

// Each file in a folder `scenarios` has files, commands, and the output, requests and exit code of each command. After an
// intended change, RULEWRIGHT_UPDATE_SCENARIOS=1 writes the files anew: review the diff.

/** The second goes with what it is about. */
const FOLDERS = ['scenarios', '../legacy/scenarios'].map((folder) => join(import.meta.dirname, folder));
const UPDATE = process.env['RULEWRIGHT_UPDATE_SCENARIOS'] === '1';

/** A day on which drift reads no zone of a scenario in full, so that it uses the cache. */
const DAY = Date.UTC(2026, 0, 2);

/** Sections about the result of a command that are checked for every command. */
const ALWAYS = ['exit', 'stdout', 'stderr'];

/** All sections about the result of a command. */
const CHECKED = [...ALWAYS, 'requests', 'written'];

interface Stage {
  readonly cwd: string;
  readonly service: ScenarioService;
  readonly env: Record<string, string>;
  readonly clock: FakeClock;
}

/** Replaces the parts of a text that differ from run to run. */
function scrub(text: string, { cwd, service }: Stage): string {
  return text
    .replaceAll(service.baseUrl, '<service>')
    .replaceAll(new URL(service.baseUrl).host, '<host>')
    .replaceAll(cwd, '<project>')
    .replaceAll(/\b20\d\d-\d\d-\d\d(?:T(?:[\d:.]|%3A)+Z|\s+[\d:\u200b]+\s+UTC)\b/g, '<time>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<digest>')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<id>')
    .replaceAll(/ in \d+ ms, \d+ bytes, ray [\w-]+/g, ' in <ms>');
}

async function runCommand(section: Section, stage: Stage): Promise<Ended> {
  const words = section.argument.match(/"[^"]*"|\S+/g) ?? [];
  const argv = words.map((word) => word.replaceAll('"', ''));
  const answer = argv.includes('@yes') ? true : argv.includes('@no') ? false : undefined;
  stage.clock.advance(1000);
  return rulewright(
    argv.filter((word) => !word.startsWith('@')),
    {
      cwd: stage.cwd,
      env: stage.env,
      // `doctor` compares its clock with that of the service, which is the clock of the machine.
      ...(argv[0] === 'doctor' ? {} : { clock: stage.clock }),
      ...(answer === undefined ? {} : { answer }),
    },
  );
}

/** Plays a scenario, and returns its sections with the actual results. */
async function play(sections: readonly Section[], stage: Stage): Promise<readonly Section[]> {
  const played: Section[] = [];
  let ended: Ended | undefined;
  let requests: readonly string[] = [];
  for (const section of sections) {
    const text = (body: string): void => {
      played.push({ ...section, body: scrub(body, stage) });
    };
    switch (section.name) {
      case 'file':
        await mkdir(dirname(join(stage.cwd, section.argument)), { recursive: true });
        await writeFile(join(stage.cwd, section.argument), section.body);
        played.push(section);
        break;
      case 'env':
        Object.assign(stage.env, JSON.parse(section.body));
        played.push(section);
        break;
      case 'edit':
      case 'add':
      case 'remove':
        await actInDashboard(stage.service, section);
        played.push(section);
        break;
      case 'faults':
        await stage.service.fail(section.body);
        played.push(section);
        break;
      case 'switches':
        await stage.service.change(section.body);
        played.push(section);
        break;
      case 'run':
        stage.service.taken();
        ended = await runCommand(section, stage);
        requests = stage.service.taken();
        played.push(section);
        break;
      case 'exit':
        played.push({ ...section, argument: String(ended?.code) });
        break;
      case 'stdout':
        text(ended?.stdout ?? '');
        break;
      case 'stderr':
        text(ended?.stderr ?? '');
        break;
      case 'requests':
        text(requests.map((request) => `${request}\n`).join(''));
        break;
      case 'written':
        text(await readFile(join(stage.cwd, section.argument), 'utf8'));
        break;
      case 'answer':
      case 'newer':
      case 'seed':
        played.push(section);
        break;
      default:
        throw new Error(`unknown section ${section.name}`);
    }
  }
  return played;
}

/** Gives every command the sections exit, stdout and stderr, in this order, even if the file has none yet. */
function complete(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap((section, index): readonly Section[] => {
    if (section.name !== 'run') {
      return ALWAYS.includes(section.name) ? [] : [section];
    }
    const rest = sections.slice(index + 1);
    const next = rest.findIndex(({ name }) => !CHECKED.includes(name));
    const told = rest.slice(0, next === -1 ? rest.length : next);
    return [
      section,
      ...ALWAYS.map((name) => told.find((each) => each.name === name) ?? { name, argument: '', body: '' }),
    ];
  });
}

/** Leaves out the sections stdout and stderr without text, as in the file. */
function withoutEmpty(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ name, body }) => body !== '' || !['stdout', 'stderr'].includes(name));
}

const paths = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => [name, join(folder, name)] as const),
);

describe.concurrent('scenarios', () => {
  it.each(paths)('%s', async (_name, path) => {
    const text = await readFile(path, 'utf8');
    const { title, sections } = parseScenario(text);
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-scenario-')));
    const service = await startService(sections);
    const env = { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token };
    try {
      const played = await play(complete(sections), { cwd, service, env, clock: createFakeClock(DAY) });
      const actual = formatScenario({ title, sections: withoutEmpty(played) });
      if (UPDATE) {
        await writeFile(path, actual);
      }
      expect(actual).toBe(UPDATE ? actual : text);
    } finally {
      await service.close();
      await rm(cwd, { recursive: true, force: true });
    }
  });
});
