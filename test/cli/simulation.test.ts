import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/start/input-lines.ts';
import { runCli } from '../../src/start/run-cli.ts';
import { into, rulewright, unattended } from './in-process.ts';

const SHOP = 'examples/shop';

describe('the example project', () => {
  it('passes its own tests, and names the managed ruleset that is not simulated', async () => {
    const { code, stdout, stderr } = await rulewright(['test'], { cwd: SHOP });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^(\d+) tests: \1 passed, 0 failed\.$/m);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain('Cloudflare Managed Ruleset');
  });

  it('has no finding of validate', async () => {
    const { code, stdout } = await rulewright(['validate'], { cwd: SHOP });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Valid: .*\nNot reported, since `lint` switches it off: lint\/missing-ref.\n$/),
    ]);
  });

  it('names the schema in each of its test files', async () => {
    const { stdout } = await rulewright(['test', '--format', 'json'], { cwd: SHOP });
    const { tests } = JSON.parse(stdout) as { tests: { file: string }[] };
    for (const file of new Set(tests.map((test) => test.file))) {
      const text = await readFile(join(SHOP, file), 'utf8');
      expect(text).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/schemas\/test\.schema\.json\n/,
      );
    }
  });
});

describe('explain', () => {
  it('prints one JSON document with the clauses of the rule', async () => {
    const { code, stdout } = await rulewright(
      ['explain', 'https://shop.example/admin', '--list', 'x=64496,64497', '--format', 'json'],
      { cwd: SHOP },
    );
    const { kind, zone, way } = JSON.parse(stdout) as {
      kind: string;
      zone: string;
      way: { end: { rule: string }; verdicts: { rule: string; clause: { kind: string } | null }[] };
    };
    expect([code, kind, zone, way.end.rule]).toEqual([0, 'explanation', 'shop.example', 'block-admin']);
    expect(way.verdicts.find(({ rule }) => rule === 'block-admin')?.clause?.kind).toBe('and');
  });

  it('names the flag --ip for an assumed source address', async () => {
    const { stdout } = await rulewright(['explain', 'https://shop.example/admin'], { cwd: SHOP });
    expect(stdout).toMatch(/can be given: .*\bip\.src with\s+--ip\b/u);
  });

  it.each([
    ['ip.src', 'use --ip ADDRESS'],
    ['http.host', 'say it in the URL, or use --header host:NAME'],
    ['http.request.uri.path', 'say it in the URL'],
    ['http.request.method', 'use --method METHOD'],
    ['http.user_agent', 'use --header NAME:VALUE'],
    ['http.request.body.raw', 'use --body TEXT'],
    ['cf.zone.name', 'use --zone NAME'],
    ['cf.zone.plan', 'use --plan LEVEL'],
    ['http.response.code', 'use --status CODE'],
    ['http.response.headers', 'use --response-header NAME:VALUE'],
  ])('refuses --field for %s, and names the flag to use', async (name, hint) => {
    const { code, stderr } = await rulewright(['explain', 'https://shop.example/', '--field', `${name}=1`], {
      cwd: SHOP,
    });
    expect([code, stderr]).toEqual([64, expect.stringContaining(`hint: ${hint}\n`)]);
  });

  it('names the flag --list for lists that it assumes to be empty', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-explain-')));
    const rule = '{ ref: a, action: block, expression: "not ip.src in $office and ip.src in $cf.vpn" }';
    try {
      await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [a.yaml]\n');
      await writeFile(
        join(folder, 'a.yaml'),
        `zone: a.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - ${rule}\n`,
      );
      const url = ['explain', 'https://a.example/', '--ip', '192.0.2.1'];
      const without = await rulewright(url, { cwd: folder });
      expect(without.stdout).toMatch(/can be given: \$office, \$cf\.vpn with\s+--list\./u);
      const lists = ['--list', 'office=192.0.2.9', '--list', 'cf.vpn=192.0.2.9'];
      expect((await rulewright([...url, ...lists], { cwd: folder })).stdout).not.toContain('can be given');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('calls a rule whose ref is an id by its description', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-explain-')));
    const ref = '3e830f31e82e8e9e561242ce1a33c3ee';
    const rule = `{ ref: ${ref}, description: No robots, action: block, expression: ssl }`;
    try {
      await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [a.yaml]\n');
      await writeFile(
        join(folder, 'a.yaml'),
        `zone: a.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - ${rule}\n`,
      );
      const { stdout } = await rulewright(['explain', 'https://a.example/'], { cwd: folder });
      expect(stdout).toContain('✓ No robots  block, ends here');
      expect(stdout).not.toContain(ref);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('shows the phases of the response when a response is given', async () => {
    const { stdout } = await rulewright(
      ['explain', '--zone', 'shop.example', '/', '--status', '404', '--response-header', 'Server: nginx'],
      { cwd: SHOP },
    );
    expect(stdout).toContain('✓ security-headers  rewrite');
    expect(stdout).toContain('answer  404');
    expect(stdout).not.toContain('nginx');
  });

  it.each(['constructor', '__proto__'])('takes a request header named %s', async (name) => {
    const { code, stdout } = await rulewright(
      ['explain', 'https://shop.example/', '--header', `${name}: a`, '--header', `${name}: b`],
      { cwd: SHOP },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('shop.example');
  });
});

describe('help', () => {
  it.each(['test', 'explain', 'expression', 'expression parse', 'expression eval'])(
    'of %s fits 80 columns and has examples',
    async (words) => {
      const { code, stdout } = await rulewright([...words.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout.startsWith(`rulewright ${words}`)).toBe(true);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(stdout).toMatch(/EXAMPLES\n {2}.*rulewright/);
    },
  );
});

describe('expression', () => {
  it('parse reads no more lines than its answers are read', async () => {
    let read = 0;
    async function* lines(): AsyncIterable<string> {
      for (; read < 100; read += 1) {
        yield await Promise.resolve('{"expr": "ssl"}');
      }
    }
    let answers = 0;
    await new Promise<void>((stuck) => {
      const stdout = {
        ...into(() => undefined),
        writeAll: () => {
          answers += 1;
          if (answers < 5) {
            return Promise.resolve();
          }
          // The fifth answer is never read. A command that reads on anyway has time to do so.
          setImmediate(stuck);
          return new Promise<void>(() => undefined);
        },
      };
      const context = unattended({ stdout, stderr: into(() => undefined), cwd: '/nowhere', lines });
      void runCli(['expression', 'parse'], context);
    });
    expect([read, answers]).toEqual([4, 5]);
  });

  const answers = async (command: string, input: string): Promise<readonly unknown[]> => {
    const { code, stdout, stderr } = await rulewright(['expression', command], { input });
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  };

  it('parse answers each line in order, also lines that are not valid requests', async () => {
    const input =
      '{"expr": "ssl  and (ssl)"}\n\nnonsense\n{"expr": "ssl and"}\r\n{"expr": "a eq 5", "scheme": {"a": "Int"}}';
    expect(await answers('parse', input)).toEqual([
      { ok: true, printed: 'ssl and ssl' },
      { error: expect.objectContaining({ kind: 'InvalidRequest' }) },
      { error: expect.objectContaining({ kind: 'InvalidRequest' }) },
      { error: expect.objectContaining({ kind: 'ExpectedName', line: 1, column: 8 }) },
      { ok: true, printed: 'a eq 5' },
    ]);
  });

  it('eval answers with the result, and with null for a missing value', async () => {
    const input = [
      { expr: 'ssl', values: { ssl: true } },
      { expr: 'http.request.headers["x"][0]', mode: 'value', values: {} },
      {
        expr: 'ip.src in $office',
        values: { 'ip.src': '192.0.2.1' },
        lists: { Ip: { office: ['192.0.2.0/24'] } },
      },
    ];
    expect(await answers('eval', `${input.map((line) => JSON.stringify(line)).join('\n')}\n`)).toEqual([
      { result: true },
      { result: null },
      { result: true },
    ]);
  });

  it('parse without input prints nothing', async () => {
    expect(await answers('parse', '')).toEqual([]);
  });

  it('suggests a subcommand for a mistyped one', async () => {
    const { code, stderr } = await rulewright(['expression', 'pars']);
    expect(code).toBe(64);
    expect(stderr).toContain('did you mean parse?');
  });
});

describe('linesOf', () => {
  const read = async (...chunks: readonly (string | readonly number[])[]): Promise<readonly string[]> => {
    const lines: string[] = [];
    const bytes = chunks.map((chunk) =>
      typeof chunk === 'string' ? new TextEncoder().encode(chunk) : Uint8Array.from(chunk),
    );
    for await (const line of linesOf(bytes)) {
      lines.push(line);
    }
    return lines;
  };

  it('joins chunks that are cut anywhere, also inside a character', async () => {
    expect(await read('a', 'b\nc', '\n', [0xc3], [0xa4, 0x0a], 'd')).toEqual(['ab', 'c', 'ä', 'd']);
  });

  it('ends lines at LF only', async () => {
    expect(await read('a\u2028b\u0085c\rd\n\n')).toEqual(['a\u2028b\u0085c\rd', '']);
  });
});
