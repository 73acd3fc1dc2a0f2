import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rulewright } from './in-process.ts';

describe('wrong usage', () => {
  it.each([
    [['pln'], 'there is no command pln; did you mean plan?'],
    [['plan', '--targt', 'x'], 'there is no flag --targt; did you mean --target?'],
    [['help', 'pln'], 'there is no command pln; did you mean plan?'],
    [['plan', '--zzzzzzzz', 'x'], 'there is no flag --zzzzzzzz\n'],
    [
      ['rollback', 'shop.example', 'http_ratelimit'],
      'rulewright versions zone:shop.example http_ratelimit lists them',
    ],
    [['plan', '-x'], 'there is no flag -x; -h is the only short one'],
    [['plan', '-q'], 'there is no flag -q; did you mean --quiet?'],
    [
      ['waf', 'check', 'shop.example', '--remove-overrides', '--yes'],
      'there is no flag --remove-overrides; it is a command: rulewright waf remove-overrides ZONE\n',
    ],
    [
      ['versions', 'shop.example', 'http_ratelimit', '--format', 'xml'],
      '--format "xml": expected one of text, markdown, html, json',
    ],
    [['plan', '--target'], '--target needs a value'],
    [['plan', '--config', 'a', '--config', 'b'], '--config is given twice: "a" and "b"'],
    [['apply', '--yes', '--yes'], '--yes is given twice\n'],
    [
      ['gitlab', 'plan-comment'],
      'there is no command plan-comment; it is rulewright github plan-comment, and rulewright gitlab plan-note\n',
    ],
    [['github', 'plan-note'], 'it is rulewright github plan-comment, and rulewright gitlab plan-note\n'],
    [['plan', '--concurrency', '0'], '--concurrency "0": expected a whole number from 1 to 64'],
    [['plan', '--concurrency', '1e1'], '--concurrency "1e1": expected a whole number from 1 to 64'],
    [['plan', '--base-url', 'ftp://x'], '--base-url "ftp://x": expected a URL'],
    [['plan', '--base-url', 'https://me:secret@x'], 'expected a URL without user name and password'],
    [['plan', '--out', ''], '--out "": it is empty'],
    [['plan', '--changed-since='], '--changed-since "": it is empty'],
    [['plan', '--format='], '--format "": expected one of text, markdown, html, json'],
    [
      ['plan', '--metrics', '-'],
      '--metrics "-": it does not stand for a stream here; a file of this name is ./-',
    ],
    [['plan', '--report', 'json=-'], '--report "json=-": it does not stand for a stream'],
    [
      ['waf', 'finish', 'shop.example', '--yes'],
      'there is no flag --yes; waf finish takes --confirm ZONE instead',
    ],
    [
      ['versions', '--target', 'shop.example'],
      'there is no flag --target; this command takes what it is about as an argument',
    ],
    [
      ['versions', 'shop.example'],
      'RULESET is missing: a phase such as http_ratelimit, PHASE/custom:NAME, or an id',
    ],
    [['apply', '--confirm'], 'there is no flag --confirm; --yes answers where a command asks'],
    [['apply', '--allow', 'everything'], '--allow "everything": expected one of deleted, changed,'],
    [['emulator', '--port', '65536'], '--port "65536": expected a whole number from 0 to 65535'],
    [
      ['emulator', '--switch', 'parameters=some'],
      '--switch "parameters=some": parameters must be one of known, any',
    ],
    [['emulator', '--switch', 'colour=red'], '--switch "colour=red": no switch is called colour; there are'],
    [['emulator', '--switch', 'parameters'], 'expected a switch and its value, such as parameters=any'],
    // As Terraform spells flags and commands.
    [['plan', '-out=x'], 'there is no flag -out; flags have two dashes: --out=x\n'],
    [['plan', '-out', 'x'], 'there is no flag -out; flags have two dashes: --out\n'],
    [['apply', '-auto-approve'], 'there is no flag -auto-approve; did you mean --yes?'],
    [['apply', '--auto-approve'], 'there is no flag --auto-approve; did you mean --yes?'],
    [['init', '-upgrade'], 'there is no flag -upgrade\n'],
    [['import', '-to=x'], 'there is no flag -to\n'],
    [
      ['drift', '-detailed-exitcode'],
      'there is no flag -detailed-exitcode: plan has --exit-code, and drift always',
    ],
    [['plan', '-target', 'x'], 'there is no flag -target; flags have two dashes: --target\n'],
    [['plan', '-refresh-only'], 'did you mean rulewright drift?'],
    [['state', 'list'], 'there is no command state: there is no state file'],
    [
      ['import', 'main.tf'],
      'ZONE "main.tf": it names no zone: rulewright import --zone NAME reads what is live',
    ],
    [['import', 'cloudflare_ruleset.waf', '1/2'], 'it names no zone'],
    [['lint'], 'there is no command lint; did you mean validate?'],
    [['completion'], 'SHELL is missing'],
    [['completion', 'tcsh'], 'SHELL "tcsh": expected one of bash, zsh, fish, powershell'],
    [['schema', 'a', 'b'], 'unexpected argument "b"'],
    [['schema', 'zon'], 'there is no schema zon'],
  ])('exits with 64, a message and a hint: %j', async (argv, message) => {
    const { code, stdout, stderr } = await rulewright(argv);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain('error usage/invalid\n');
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/ {2}see rulewright .*--help\n$/);
  });

  it.each([
    'https://user:hunter2secret@h',
    'https://user:hunter2secret@h:99999',
    'https://user:hunter2?secret@h',
    'https://h/?token=hunter2secret',
    'https://h/?token=a@hunter2secret',
    'https://h/#hunter2secret',
    'user:hunter2secret@h',
  ])('shows no secret of the base URL %s', async (url) => {
    for (const argv of [
      ['plan', '--base-url', url],
      ['plan', `--base-url=${url}`],
      ['plan', '--base-url', 'https://h', '--base-url', url],
    ]) {
      const { code, stderr } = await rulewright(argv);
      expect(code).toBe(64);
      expect(stderr).toContain('--base-url');
      expect(stderr).not.toMatch(/hunter2|secret/);
    }
  });

  it.each([
    ['plan --format json --targt x', 'there is no flag --targt; did you mean --target?', 'plan --help'],
    ['plan --targt=x --format=json', 'there is no flag --targt; did you mean --target?', 'plan --help'],
    ['github drift-issue --format json', 'FILE is missing', 'github drift-issue --help'],
    ['pln --format json', 'there is no command pln; did you mean plan?', '--help'],
    [
      'plan --concurrency 0 --budget 7 --format json',
      '--concurrency "0": expected a whole number from 1 to 64; --budget "7": expected a number from 0.01 to 1, such as 0.5 for half of the limit',
      'plan --help',
    ],
  ])('is reported as JSON with --format json: %s', async (line, message, help) => {
    const { code, stdout } = await rulewright(line.split(' '));
    expect(code).toBe(64);
    expect(JSON.parse(stdout)).toEqual({
      kind: 'error',
      formatVersion: 1,
      error: { code: 'usage/invalid', message, hint: `see rulewright ${help}` },
    });
  });

  it('replaces the output file of an earlier run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-usage-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'result.json');
    await writeFile(file, '{ "kind": "plan" }\n');
    const { code, stdout } = await rulewright(
      ['plan', '--format', 'json', '--output', 'result.json', '--targt', 'x'],
      { cwd: folder },
    );
    expect([code, stdout]).toEqual([64, '']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ error: { code: 'usage/invalid' } });
  });

  it.each(['plan --targt x', 'plan --format text --targt x', 'plan --targt x -- --format json'])(
    'prints nothing to stdout without --format json: %s',
    async (line) => {
      expect(await rulewright(line.split(' '))).toMatchObject({ code: 64, stdout: '' });
    },
  );

  it('of apply with a missing --expect plan is found before any request to the service', async () => {
    const shop = join(import.meta.dirname, '..', '..', 'examples', 'shop');
    const nobody = ['--base-url', 'http://127.0.0.1:9', '--config', join(shop, 'rulewright.yaml')];
    const { code, stderr } = await rulewright(['apply', '--yes', '--expect', 'nope.json', ...nobody]);
    expect(code).toBe(1);
    expect(stderr).toContain('the plan file nope.json does not exist');
  });

  it('shows control characters of the arguments in escaped form', async () => {
    const { stderr } = await rulewright(['\u001b[31mplan']);
    expect(stderr).toContain(String.raw`there is no command \u{1b}[31mplan`);
  });
});

describe('completion', () => {
  const complete = async (...words: string[]): Promise<readonly string[]> =>
    (await rulewright(['__complete', ...words])).stdout.split('\n').slice(0, -1);

  it('proposes commands, flags after a dash, and values', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['plan', 'apply', 'drift']));
    expect(await complete('pl')).toEqual(['plan']);
    expect(await complete('plan', '--conf')).toEqual(['--config']);
    expect(await complete('versions', '--format', '')).toEqual(['text', 'markdown', 'html', 'json']);
    expect(await complete('completion', '""')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
  });

  it('proposes the scopes of the files, and the names of schemas', async () => {
    const shop = join(import.meta.dirname, '..', '..', 'examples', 'shop');
    const inShop = async (...words: string[]): Promise<string> =>
      (await rulewright(['__complete', ...words], { cwd: shop })).stdout;
    expect(await inShop('plan', '--target', '')).toContain('shop.example\n');
    expect(await inShop('drift', '--target', 'shop')).toBe('shop.example\n');
    expect(await inShop('plan', '--target', 'zone:shop')).toBe('zone:shop.example\n');
    expect(await inShop('firewall', 'convert', 's')).toBe('shop.example\n');
    expect(await inShop('waf', 'status', 'shop.example', 'b')).toBe('blog.example\n');
    expect(await inShop('versions', 'Ex')).toBe('');
    expect(await inShop('plan', '--target', 'Ex')).not.toBe('');
    expect(await complete('schema', 'zo')).toEqual(['zone']);
  });

  it('proposes the rulesets of the files behind a scope', async () => {
    const shop = join(import.meta.dirname, '..', '..', 'examples', 'shop');
    const { stdout } = await rulewright(['__complete', 'versions', 'shop.example', 'http_request_f'], {
      cwd: shop,
    });
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'http_request_firewall_custom',
      'http_request_firewall_custom/custom:known-bad-clients',
      'http_request_firewall_custom/custom:login-protection',
      'http_request_firewall_managed',
    ]);
    expect(await complete('rollback', 'shop.example', '')).toEqual([]);
  });

  it('proposes no scopes without a valid project', async () => {
    expect(await complete('plan', '--target', '')).toEqual([]);
  });

  it('leaves paths to the shell', async () => {
    expect(await complete('validate', '')).toEqual([]);
    expect(await complete('plan', '--config', '')).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    'has a script for %s that asks __complete',
    async (shell) => {
      const { code, stdout } = await rulewright(['completion', shell]);
      expect(code).toBe(0);
      expect(stdout).toContain('rulewright __complete');
    },
  );
});
