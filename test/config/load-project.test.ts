import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../src/config/load-project.ts';
import { readAtMost, readSource } from '../../src/config/project/read-source.ts';
import { YAML_LIMITS } from '../../src/config/yaml/read-value.ts';
import { causeText } from '../../src/model/source.ts';
import type { Files } from './project-folder.ts';
import { brief, inFolder, loadFiles, loadValid, PROJECT } from './project-folder.ts';

const RULE = '{ref: a, action: block, expression: ssl}';
const ENTRY = (phase: string, rules = RULE): string => `  ${phase}:\n    rules:\n      - ${rules}\n`;
const ZONE_A = `zone: a.example\nentrypoints:\n${ENTRY('http_request_firewall_custom')}`;
const ZONE_B = `zone: b.example\nentrypoints:\n${ENTRY('http_request_firewall_custom')}`;
const BROKEN = 'zone: broken.example\nrules: []\n';

test('zone names are compared without case, so that two files cannot declare the same phase of a zone', async () => {
  const files = { 'zones/a.yaml': ZONE_A, 'zones/b.yaml': ZONE_A.replace('a.example', 'A.Example') };
  const { diagnostics } = await loadFiles(files);
  expect(diagnostics.map(({ code }) => code)).toEqual(['config/duplicate-entrypoint']);
  const project = await loadValid({ 'zones/b.yaml': files['zones/b.yaml'] });
  expect(project.scopes).toMatchObject([{ scope: { kind: 'zone', name: 'a.example' } }]);
});

describe('a valid project', () => {
  test('gives the desired state of the files, with entry points in the order in which they run', async () => {
    const project = await loadValid({
      'zones/a.yaml': `zone: a.example
token_env: A_TOKEN
ownership: {rulesets: all}
entrypoints:
  http_request_cache_settings:
    rules: []
  http_request_firewall_custom:
    description: Ours
    place: first
    ownership: {rules: ["a*"]}
    rules:
      - ref: a
        id: 5de7edfa648c4d6891dc3e7f84534ffa
        adopt: true
        description: Runs it
        expression: "true"
        enabled: false
        action: execute
        action_parameters: {id: custom:login-protection}
        extra_parameters: {novelty: [1]}
rulesets:
  - {name: Login protection, phase: http_request_firewall_custom, rules: []}
  - {name: Old, phase: http_request_firewall_custom, absent: true}
`,
    });
    expect(project.scopes).toEqual([
      {
        scope: { kind: 'zone', name: 'a.example' },
        tokenEnv: 'A_TOKEN',
        tokenCause: { file: 'zones/a.yaml', line: 2, column: 12 },
        rulesetOwnership: 'all',
        files: ['zones/a.yaml'],
        cause: { file: 'zones/a.yaml', line: 1, column: 7 },
        rulesets: [
          {
            address: { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login protection' },
            presence: 'present',
            rules: [],
            ownership: { kind: 'all' },
            place: 'any',
            cause: { file: 'zones/a.yaml', line: 22, column: 12 },
          },
          {
            address: { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Old' },
            presence: 'absent',
            rules: [],
            ownership: { kind: 'all' },
            place: 'any',
            cause: { file: 'zones/a.yaml', line: 23, column: 12 },
          },
          {
            address: { kind: 'entrypoint', phase: 'http_request_firewall_custom' },
            presence: 'present',
            description: 'Ours',
            ownership: { kind: 'patterns', patterns: ['a*'] },
            place: 'first',
            cause: { file: 'zones/a.yaml', line: 7, column: 3 },
            rules: [
              {
                ref: 'a',
                id: '5de7edfa648c4d6891dc3e7f84534ffa',
                adopt: true,
                content: {
                  action: 'execute',
                  expression: 'true',
                  description: 'Runs it',
                  enabled: false,
                  action_parameters: { id: 'custom:login-protection', novelty: [1] },
                },
                rulesets: [
                  {
                    reference: 'custom:login-protection',
                    where: {
                      file: 'zones/a.yaml',
                      start: { line: 19, column: 33 },
                      end: { line: 19, column: 56 },
                    },
                  },
                ],
                cause: { file: 'zones/a.yaml', line: 12, column: 9 },
              },
            ],
          },
          {
            address: { kind: 'entrypoint', phase: 'http_request_cache_settings' },
            presence: 'present',
            rules: [],
            ownership: { kind: 'all' },
            place: 'any',
            cause: { file: 'zones/a.yaml', line: 5, column: 3 },
          },
        ],
      },
    ]);
  });

  test('has the settings of its project file, and defaults for the others', async () => {
    const settings = async (text: string) =>
      (await loadValid({ 'rulewright.yaml': `${PROJECT}${text}`, 'zones/a.yaml': ZONE_A })).settings;
    expect(await settings('')).toEqual({
      ownership: { rules: { kind: 'all' }, rulesets: 'declared' },
      safety: {
        maxDeleted: { kind: 'percent', percent: 30 },
        maxChanged: { kind: 'percent', percent: 50 },
        minRules: 10,
        protect: [],
        weakened: 'warn',
        everyRequest: 'warn',
        unprotected: 'warn',
        allow: [],
      },
      ignore: [],
      labelLevels: [],
      trafficExamples: false,
      timeZone: 'UTC',
      ending: { within: 14, required: [] },
    });
    expect(
      await settings(`ownership: {rules: all, rulesets: all}
traffic_examples: true
safety:
  max_newly_blocked: 0.1%
  max_newly_blocked_by_rule: {'*': 5}
  max_deleted: 12.5%
  max_changed: 7
  min_rules: 0
  protect: [allow-*]
  require_until: [skip]
  ends_within: 3
  weakened: refuse
  every_request: refuse
  allow: [{kind: deleted, rule: old-*, reason: Moved away, until: 2030-02-28}]
`),
    ).toEqual({
      ownership: { rules: { kind: 'all' }, rulesets: 'all' },
      safety: {
        maxDeleted: { kind: 'percent', percent: 12.5 },
        maxChanged: { kind: 'count', count: 7 },
        minRules: 0,
        protect: ['allow-*'],
        weakened: 'refuse',
        everyRequest: 'refuse',
        unprotected: 'warn',
        traffic: {
          maxNewlyBlocked: { kind: 'percent', percent: 0.1 },
          maxNewlyBlockedByRule: [{ rule: '*', most: { kind: 'count', count: 5 } }],
          minRecords: 1000,
          maxUnknown: { kind: 'percent', percent: 5 },
        },
        allow: [{ kind: 'deleted', rule: 'old-*', reason: 'Moved away', until: '2030-02-28' }],
      },
      ignore: [],
      labelLevels: [],
      trafficExamples: true,
      timeZone: 'UTC',
      ending: { within: 3, required: ['skip'] },
    });
  });

  test('takes the ownership of a ruleset from the ruleset, else from its scope, else from the project', async () => {
    const project = await loadValid({
      'rulewright.yaml': `${PROJECT}ownership: {rules: ["p-*"]}\n`,
      'zones/a.yaml': `zone: a\nentrypoints:\n${ENTRY('http_request_firewall_custom', '{ref: p-1, action: block, expression: ssl}')}`,
      'zones/b.yaml': `zone: b\nownership: {rules: ["s-*"]}\nentrypoints:\n${ENTRY('http_request_firewall_custom', '{ref: s-1, action: block, expression: ssl}')}  http_request_cache_settings: {ownership: {rules: all}, rules: []}\n`,
    });
    expect(project.scopes.map(({ rulesets }) => rulesets.map(({ ownership }) => ownership))).toEqual([
      [{ kind: 'patterns', patterns: ['p-*'] }],
      [{ kind: 'patterns', patterns: ['s-*'] }, { kind: 'all' }],
    ]);
  });

  test('merges the files of one scope', async () => {
    const project = await loadValid({
      'zones/a.yaml': ZONE_A,
      'zones/a-cache.yaml': 'zone: a.example\nentrypoints:\n  http_request_cache_settings: {rules: []}\n',
      'accounts/b.yaml': 'account: a.example\nentrypoints: {}\n',
    });
    expect(project.scopes.map(({ scope, rulesets }) => [scope.kind, rulesets.length])).toEqual([
      ['account', 0],
      ['zone', 2],
    ]);
    expect(project.files).toEqual(['accounts/b.yaml', 'zones/a-cache.yaml', 'zones/a.yaml']);
  });

  test('unfolds anchors and aliases, and gives a rule behind an alias the place of its anchor', async () => {
    const project = await loadValid({
      'zones/a.yaml': `zone: a.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - &rule {ref: a, action: block, expression: &what ssl}
      - {ref: b, action: log, expression: *what}
rulesets:
  - {name: Copy, phase: http_request_firewall_custom, rules: [*rule]}
`,
    });
    const rules = project.scopes[0]?.rulesets.map((ruleset) => ruleset.rules) ?? [];
    expect(
      rules.map((list) => list.map(({ ref, content, cause }) => [ref, content.expression, causeText(cause)])),
    ).toEqual([
      [['a', 'ssl', 'zones/a.yaml:5']],
      [
        ['a', 'ssl', 'zones/a.yaml:5'],
        ['b', 'ssl', 'zones/a.yaml:6'],
      ],
    ]);
  });

  test('takes a quoted id that looks like a number as the name of a scope', async () => {
    const project = await loadValid({ 'zones/a.yaml': 'zone: "00000000000000000000000000000001"\n' });
    expect(project.scopes[0]?.scope.name).toBe('00000000000000000000000000000001');
  });

  test('takes a file that two patterns match once, and a file below a dot folder that a plain path names', async () => {
    const project = await loadValid({
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml, zones/a.yaml, .hidden/b.yaml]\n',
      'zones/a.yaml': ZONE_A,
      '.hidden/b.yaml': ZONE_B,
    });
    expect(project.files).toEqual(['.hidden/b.yaml', 'zones/a.yaml']);
  });

  test('takes a file whose name has parentheses', async () => {
    const project = await loadValid({
      'rulewright.yaml': 'version: 1\nfiles: ["zones (old)/a (1).yaml"]\n',
      'zones (old)/a (1).yaml': ZONE_A,
    });
    expect(project.files).toEqual(['zones (old)/a (1).yaml']);
  });

  test('may have a byte order mark and CR LF line ends in its files', async () => {
    const project = await loadValid({ 'zones/a.yaml': `\uFEFF${ZONE_A.replaceAll('\n', '\r\n')}` });
    expect(project.scopes[0]?.cause).toEqual({ file: 'zones/a.yaml', line: 1, column: 7 });
  });

  test('warns about the id of a custom ruleset that no file declares, with a similar name', async () => {
    const result = await loadFiles({
      'zones/a.yaml': `zone: a\nentrypoints:\n${ENTRY('http_request_firewall_custom', '{action: execute, expression: ssl, action_parameters: {id: custom:logn}}')}rulesets:\n  - {name: Login, phase: http_request_firewall_custom, rules: []}\n`,
    });
    expect(result.kind).toBe('loaded');
    expect(result.diagnostics).toMatchObject([
      { code: 'config/undeclared-ruleset', severity: 'warning', hint: 'did you mean `custom:login`?' },
    ]);
  });

  test('is invalid with logging in a rule other than skip', async () => {
    const result = await loadFiles({
      'zones/a.yaml': `zone: a\nentrypoints:\n${ENTRY('http_request_firewall_custom', '{action: block, expression: ssl, logging: {enabled: true}}')}`,
    });
    expect([result.kind, ...result.diagnostics.map(({ code }) => code)]).toEqual([
      'invalid',
      'config/unexpected-logging',
    ]);
  });
});

describe('findings', () => {
  test('of all files come in one run, sorted by place, with the texts of the files', async () => {
    const result = await loadFiles({
      'zones/b.yaml': BROKEN,
      'zones/a.yaml': 'zone: [\n',
      'accounts/c.yaml': '',
    });
    expect(result.diagnostics.map((one) => brief(one).split(' ').slice(0, 2))).toEqual([
      ['accounts/c.yaml:1:1', 'yaml/empty-file'],
      ['zones/a.yaml:1:7', 'yaml/syntax'],
      ['zones/b.yaml:2:1', 'schema/unknown-key'],
    ]);
    expect([...result.sources]).toContainEqual(['zones/b.yaml', BROKEN]);
  });

  test('of rules are reported although another rule of the file has a schema error', async () => {
    const result = await loadFiles({
      'zones/a.yaml': `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - {ref: a, action: blok, expression: ssl}\n      - ${RULE}\n      - ${RULE}\n`,
    });
    expect(result.diagnostics.map(({ code }) => code)).toEqual([
      'schema/unknown-action',
      'config/duplicate-ref',
      'config/duplicate-ref',
    ]);
  });

  const HEAD = 'version: 1\nfiles: [zones/*.yaml]\n';
  test.each([
    ['of files', 'version: 1\nfiles: [zones/*.yaml, 7]\n', ['pack/unknown', 'variable/undefined']],
    ['without a version', 'files: [zones/*.yaml]\n', ['pack/unknown', 'variable/undefined']],
    ['of guards', `${HEAD}safety: {weakened: no}\n`, ['pack/unknown', 'variable/undefined']],
    ['that may be variables or packs', `${HEAD}var: {way: block}\n`, []],
    ['of variables', `${HEAD}vars: [way]\n`, ['pack/unknown']],
    ['of packs', `${HEAD}packs: packs/*.yaml\n`, ['variable/undefined']],
  ])('of zone files are reported although the project file has an error %s', async (_name, head, more) => {
    const result = await loadFiles({
      'rulewright.yaml': head,
      'zones/a.yaml': `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - use: bots\n      - {ref: a, action: "\${way}", expression: ssl}\n      - {ref: b, action: blok, expression: ssl}\n`,
    });
    const [first, ...others] = result.diagnostics.map(({ where, code }) => [where?.file, code]);
    expect(first?.[0]).toBe('rulewright.yaml');
    expect(others).toEqual([...more, 'schema/unknown-action'].map((code) => ['zones/a.yaml', code]));
  });

  test.each([
    [
      'below its files',
      `${HEAD}packs: [packs/*.yaml]\nvars:\n  way: block\n   other: 1\n`,
      '6:1',
      ['schema/unknown-action'],
    ],
    ['with a key twice', `${HEAD}version: 1\n`, '3:1', ['schema/unknown-action']],
    [
      'with a quotation mark that nothing closes',
      `${HEAD}safety: { protect: ["a] }\n`,
      '3:21',
      ['schema/unknown-action'],
    ],
    ['above its files', 'version: 1\nvars: { a: [ }\nfiles: [zones/*.yaml]\n', '2:12', []],
    ['in its files', 'version: 1\nfiles: [zones/*.yaml\npacks: [packs/*.yaml]\n', '2:8', []],
    ['of another version', 'version: 2\nfiles: [zones/*.yaml]\nvars: { a: [ }\n', '3:12', []],
  ])(
    'of zone files are reported as far as possible when the project file cannot be parsed %s',
    async (_name, head, place, more) => {
      const { kind, diagnostics } = await loadFiles({
        'rulewright.yaml': head,
        'packs/a.yaml': 'pack: a\nrules: []\n',
        'zones/a.yaml': `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - use: bots\n      - {ref: a, action: "\${way}", expression: ssl}\n      - {ref: b, action: blok, expression: ssl}\n`,
      });
      expect(kind).toBe('invalid');
      const [first, ...others] = diagnostics.map((one) => brief(one).split(' '));
      expect(first?.[0]).toBe(`rulewright.yaml:${place}`);
      expect(others.flatMap(([where, code]) => (where?.startsWith('zones/') === true ? [code] : []))).toEqual(
        more,
      );
    },
  );

  test('about undeclared rulesets are left out when the files of the project are not all known', async () => {
    const codes = async (files: string) =>
      (
        await loadFiles({
          'rulewright.yaml': `version: 1\n${files}\n`,
          'zones/a.yaml':
            'zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - {ref: a, action: execute, expression: "true", action_parameters: {id: custom:login}}\n',
        })
      ).diagnostics.map(({ code }) => code);
    expect(await codes('files: [zones/*.yaml]')).toEqual(['config/undeclared-ruleset']);
    expect(await codes('files: [zones/*.yaml, 7]')).not.toContain('config/undeclared-ruleset');
  });

  test('of zone files are left out when the project file has another version', async () => {
    const result = await loadFiles({
      'rulewright.yaml': 'version: 2\nfiles: [zones/*.yaml]\n',
      'zones/a.yaml': 'zone: [\n',
    });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['schema/unknown-value']);
  });

  test('of expressions come from the checker that the caller passes', async () => {
    const result = await loadFiles(
      {
        'zones/a.yaml': `zone: a\nentrypoints:\n${ENTRY('http_request_firewall_custom', `{action: block, expression: 'it''s x'}`)}`,
      },
      {
        checkExpression: (text, context) => [
          {
            code: 'test/seen',
            severity: 'error',
            message: `${context.role} ${context.phase}`,
            start: text.indexOf('x'),
            end: text.length,
          },
        ],
      },
    );
    expect(result.diagnostics).toEqual([
      {
        code: 'test/seen',
        severity: 'error',
        message: 'filter http_request_firewall_custom',
        where: { file: 'zones/a.yaml', start: { line: 5, column: 44 }, end: { line: 5, column: 45 } },
      },
    ]);
  });
});

describe('the project file', () => {
  test('is found in a folder above', async () => {
    await inFolder(
      { 'rulewright.yaml': PROJECT, 'zones/a.yaml': ZONE_A, 'zones/deep/x': '' },
      async (root) => {
        const result = await loadProject({ cwd: join(root, 'zones/deep') });
        expect(result).toMatchObject({ kind: 'loaded', project: { root, file: 'rulewright.yaml' } });
      },
    );
  });

  test('that is not found is a finding with an example to begin with', async () => {
    const result = await inFolder({}, (root) => loadProject({ cwd: root }));
    expect(result).toMatchObject({
      kind: 'invalid',
      diagnostics: [{ code: 'project/not-found', hint: expect.stringContaining('files: [zones/*.yaml]') }],
    });
  });

  test('can be named by `config`, with any name', async () => {
    await inFolder({ 'p/other.yaml': PROJECT, 'p/zones/a.yaml': ZONE_A }, async (root) => {
      expect(await loadProject({ cwd: root, config: 'p/other.yaml' })).toMatchObject({
        kind: 'loaded',
        project: { root: join(root, 'p'), file: 'other.yaml', files: ['zones/a.yaml'] },
      });
      expect(await loadProject({ cwd: root, config: 'p/none.yaml' })).toMatchObject({
        diagnostics: [{ code: 'project/not-found' }],
      });
    });
  });

  test('is not one of its own files, and neither is a file in node_modules', async () => {
    const project = await loadValid({
      'rulewright.yaml': 'version: 1\nfiles: ["**/*.yaml"]\n',
      'zones/a.yaml': ZONE_A,
      'node_modules/x/b.yaml': 'no: document',
    });
    expect(project.files).toEqual(['zones/a.yaml']);
  });
});

describe('a path', () => {
  const files = {
    'p/rulewright.yaml': PROJECT,
    'p/zones/a.yaml': ZONE_A,
    'p/zones/a-cache.yaml':
      'zone: a.example\nownership: {rulesets: all}\nentrypoints:\n  http_request_cache_settings: {rules: []}\n',
    'p/zones/b.yaml': ZONE_B,
  };
  const load = (paths: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    inFolder({ ...files, ...more }, (root) => loadProject({ cwd: root, paths }));

  test.each([[['p']], [['p/rulewright.yaml']], [['p', 'p/zones/a.yaml']]])(
    '%j means the whole project',
    async (paths) => {
      expect(await load(paths)).toMatchObject({ kind: 'loaded', project: { scopes: [{}, {}] } });
    },
  );

  test('of a file narrows the run to the rulesets that it declares, with ownership of declared rulesets only', async () => {
    const result = await load(['p/zones/a.yaml']);
    expect(result).toMatchObject({
      kind: 'loaded',
      project: {
        files: ['zones/a.yaml'],
        scopes: [
          {
            scope: { name: 'a.example' },
            rulesetOwnership: 'declared',
            rulesets: [{ address: { phase: 'http_request_firewall_custom' } }],
          },
        ],
      },
    });
  });

  test('of all files of a scope keeps the ownership of the scope', async () => {
    const result = await load(['p/zones/a.yaml', 'p/zones/a-cache.yaml']);
    expect(result).toMatchObject({ kind: 'loaded', project: { scopes: [{ rulesetOwnership: 'all' }] } });
  });

  test('of a file keeps the settings that another file of its scope has', async () => {
    const result = await load(['p/zones/b.yaml'], {
      'p/zones/b-token.yaml': 'zone: b.example\ntoken_env: B_TOKEN\n',
    });
    expect(result).toMatchObject({
      kind: 'loaded',
      project: { files: ['zones/b.yaml'], scopes: [{ scope: { name: 'b.example' }, tokenEnv: 'B_TOKEN' }] },
    });
  });

  test('of a file reports that another file of its scope names other credentials', async () => {
    const result = await load(['p/zones/t.yaml'], {
      'p/zones/s.yaml': 'zone: t.example\ntoken_env: ONE\n',
      'p/zones/t.yaml': 'zone: t.example\ntoken_env: OTHER\n',
    });
    expect(result.diagnostics.map(({ code, where }) => [code, where?.file])).toEqual([
      ['config/scope-setting-conflict', 'zones/t.yaml'],
    ]);
  });

  test('limits warnings to the file and its packs, and also reports errors in zones that use a named pack', async () => {
    const rule = (line: string): string =>
      `entrypoints:\n  http_request_firewall_custom:\n    rules:\n      - ${line}\n`;
    const old = '{ ref: a, expression: ip.geoip.country eq "AT", action: log }';
    const files = {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/x.yaml': `pack: x\nrules:\n  - ${old}\n`,
      'packs/y.yaml': `pack: y\nrules:\n  - ${old}\n`,
      'zones/a.yaml': `zone: a\nvars: { unused: 1 }\n${rule('use: x')}      - ${old.replace('a,', 'b,')}\n`,
      'zones/b.yaml': `zone: b\n${rule(old)}`,
    };
    const told = async (path: string, more: Files = {}): Promise<readonly string[]> =>
      inFolder({ ...files, ...more }, async (root) => {
        const { diagnostics } = await loadProject({ cwd: root, paths: [path] });
        return diagnostics.map(({ code, where }) => `${where?.file} ${code}`);
      });
    expect(await told('packs/x.yaml')).toEqual(['packs/x.yaml expression/deprecated-field']);
    expect(await told('zones/b.yaml')).toEqual(['zones/b.yaml expression/deprecated-field']);
    expect(await told('zones/a.yaml')).toEqual([
      'packs/x.yaml expression/deprecated-field',
      'zones/a.yaml variable/unused',
      'zones/a.yaml expression/deprecated-field',
    ]);
    const broken = {
      'zones/a.yaml': `zone: a\n${rule('use: x')}      - { ref: b, expression: ssl, action: blok }\n`,
    };
    expect(await told('packs/x.yaml', broken)).toContain('zones/a.yaml schema/unknown-action');
  });

  test('of a folder in the project narrows the run to its files', async () => {
    const result = await load(['p/zones']);
    expect(result).toMatchObject({ kind: 'loaded', project: { scopes: [{}, {}] } });
  });

  test('leaves out findings of unrelated files', async () => {
    const result = await load(['p/zones/a.yaml'], { 'p/zones/broken.yaml': BROKEN });
    expect([result.kind, result.diagnostics]).toEqual(['loaded', []]);
  });

  test('keeps findings of files that share its scope', async () => {
    const result = await load(['p/zones/a.yaml'], { 'p/zones/z.yaml': ZONE_A });
    expect(result.diagnostics.map(({ code, where }) => [code, where?.file])).toEqual([
      ['config/duplicate-entrypoint', 'zones/z.yaml'],
    ]);
  });

  test.each([
    ['that does not exist', ['p/zones/none.yaml'], 'config/file-not-found'],
    ['that no pattern matches', ['p/notes.txt'], 'project/not-a-member'],
    ['of two projects', ['p', 'q'], 'project/several'],
    ['outside of any project', ['alone.yaml'], 'project/not-found'],
  ])('%s is a finding', async (_, paths, code) => {
    const result = await load(paths, {
      'p/notes.txt': '',
      'q/rulewright.yaml': PROJECT,
      'alone.yaml': ZONE_A,
    });
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });
});

describe('hostile input', () => {
  const codes = async (content: string | Uint8Array): Promise<readonly string[]> =>
    (await loadFiles({ 'zones/a.yaml': content })).diagnostics.map(({ code }) => code);

  test('that is not UTF-8 is reported with the position of the byte', async () => {
    const { diagnostics } = await loadFiles({
      'zones/a.yaml': Buffer.from('zone: a\n# caf\u{e9}\n', 'latin1'),
    });
    expect(diagnostics).toMatchObject([
      {
        code: 'yaml/not-utf8',
        message: 'the file is not UTF-8 text: the byte 0xE9 is not UTF-8',
        where: { file: 'zones/a.yaml', start: { line: 2, column: 6 }, end: { line: 2, column: 7 } },
      },
    ]);
  });

  test('such as a folder in place of a file is reported as unreadable', async () => {
    const read = await inFolder({ 'a.yaml/x': '' }, (root) => readSource(root, 'a.yaml'));
    expect(read).toMatchObject({
      kind: 'unread',
      diagnostic: {
        code: 'config/file-unreadable',
        where: { file: 'a.yaml', start: { line: 1, column: 1 } },
      },
    });
  });

  test('that is too large is reported, and not parsed', async () => {
    expect(await codes(`# ${'x'.repeat(YAML_LIMITS.fileBytes)}\nzone: a\n`)).toEqual(['yaml/too-large']);
  });

  test.each([
    ['brackets', `zone: ${'['.repeat(100_000)}`],
    ['closed brackets', `zone: ${'['.repeat(YAML_LIMITS.depth + 2)}${']'.repeat(YAML_LIMITS.depth + 2)}\n`],
    ['braces', `zone: ${'{a: '.repeat(20_000)}`],
    ['list items', `zone:\n ${'- '.repeat(20_000)}x\n`],
  ])('with %s nested too deep is reported', async (_, content) => {
    expect(await codes(content)).toEqual(['yaml/too-deep']);
  });

  test('with too many empty items is reported as too large', async () => {
    expect(await codes(`zone: [${'['.repeat(2)}${','.repeat(YAML_LIMITS.lexemes)}]]]\n`)).toEqual([
      'yaml/too-large',
    ]);
  });

  test('with aliases that unfold to too much is reported once', async () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? 'a0: &a0 [x]' : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`,
    );
    expect(await codes(`${levels.join('\n')}\nzone: a\n`)).toEqual(['yaml/too-many-aliases']);
  });

  test('with a key __proto__ is reported as an unknown key', async () => {
    expect(await codes('zone: a\n__proto__: {x: 1}\n')).toEqual(['schema/unknown-key']);
  });

  test('with ten thousand equal keys has a hundred findings, and one that says that there are more', async () => {
    const found = await codes(`zone: a\n${'x: 1\n'.repeat(10_000)}`);
    expect(found.filter((code) => code === 'yaml/duplicate-key')).toHaveLength(101);
    expect(new Set(found)).toEqual(new Set(['schema/unknown-key', 'yaml/duplicate-key']));
  });

  test('with a deeply indented text of explicit indentation gets ordinary findings', async () => {
    const text = `${' '.repeat(20_000)}http.hos eq "a"`;
    const found = await codes(
      `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - action: block\n        expression: |1\n${text}\n`,
    );
    expect(found).toEqual(['expression/too-long', 'expression/unknown-field']);
  });

  test('with a line of sixty thousand characters in a folded text gets ordinary findings', async () => {
    const found = await codes(
      `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - action: block\n        expression: >\n          http.hos eq "${'x'.repeat(60_000)}"\n`,
    );
    expect(found).toEqual(['expression/too-long', 'expression/unknown-field']);
  });

  test('such as a link out of the project is refused, while a link inside is followed', async () => {
    await inFolder(
      { 'out/secret.yaml': ZONE_A, 'p/rulewright.yaml': PROJECT, 'p/real/b.yaml': ZONE_B },
      async (root) => {
        await mkdir(join(root, 'p/zones'));
        await symlink(join(root, 'out/secret.yaml'), join(root, 'p/zones/a.yaml'));
        await symlink(join(root, 'p/real/b.yaml'), join(root, 'p/zones/b.yaml'));
        const result = await loadProject({ cwd: join(root, 'p') });
        expect(result.diagnostics.map(({ code, message }) => [code, message])).toEqual([
          ['config/path-outside', 'zones/a.yaml is outside the project folder'],
        ]);
      },
    );
  });

  test('such as a link to a folder outside is refused, and not searched', async () => {
    await inFolder(
      {
        'out/deep/secret.yaml': ZONE_A,
        'p/rulewright.yaml': 'version: 1\nfiles: ["zones/**/*.yaml"]\n',
        'p/zones/b.yaml': ZONE_B,
        'p/more/c.txt': '',
      },
      async (root) => {
        const found = async () =>
          (await loadProject({ cwd: join(root, 'p') })).diagnostics.map((one) => brief(one));
        await symlink(join(root, 'p/more'), join(root, 'p/zones/more'));
        await symlink('/', join(root, 'p/zones/.profile'));
        await symlink('/', join(root, 'p/zones/node_modules'));
        expect(await found()).toEqual([]);
        await symlink(join(root, 'p/zones'), join(root, 'p/zones/loop'));
        await symlink(join(root, 'out'), join(root, 'p/more/out'));
        await symlink('/', join(root, 'p/zones/disk'));
        expect(await found()).toEqual([
          'rulewright.yaml:2:9 config/path-outside more/out is outside the project folder',
          'rulewright.yaml:2:9 config/path-outside zones/disk is outside the project folder',
        ]);
      },
    );
  });

  test('such as a broken link is an unreadable file, and not ignored', async () => {
    const files = { 'rulewright.yaml': 'version: 1\nfiles: ["zones/**/*.yaml"]\n', 'zones/b.yaml': ZONE_B };
    await inFolder(files, async (root) => {
      await symlink('../gone.yaml', join(root, 'zones/a.yaml'));
      await symlink('user@host.1234', join(root, 'zones/.#b.yaml'));
      const result = await loadProject({ cwd: root });
      expect(result.kind).toBe('invalid');
      expect(result.diagnostics.map((one) => brief(one))).toEqual([
        'rulewright.yaml:2:9 config/file-unreadable zones/a.yaml is a link that leads nowhere',
      ]);
    });
  });

  test.each([
    ['project file', 'p/rulewright.yaml', { 'p/zones/b.yaml': ZONE_B }],
    ['project file by another name', 'p/other.yaml', { 'p/rulewright.yaml': PROJECT }],
  ])(
    'such as a %s that links out of the project is refused without showing the target',
    async (_, link, files) => {
      await inFolder({ 'out/secret.txt': 'TOKEN=secret\n', ...files }, async (root) => {
        await symlink(join(root, 'out/secret.txt'), join(root, link));
        const result = await loadProject({ cwd: join(root, 'p'), config: join(root, link) });
        expect(result.kind).toBe('invalid');
        expect(result.diagnostics.map((one) => brief(one))).toEqual([
          `${basename(link)}:1:1 config/path-outside ${basename(link)} is outside the project folder`,
        ]);
        expect([...result.sources.values()].join('')).not.toContain('TOKEN');
      });
    },
  );

  test('such as a named path behind a link out of the project is refused', async () => {
    await inFolder({ 'out/secret.txt': 'TOKEN=secret\n', 'p/x': '' }, async (root) => {
      await symlink(join(root, 'out'), join(root, 'p/tests'));
      expect(await readSource(join(root, 'p'), 'tests/secret.txt')).toMatchObject({
        kind: 'unread',
        diagnostic: { code: 'config/path-outside' },
      });
    });
  });

  test('is not assumed when the project folder itself is a link', async () => {
    await inFolder({ 'real/rulewright.yaml': PROJECT, 'real/zones/a.yaml': ZONE_A }, async (root) => {
      await symlink(join(root, 'real'), join(root, 'p'));
      expect(await loadProject({ cwd: join(root, 'p') })).toMatchObject({ kind: 'loaded' });
    });
  });

  const hasPipes = process.platform !== 'win32';

  test.runIf(hasPipes)(
    'such as a named pipe in place of a file is refused without waiting for it',
    async () => {
      await inFolder(
        { 'p/x': '', 'q/rulewright.yaml': 'version: 1\nfiles: [a.yaml, b.yaml]\n' },
        async (root) => {
          for (const path of ['p/rulewright.yaml', 'q/a.yaml', 'q/pipe']) {
            execFileSync('mkfifo', [join(root, path)]);
          }
          await symlink('pipe', join(root, 'q/b.yaml'));
          const head = await loadProject({ cwd: join(root, 'p') });
          expect(head.diagnostics.map((one) => brief(one))).toEqual([
            'rulewright.yaml:1:1 config/file-unreadable the file cannot be read: it is not a regular file',
          ]);
          expect((await loadProject({ cwd: join(root, 'q') })).kind).toBe('invalid');
          expect(await readSource(join(root, 'q'), 'b.yaml')).toMatchObject({
            diagnostic: { code: 'config/file-unreadable' },
          });
        },
      );
    },
  );

  test('such as an endless file is read only up to the limit', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) {
          yield Buffer.alloc(1000);
        }
      })(),
    );
    expect(await readAtMost(endless, 100_000)).toBeUndefined();
    const short = Readable.from([Buffer.from('ab'), Buffer.from('c')]);
    expect(await readAtMost(short, 3)).toEqual(Buffer.from('abc'));
  });

  test('such as a folder with the name of a project file is not taken for one', async () => {
    await inFolder({ 'rulewright.yaml/x': '' }, async (root) => {
      const result = await loadProject({ cwd: root });
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['project/not-found']);
    });
  });
});
