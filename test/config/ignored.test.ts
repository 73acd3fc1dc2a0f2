import { describe, expect, test } from 'vitest';
import { guardSettings } from '../../src/config/project/guard-settings.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { brief, loadFiles, loadValid } from './project-folder.ts';

const PROJECT = 'version: 1\nfiles: ["zones/*.yaml"]\n';
const ENTRY = (more: string) => `  http_request_firewall_custom:\n    rules: []\n${more}`;

const findings = async (zone: string, project = PROJECT) =>
  (await loadFiles({ 'rulewright.yaml': project, 'zones/a.yaml': zone })).diagnostics.map((one) =>
    brief(one),
  );

describe('an `ignore` entry', () => {
  test('comes from the ruleset, its file or the project, the nearest first', async () => {
    const { scopes } = await loadValid({
      'rulewright.yaml': `${PROJECT}ignore: [{rule: "*", field: /description, reason: Words, until: 2030-01-31}]\n`,
      'zones/a.yaml': `zone: a
ignore: [{rule: tmp-*, reason: Debugging, until: 2030-02-28}]
entrypoints:
${ENTRY('    ignore:\n      - {rule: b, field: /enabled, reason: On call, until: 2030-03-31}\n')}
`,
    });
    expect(scopes[0]?.rulesets[0]?.ignore).toEqual([
      {
        rule: 'b',
        field: '/enabled',
        reason: 'On call',
        until: '2030-03-31',
        cause: { file: 'zones/a.yaml', line: 7, column: 10 },
      },
      {
        rule: 'tmp-*',
        reason: 'Debugging',
        until: '2030-02-28',
        cause: { file: 'zones/a.yaml', line: 2, column: 11 },
      },
      {
        rule: '*',
        field: '/description',
        reason: 'Words',
        until: '2030-01-31',
        cause: { file: 'rulewright.yaml', line: 3, column: 11 },
      },
    ]);
  });

  test('is checked for its field, its members and its day', async () => {
    const zone = (entry: string) => `zone: a\nignore: [${entry}]\nentrypoints:\n${ENTRY('')}`;
    const until = 'reason: x, until: 2030-01-31';
    expect(await findings(zone(`{rule: a, field: enabled, ${until}}`))).toEqual([
      expect.stringContaining('zones/a.yaml:2:27 schema/wrong-form'),
    ]);
    expect(await findings(zone('{rule: a, field: /enabled}'))).toHaveLength(2);
    expect(await findings(zone('{rule: a, reason: x, until: 2030-02-30}'))).toEqual([
      'zones/a.yaml:2:38 config/no-such-day 2030-02-30 is not a day of the calendar',
    ]);
    const list = zone(`{rule: a, field: /action_parameters/overrides/categories/0, ${until}}`);
    const code: string = 'config/ignored-list-item';
    expect(await findings(list)).toEqual([expect.stringContaining(`zones/a.yaml:2:27 ${code} `)]);
    const project = `${PROJECT}ignore: [{rule: a, reason: x, until: 2030-02-30}]\n`;
    expect(await findings(`zone: a\nentrypoints:\n${ENTRY('')}`, project)).toHaveLength(1);
  });

  test('is reported once after its last day, in the project file and in a list of zones', async () => {
    const files = {
      'rulewright.yaml': `${PROJECT}ignore: [{rule: a, field: /enabled, reason: x, until: 2026-01-31}]\n`,
      'zones/a.yaml': `zones: [a, b]\nentrypoints:\n${ENTRY('    ignore: [{rule: tmp-*, reason: x, until: 2026-01-31}]\n')}`,
    };
    const on = async (today?: string) =>
      (await loadFiles(files, { today })).diagnostics.map((one) => brief(one));
    expect(await on('2026-01-31')).toEqual([]);
    expect(await on()).toEqual([]);
    const code: string = 'config/expired-ignore';
    expect(await on('2026-02-01')).toEqual([
      `rulewright.yaml:3:11 ${code} this \`ignore\` of a /enabled expired on 2026-01-31`,
      `zones/a.yaml:5:15 ${code} this \`ignore\` of tmp-* expired on 2026-01-31`,
    ]);
  });
});

describe('guardSettings', () => {
  test('collects every setting that the guards depend on, by its place', () => {
    const sources = [
      sourceText(
        'rulewright.yaml',
        'version: 1\nsafety: {min_rules: 3, protect: [a]}\nownership: {rules: all}\nenv: {stage: STAGE}\n',
      ),
      sourceText(
        'zones/a.yaml',
        `zone: a
token_env: SHOP_TOKEN
ownership: {rulesets: all}
entrypoints:
  http_ratelimit:
    ignore: [{rule: x}]
    rules: [{ref: r, adopt: true}, {id: i, adopt: false}, {adopt: true}, {ref: plain}]
rulesets:
  - {name: Login, ownership: {rules: [l-*]}, rules: [{ref: l, adopt: true}]}
`,
      ),
      sourceText('zones/broken.yaml', ': ['),
    ];
    const settings = sources.flatMap((source) => [...guardSettings(source)]);
    expect(Object.fromEntries(settings)).toEqual({
      'rulewright.yaml safety.min_rules': { kind: 'safety', value: 3 },
      'rulewright.yaml safety.protect': { kind: 'safety', value: ['a'] },
      'rulewright.yaml ownership.rules': { kind: 'ownership', value: 'all' },
      'rulewright.yaml env.stage': { kind: 'environment', value: 'STAGE' },
      'zones/a.yaml token_env': { kind: 'environment', value: 'SHOP_TOKEN' },
      'zones/a.yaml ownership.rulesets': { kind: 'ownership', value: 'all' },
      'zones/a.yaml http_ratelimit ignore': { kind: 'ownership', value: [{ rule: 'x' }] },
      'zones/a.yaml http_ratelimit rule r adopt': { kind: 'adopt', value: true },
      'zones/a.yaml http_ratelimit rule i adopt': { kind: 'adopt', value: false },
      'zones/a.yaml http_ratelimit rule number 3 adopt': { kind: 'adopt', value: true },
      'zones/a.yaml Login ownership.rules': { kind: 'ownership', value: ['l-*'] },
      'zones/a.yaml Login rule l adopt': { kind: 'adopt', value: true },
    });
  });
});
