import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOG_FILE } from './blog-project.ts';
import { countedService } from './counted-service.ts';
import { rulewright } from './in-process.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-output-')));
  await mkdir(join(cwd, 'zones'));
  await mkdir(join(cwd, 'tests'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await writeFile(join(cwd, 'tests', 'a.test.yaml'), '# a test file\n');
  await writeFile(join(cwd, 'zones', 'a.yaml'), BLOG_FILE);
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

describe('the target of a result', () => {
  it.each([
    ['plan', '--out'],
    ['plan', '--output'],
    ['schema', 'zone', '--output'],
  ])('is refused when it is a named pipe: %s %s', async (...argv) => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const { code, stderr } = await rulewright([...argv, 'pipe'], {
      cwd,
      env: { CLOUDFLARE_BASE_URL: 'http://127.0.0.1:9', CLOUDFLARE_API_TOKEN: 'x' },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('pipe is not a regular file')]);
    expect((await lstat(join(cwd, 'pipe'))).isFIFO()).toBe(true);
  });

  it.each(['zones/a.yaml', 'rulewright.yaml', 'tests/a.test.yaml', 'rulewright.lock', 'link.json'])(
    'is refused when it is a file of the project: %s',
    async (file) => {
      await symlink('zones/a.yaml', join(cwd, 'link.json'));
      await writeFile(join(cwd, 'rulewright.lock'), 'not read by a run that refuses\n');
      const before = await readFile(join(cwd, file), 'utf8');
      const { code, stderr } = await rulewright(['plan', '--emulator', '--out', file], { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is a file of the project`)]);
      expect(await readFile(join(cwd, file), 'utf8')).toBe(before);
    },
  );

  it('is refused when it is a file of the project that --config names', async () => {
    await writeFile(join(cwd, 'other.yaml'), 'version: 1\nfiles: [more/*.yaml]\n');
    await mkdir(join(cwd, 'more'));
    await writeFile(join(cwd, 'more', 'b.yaml'), 'zone: blog.example\n');
    const argv = ['plan', '--emulator', '--config', 'other.yaml', '--output', 'more/b.yaml'];
    const { code, stderr } = await rulewright(argv, { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('more/b.yaml is a file of the project')]);
  });

  it.each([
    ['plan --emulator --out', 'zones/new.yaml'],
    ['plan --emulator --output', 'zones/new.yaml'],
    ['plan --emulator --metrics', 'zones/new.yaml'],
    ['plan --emulator --report', 'json=zones/new.yaml'],
    ['plan --emulator --out', 'packs/deep/new.yaml'],
    ['plan --emulator --out', 'tests/deep/new.test.yaml'],
    ['plan --emulator --out', 'rulewright.lock'],
    ['plan --emulator --out', 'same/new.yaml'],
    ['plan --emulator --out', 'link.json'],
    ['plan --emulator --config other.yaml --out', 'more/new.yaml'],
    ['apply --emulator --yes --allow all --journal', 'zones/new.yaml'],
    ['merge p.json --out', 'zones/new.yaml'],
    ['drift --emulator --output', 'zones/new.yaml'],
    ['schema zone --output', 'zones/new.yaml'],
    ['firewall convert blog.example --emulator --format json --output', 'zones/new.yaml'],
  ])('is refused when the project would read it as one of its files: %s %s', async (words, file) => {
    const project = 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/**/*.yaml]\n';
    await writeFile(join(cwd, 'rulewright.yaml'), project);
    await writeFile(join(cwd, 'other.yaml'), 'version: 1\nfiles: [more/*.yaml]\n');
    await symlink('zones', join(cwd, 'same'));
    await symlink('zones/new.yaml', join(cwd, 'link.json'));
    const before = await readdir(cwd, { recursive: true });
    const { code, stderr } = await rulewright([...words.split(' '), file], { cwd });
    const path = file.replace('json=', '');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${path} would be read as a file of the project`),
    ]);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });

  it.each(['zones/new.json', 'zones/deep/new.yaml', 'zones/.new.yaml', 'tests/new.yaml'])(
    'is accepted when the project does not read it: %s',
    async (file) => {
      await mkdir(join(cwd, 'zones', 'deep'));
      const { code } = await rulewright(['plan', '--emulator', '--out', file], { cwd });
      expect(code).toBe(0);
      expect((await rulewright(['validate'], { cwd })).code).toBe(0);
    },
  );

  it.each([
    ['waf config blog.example --output', 'zones/managed.yaml'],
    ['firewall convert blog.example --order priority --output', 'zones/converted.yaml'],
    ['firewall convert api.example --order priority --out', 'zones/new.yaml'],
  ])('may be a new file of the project for a command that writes zone files: %s %s', async (words, file) => {
    const { stderr } = await rulewright([...words.split(' '), file, '--emulator'], { cwd });
    expect(stderr).not.toContain('would be read');
    expect(await readFile(join(cwd, file), 'utf8')).toContain('zone:');
  });

  it.each([
    ['apply --yes', 'plan.json'],
    ['apply --yes', 'zones/a.yaml'],
    ['rollback blog.example http_request_firewall_custom --to 1 --yes', 'plan.json'],
    ['firewall retire blog.example --allow irreversible --yes', 'plan.json'],
  ])(
    'is refused as the journal when it is another file, before anything is done: %s --journal %s',
    async (words, file) => {
      await rulewright('plan --emulator --out plan.json'.split(' '), { cwd });
      const before = await readFile(join(cwd, file), 'utf8');
      const argv = `${words} --emulator --emulator-state state.json --journal ${file}`.split(' ');
      const { code, stderr } = await rulewright(argv, { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is not a journal`)]);
      expect(await readFile(join(cwd, file), 'utf8')).toBe(before);
      const after = 'plan --emulator --emulator-state state.json --exit-code'.split(' ');
      expect((await rulewright(after, { cwd })).code).toBe(2);
    },
  );

  it('is refused when it is a link to itself', async () => {
    await symlink('loop.json', join(cwd, 'loop.json'));
    const { code, stderr } = await rulewright('plan --emulator --out loop.json'.split(' '), { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error output/not-written\n  loop.json cannot be written: ELOOP'),
    ]);
    expect((await lstat(join(cwd, 'loop.json'))).isSymbolicLink()).toBe(true);
  });

  it('is refused when its folder cannot be made', async () => {
    const { code, stderr } = await rulewright(['schema', 'zone', '--output', '/proc/nope/x'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error output/not-written')]);
  });

  it('is checked by apply before the first write', async () => {
    const { code } = await rulewright(['apply', '--emulator', '--yes', '--output', 'zones/a.yaml'], { cwd });
    expect(code).toBe(1);
    expect((await rulewright(['plan', '--emulator', '--exit-code'], { cwd })).code).toBe(2);
  });
});

describe('a result is written', () => {
  it.each([
    ['plan --emulator', '--out out/new/p.json'],
    ['plan --emulator', '--report html=out/p.html'],
    ['drift --emulator', '--metrics out/d.prom'],
    ['schema zone', '--output out/zone.json'],
  ])('to no folder that does not exist, nor is anything read before: %s %s', async (command, flag) => {
    const before = await readdir(cwd);
    const ended = await rulewright([...command.split(' '), ...flag.split(' ')], { cwd });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringMatching(
        / cannot be written: the folder out\S* does not exist\n {2}hint: make it first: mkdir -p out/u,
      ),
    ]);
    expect(await readdir(cwd)).toEqual(before);
  });

  it('into a `.rulewright` that no run has made yet', async () => {
    const { code } = await rulewright(['schema', 'zone', '--output', '.rulewright/zone.json'], { cwd });
    expect([code, await readdir(join(cwd, '.rulewright'))]).toEqual([0, ['.gitignore', 'zone.json']]);
  });

  it('over a file that is not one of the project', async () => {
    await mkdir(join(cwd, 'a', 'b'), { recursive: true });
    await rulewright(['schema', 'zone', '--output', 'a/b/zone.json'], { cwd });
    await rulewright(['schema', 'plan', '--output', 'a/b/zone.json'], { cwd });
    expect(await readFile(join(cwd, 'a/b/zone.json'), 'utf8')).toBe(
      (await rulewright(['schema', 'plan'], { cwd })).stdout,
    );
  });

  // If this test failed for root, it could replace the device of the machine.
  it.skipIf(process.getuid?.() === 0)('to /dev/null (skipped for root)', async () => {
    const { code } = await rulewright(['schema', 'zone', '--output', '/dev/null'], { cwd });
    expect([code, (await lstat('/dev/null')).isCharacterDevice()]).toEqual([0, true]);
  });
});

describe('text names files as from the folder of the user', () => {
  const broken = BLOG_FILE.replace('action: block', 'actoin: block');

  it.each([
    ['in a folder of the project', 'validate', 'zones', '../zones/a.yaml:'],
    ['outside of the project', 'validate PROJECT', '..', 'PROJECT/zones/a.yaml:'],
    ['at its root', 'validate', '.', 'zones/a.yaml:'],
  ])('%s', async (_where, line, folder, wanted) => {
    await writeFile(join(cwd, 'zones', 'a.yaml'), broken);
    const from = { cwd: join(cwd, folder) };
    const argv = line.replace('PROJECT', basename(cwd)).split(' ');
    const { stderr, stdout } = await rulewright(argv, from);
    expect(
      `${stdout}${stderr}`
        .split('\n')
        .some((row) => row.startsWith(wanted.replace('PROJECT', basename(cwd)))),
    ).toBe(true);
    const json = await rulewright([...argv, '--format', 'json'], from);
    expect(json.stdout).toContain('"zones/a.yaml"');
  });

  it('in a plan, but not in its file', async () => {
    const from = { cwd: join(cwd, 'tests') };
    const { stdout } = await rulewright(['plan', '--emulator', '--report', 'text=plan.txt'], from);
    expect(stdout).toContain('no-xmlrpc  ../zones/a.yaml:');
    expect(await readFile(join(cwd, 'tests', 'plan.txt'), 'utf8')).toContain('no-xmlrpc  zones/a.yaml:');
  });
});

describe('text output outside of a terminal', () => {
  const REF = 'a-rule-with-a-name-that-goes-on-and-on-so-that-no-row-of-a-terminal-could-ever-hold-it';

  beforeEach(async () => {
    const zone = join(cwd, 'zones', 'a.yaml');
    await writeFile(zone, (await readFile(zone, 'utf8')).replace('no-xmlrpc', REF));
  });

  it('has unwrapped lines in a pipe, unless COLUMNS sets a width', async () => {
    const plan = (COLUMNS: string) => rulewright(['plan', '--emulator'], { cwd, env: { COLUMNS } });
    expect((await plan('')).stdout).toContain(`    + ${REF}  zones/a.yaml:5\n`);
    expect((await plan('60')).stdout).not.toContain(REF);
  });

  it('has unwrapped lines in a file, whatever the width of the terminal', async () => {
    const argv = 'plan --emulator --output plan.txt --report text=same.txt'.split(' ');
    await rulewright(argv, { cwd, tty: true, columns: 60, env: { COLUMNS: '', TERM: 'xterm' } });
    const text = await readFile(join(cwd, 'plan.txt'), 'utf8');
    expect(text).toContain(`    + ${REF}  zones/a.yaml:5\n`);
    expect(await readFile(join(cwd, 'same.txt'), 'utf8')).toBe(text);
  });
});

describe('a saved plan', () => {
  it('is recognised by its content, whatever its name', async () => {
    const made = await rulewright(['plan', '--emulator', '--out', 'plan.txt'], { cwd });
    expect(made.stderr).toContain('rulewright apply plan.txt');
    expect((await rulewright(['apply', 'plan.txt', '--emulator', '--yes'], { cwd })).code).toBe(0);
    expect((await rulewright(['plan', '--emulator', '--exit-code'], { cwd })).code).toBe(0);
  });

  it('is not a file of the project, which apply takes as a selection instead', async () => {
    const { code } = await rulewright(['apply', 'zones/a.yaml', '--emulator', '--yes'], { cwd });
    expect(code).toBe(0);
  });

  it('is not a drift report, which apply and plan refuse as a plan', async () => {
    await rulewright('drift --emulator --format json --output drift.json'.split(' '), { cwd });
    for (const command of [
      'apply drift.json --yes',
      'apply --expect drift.json',
      'plan --reverse drift.json',
    ]) {
      const { code, stderr } = await rulewright([...command.split(' '), '--emulator'], { cwd });
      expect([code, stderr]).toEqual([
        1,
        'error plan/invalid\n  drift.json is a drift report, not a plan\n  hint: a plan is what rulewright plan --out saves\n\n1 error.\n',
      ]);
    }
  });

  it('with 3000 nested lists is refused as too deep, and not as a bug', async () => {
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    await writeFile(join(cwd, 'plan.json'), `{"kind":"plan","formatVersion":1,"scopes":${deep}}`);
    const { code, stderr } = await rulewright(['apply', 'plan.json', '--emulator', '--yes'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('plan/too-deep');
    expect(stderr).not.toContain('bug/unexpected');
  });
});

describe('several reports of one run', () => {
  it('are written to their files, and the result to stdout', async () => {
    const argv =
      'plan --emulator --quiet --report html=out/plan.html --report json=plan.json --report github=-.txt';
    await mkdir(join(cwd, 'out'));
    const { code, stdout } = await rulewright(argv.split(' '), { cwd });
    expect([code, stdout.includes('+ no-xmlrpc')]).toEqual([0, true]);
    expect(await readFile(join(cwd, 'out/plan.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'))).toMatchObject({ kind: 'plan' });
    expect(await readFile(join(cwd, '-.txt'), 'utf8')).toContain('Plan: 1 to add');
  });

  it('are in their files before anything is written to stdout, because a lost stdout may end the command', async () => {
    let there = false;
    const onStdout = (): void => {
      there = existsSync(join(cwd, 'plan.json'));
    };
    await rulewright('plan --emulator --quiet --report json=plan.json'.split(' '), { cwd, onStdout });
    expect(there).toBe(true);
  });

  it('are refused in a format that the command does not have', async () => {
    const { code, stderr } = await rulewright(['plan', '--report', 'sarif=plan.sarif'], { cwd });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('the formats are text, markdown, html, json, github'),
    ]);
  });

  it.each([
    ['files that are invalid', 'validation', 'action: block', 'actoin: block'],
    ['a failure', 'error', '', ''],
  ])(
    'report %s as JSON, and delete or replace the files of an earlier run',
    async (_what, kind, from, to) => {
      const zone = join(cwd, 'zones', 'a.yaml');
      await writeFile(zone, (await readFile(zone, 'utf8')).replace(from, to));
      for (const file of ['plan.json', 'plan.html', 'plan.md', 'saved.json', 'drift.json']) {
        await writeFile(join(cwd, file), 'old');
      }
      const argv =
        'plan --out saved.json --report json=plan.json --report html=plan.html --settings-from nothing --format markdown --output plan.md';
      expect((await rulewright(argv.split(' '), { cwd })).code).toBe(1);
      expect(JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'))).toMatchObject({ kind });
      for (const file of ['plan.html', 'plan.md', 'saved.json']) {
        await expect(lstat(join(cwd, file))).rejects.toThrow('ENOENT');
      }
      const drift = await rulewright(
        'drift --format json --output drift.json --changed-since nothing'.split(' '),
        { cwd },
      );
      expect([drift.code, drift.stdout]).toEqual([1, '']);
      expect(JSON.parse(await readFile(join(cwd, 'drift.json'), 'utf8'))).toMatchObject({ kind });
    },
  );

  it('of an earlier run are deleted when this run is interrupted', async () => {
    await writeFile(join(cwd, 'plan.json'), 'old');
    const argv = 'plan --emulator --format json --output plan.json'.split(' ');
    expect((await rulewright(argv, { cwd, signal: AbortSignal.abort() })).code).toBe(130);
    await expect(lstat(join(cwd, 'plan.json'))).rejects.toThrow('ENOENT');
  });
});

describe('the output file of an earlier apply', () => {
  const applyInto = async (file: string): Promise<void> => {
    await writeFile(join(cwd, file), 'old');
    const ended = await rulewright(['apply', '--emulator', '--output', file], { cwd });
    expect(ended.code).toBe(3);
  };

  it('is deleted when this apply is not confirmed', async () => {
    await applyInto('applied.txt');
    await expect(lstat(join(cwd, 'applied.txt'))).rejects.toThrow('ENOENT');
  });

  it('is emptied when a guard refuses this apply', async () => {
    const safety = 'safety: { accounts: [01a7362d577a6c3019a474fd6f485823] }';
    await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [zones/*.yaml]\n${safety}\n`);
    await applyInto('applied.txt');
    expect(await readFile(join(cwd, 'applied.txt'), 'utf8')).toBe('');
  });
});

describe('two files of a run that are the same file', () => {
  it.each([
    ['merge p.json', '--output ./p.json', 'p.json and --output ./p.json'],
    ['apply --expect p.json --target zone:nope', '--output p.json', '--expect p.json and --output p.json'],
    ['apply p.json', '--output p.json', 'p.json and --output p.json'],
    ['apply --expect p.json --yes', '--journal p.json', '--journal p.json and --expect p.json'],
    ['apply --journal p.json --target nope', '--output p.json', '--journal p.json and --output p.json'],
    ['plan --out p.json', '--output link.json', '--out p.json and --output link.json'],
    ['plan --reverse p.json', '--out p.json', '--out p.json and --reverse p.json'],
    ['plan --emulator-state p.json', '--output p.json', '--emulator-state p.json and --output p.json'],
    ['plan --metrics p.json', '--output p.json', '--metrics p.json and --output p.json'],
    ['drift', '--metrics p.json --report json=p.json', '--metrics p.json and --report json=p.json'],
    [
      'plan',
      '--report html=p.json --report markdown=./p.json',
      '--report html=p.json and --report markdown=./p.json',
    ],
    ['github plan-comment p.json', '--artifact p.json', 'p.json and --artifact p.json'],
    ['github plan-comment --findings p.json', '--output p.json', '--findings p.json and --output p.json'],
    ['emulator --seed p.json', '--state p.json', '--state p.json and --seed p.json'],
    ['plan --config rulewright.yaml', '--output rulewright.yaml', '--config rulewright.yaml and --output'],
  ])('are refused: %s %s', async (words, more, told) => {
    await writeFile(join(cwd, 'p.json'), 'what somebody reviewed');
    await symlink('p.json', join(cwd, 'link.json'));
    const { code, stderr } = await rulewright(`${words} ${more}`.split(' '), { cwd });
    expect([code, stderr]).toEqual([64, expect.stringContaining(told)]);
    expect(await readFile(join(cwd, 'p.json'), 'utf8')).toBe('what somebody reviewed');
  });

  it.each([
    ['apply --emulator --yes --report', 'json=.rulewright/journal.jsonl', 'the journal and --report json='],
    [
      'apply --emulator --yes --report',
      'json=.rulewright/journal.jsonl.lock',
      'the lock of the journal and --report',
    ],
    ['plan --emulator --out', '.rulewright/journal.jsonl', 'the journal and --out'],
    ['plan --emulator --metrics', '.rulewright/journal.jsonl', 'the journal and --metrics'],
    ['plan --emulator --out', '.rulewright/emulator.json', 'the state of the emulator and --out'],
    [
      'plan --emulator --out',
      '.rulewright/emulator.json.lock',
      'the lock of the state of the emulator and --out',
    ],
    ['plan --emulator --out', '.rulewright/retired.jsonl', 'the journal of deletions and --out'],
    [
      'apply --emulator --yes --journal',
      '.rulewright/emulator.json',
      'the state of the emulator and --journal',
    ],
    ['apply --emulator --yes --journal j --output', 'j.lock', 'the lock of --journal j and --output j.lock'],
    ['schema zone --output', '.rulewright/journal.jsonl', 'the journal and --output'],
    ['validate more --output', 'more/.rulewright/journal.jsonl', 'the journal and --output'],
    [
      'plan --emulator --config more/rulewright.yaml --out',
      'more/.rulewright/journal.jsonl',
      'the journal and',
    ],
  ])(
    'are refused when one of them is a file that the run uses by default: %s %s',
    async (words, file, told) => {
      const folders = [cwd, join(cwd, 'more')];
      for (const folder of folders) {
        await mkdir(join(folder, '.rulewright'), { recursive: true });
        await writeFile(join(folder, '.rulewright', 'journal.jsonl'), '');
      }
      await writeFile(join(cwd, 'more', 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
      const { code, stderr } = await rulewright([...words.split(' '), file], { cwd });
      expect([code, stderr]).toEqual([64, expect.stringContaining(told)]);
      expect(stderr).toMatch(/are\s+the\s+same\s+file/u);
      for (const folder of folders) {
        expect(await readdir(join(folder, '.rulewright'))).toEqual(['journal.jsonl']);
        expect(await readFile(join(folder, '.rulewright', 'journal.jsonl'), 'utf8')).toBe('');
      }
    },
  );

  it('are not reported when a flag names a default file for its own purpose, or merge writes one', async () => {
    const named = '--journal .rulewright/journal.jsonl --emulator-state .rulewright/emulator.json';
    const { code } = await rulewright(`apply --yes --allow all ${named}`.split(' '), { cwd });
    expect(code).toBe(0);
    const merged = 'merge .rulewright/journal.jsonl --out .rulewright/retired.jsonl'.split(' ');
    expect((await rulewright(merged, { cwd })).stderr).not.toContain('same file');
  });

  it('are refused when neither exists yet, in a folder with two names', async () => {
    await mkdir(join(cwd, 'out'));
    await symlink('out', join(cwd, 'same'));
    const argv = 'plan --emulator --out out/new/p.json --metrics same/new/p.json'.split(' ');
    expect((await rulewright(argv, { cwd })).code).toBe(64);
    expect(await readdir(join(cwd, 'out'))).toEqual([]);
  });

  it.each([
    ['by a link to what is not there yet', '../out/p.json', 'out/p.json'],
    ['by a link to a link', 'between.json', 'p.json'],
  ])('are refused when one is reached %s', async (_how, target, other) => {
    await mkdir(join(cwd, 'links'));
    await symlink(target, join(cwd, 'links', 'link.json'));
    await symlink('../p.json', join(cwd, 'links', 'between.json'));
    const argv = `plan --emulator --out ${other} --output links/link.json`.split(' ');
    const { code, stderr } = await rulewright(argv, { cwd });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining(`--out ${other} and --output links/link.json`),
    ]);
    await expect(lstat(join(cwd, other))).rejects.toThrow('ENOENT');
  });

  it('are refused with a JSON error on stdout, also beside another usage error', async () => {
    await writeFile(join(cwd, 'p.json'), 'what somebody reviewed');
    for (const wrong of [[], ['--targt', 'x']]) {
      const argv = 'apply --expect p.json --format json --output ./p.json'.split(' ');
      const { code, stdout } = await rulewright([...argv, ...wrong], { cwd });
      expect([code, JSON.parse(stdout)]).toMatchObject([64, { kind: 'error' }]);
      expect(await readFile(join(cwd, 'p.json'), 'utf8')).toBe('what somebody reviewed');
    }
  });

  it('are accepted when both are only read, or nothing is kept of them', async () => {
    await rulewright(['plan', '--emulator', '--out', 'p.json'], { cwd });
    const same = 'apply p.json --expect p.json --emulator --yes'.split(' ');
    expect((await rulewright(same, { cwd })).stderr).not.toContain('same file');
    const gone = 'plan --emulator --output /dev/stdout --report json=/dev/null --metrics /dev/null'.split(
      ' ',
    );
    expect((await rulewright(gone, { cwd })).code).toBe(0);
    const named = 'schema zone --output zone'.split(' ');
    expect((await rulewright(named, { cwd })).code).toBe(0);
  });
});

it('import refuses to write outside of the project, through a folder that is a link', async () => {
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-elsewhere-')));
  try {
    await rm(join(cwd, 'zones'), { recursive: true });
    await symlink(elsewhere, join(cwd, 'zones'));
    const before = await readdir(cwd);
    const words = ['import', '--account', 'Example Shop', '--zone', 'shop.example', '--emulator'];
    const { code, stderr } = await rulewright(words, { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('outside the project folder')]);
    expect(await readdir(elsewhere)).toEqual([]);
    // Neither the file of the account nor its folder was written.
    expect((await readdir(cwd)).filter((name) => name !== '.rulewright')).toEqual(before);
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

describe('ratelimits convert adds nothing', () => {
  const CONVERT = ['ratelimits', 'convert', 'blog.example', '--fit-plan', '--emulator', '--out'];

  it('to a pipe or a folder', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    for (const out of ['pipe', 'tests']) {
      const { code, stderr } = await rulewright([...CONVERT, out], { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${out} exists, and cannot be read`)]);
    }
  });

  it('to a file that is not UTF-8, whose characters it would lose', async () => {
    const before = Buffer.from('zone: blog.example\n# caf\u00e9\n', 'latin1');
    await writeFile(join(cwd, 'zones', 'latin.yaml'), before);
    const { code, stderr } = await rulewright([...CONVERT, 'zones/latin.yaml'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('the file is not UTF-8 text')]);
    expect(await readFile(join(cwd, 'zones', 'latin.yaml'))).toEqual(before);
  });

  it('to a file behind a link that leads out of the folder', async () => {
    await mkdir(join(cwd, 'elsewhere'));
    await writeFile(join(cwd, 'elsewhere', 'b.yaml'), 'zone: blog.example\n');
    await symlink('../elsewhere/b.yaml', join(cwd, 'zones', 'b.yaml'));
    const { code } = await rulewright([...CONVERT, 'zones/b.yaml'], { cwd });
    expect(code).toBe(1);
    expect(await readFile(join(cwd, 'elsewhere', 'b.yaml'), 'utf8')).toBe('zone: blog.example\n');
  });
});

it('ratelimits convert keeps the byte order mark of a file', async () => {
  await writeFile(join(cwd, 'zones', 'a.yaml'), '\u{feff}zone: blog.example\n');
  const argv = ['ratelimits', 'convert', 'blog.example', '--fit-plan', '--emulator', '--out', 'zones/a.yaml'];
  expect((await rulewright(argv, { cwd })).code).toBe(0);
  expect(await readFile(join(cwd, 'zones', 'a.yaml'), 'utf8')).toMatch(
    /^\u{feff}zone: blog\.example\nentrypoints:/u,
  );
});

it.each([
  ['waf status'],
  ['waf check'],
  ['catalog'],
  ['doctor'],
  ['versions zone:shop.example http_ratelimit'],
  ['explain https://shop.example/ --live'],
])('%s sends no request to the service when its result could not be written', async (line) => {
  const { root, emulator, env } = await countedService();
  const { code, stderr } = await rulewright([...line.split(' '), '--output', '.'], { cwd: root, env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('. is not a regular file')]);
  expect(await (await fetch(`${emulator.controlUrl}/requests`)).json()).toEqual([]);
});
