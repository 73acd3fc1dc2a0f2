import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFiles, NODE_MODULES } from '../../src/files/find-files.ts';
import { isJsonArray, isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { PHASES } from '../../src/model/phases.ts';
import { rulewright } from '../cli/in-process.ts';
import type { Editor } from './language-server.ts';
import { openEditor } from './language-server.ts';

// Runs a YAML language server with the schemas that `init` and `import` write, which the first line of each file names.

let root = '';
let editor: Editor;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-editors-')));
  await writeFile(join(root, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await mkdir(join(root, 'zones'));
  await rulewright(['schema', '--editors'], { cwd: join(root, 'zones') });
  editor = await openEditor(root);
});
afterAll(async () => {
  await editor.close();
  await rm(root, { recursive: true, force: true });
});

const head = (kind: string) =>
  `# yaml-language-server: $schema=${kind === 'project' ? '' : '../'}.rulewright/schemas/${kind}.schema.json\n`;

/** A zone file with one rule that has these lines. */
function inRule(...lines: readonly string[]): string {
  return [
    'zone: shop.example',
    'entrypoints:',
    '  http_request_firewall_custom:',
    '    rules:',
    '      - ref: a',
    '        expression: "true"',
    ...lines.map((line) => `        ${line}`),
    '',
  ].join('\n');
}

/** Asks for completions or a hover text at the sign ▶ in a zone file. */
async function askAt(method: 'completion' | 'hover', marked: string): Promise<JsonValue> {
  const text = head('zone') + marked;
  const lines = text.slice(0, text.indexOf('▶')).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  return (await editor.ask(method, 'zones/edited.yaml', text.replace('▶', ''), position)) as JsonValue;
}

async function completionsAt(marked: string): Promise<readonly string[]> {
  const answer = await askAt('completion', marked);
  const items = isJsonObject(answer) ? answer['items'] : answer;
  return (isJsonArray(items) ? items : []).flatMap((item) =>
    isJsonObject(item) && typeof item['label'] === 'string' ? [item['label']] : [],
  );
}

async function hoverAt(marked: string): Promise<string> {
  return JSON.stringify(await askAt('hover', marked));
}

async function marksOf(text: string, path = 'zones/marked.yaml', kind = 'zone'): Promise<readonly string[]> {
  const marks = await editor.marks(path, head(kind) + text);
  return marks.map(({ range, message }) => `${range.start.line} ${message}`);
}

describe('completion', () => {
  it('offers all phases of a zone', async () => {
    const phases = PHASES.filter(({ entrypoints }) => entrypoints.includes('zone')).map(({ name }) => name);
    expect(await completionsAt('zone: shop.example\nentrypoints:\n  ▶\n')).toEqual(
      expect.arrayContaining(phases),
    );
  });

  it('offers the keys of a rule and of the use of a pack at the start of an item', async () => {
    const text = 'zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - ▶\n';
    expect(await completionsAt(text)).toEqual(
      expect.arrayContaining(['ref', 'expression', 'action', 'enabled', 'ratelimit', 'use']),
    );
  });

  it('offers actions', async () => {
    const actions = await completionsAt(inRule('action: ▶'));
    expect(actions).toEqual(
      expect.arrayContaining([
        'block',
        'managed_challenge',
        'log',
        'skip',
        'execute',
        'redirect',
        'set_config',
      ]),
    );
  });

  it.each([
    ['block', ['response']],
    ['skip', ['phase', 'phases', 'products', 'rules', 'ruleset', 'rulesets']],
    ['redirect', ['from_list', 'from_value']],
    ['route', ['host_header', 'origin', 'sni']],
    ['execute', ['id', 'matched_data', 'overrides']],
    ['serve_error', ['asset_name', 'content', 'content_type', 'status_code']],
  ])('offers the parameters of %s, and no others', async (action, parameters) => {
    const offered = await completionsAt(inRule(`action: ${action}`, 'action_parameters:', '  ▶'));
    // A label with blanks is a snippet with all required keys.
    expect(offered.filter((label) => !label.includes(' ')).sort()).toEqual(parameters);
  });

  it('offers values inside parameters, even where a variable is allowed', async () => {
    const products = inRule('action: skip', 'action_parameters:', '  products:', '    - ▶');
    expect(await completionsAt(products)).toEqual(expect.arrayContaining(['waf', 'zoneLockdown']));
    const ssl = inRule('action: set_config', 'action_parameters:', '  ssl: ▶');
    expect(await completionsAt(ssl)).toEqual(expect.arrayContaining(['"off"', 'full', 'strict']));
    const limit = inRule('action: block', 'ratelimit:', '  ▶');
    expect(await completionsAt(limit)).toEqual(expect.arrayContaining(['characteristics', 'period']));
  });
});

describe('hover text', () => {
  it.each([
    [
      'a phase',
      'zone: a\nentrypoints:\n  http_request▶_firewall_custom:\n    rules: []\n',
      'WAF custom rules',
    ],
    ['an action', inRule('action: blo▶ck'), 'Refuses the request.'],
    ['a parameter', inRule('action: redirect', 'action_parameters:', '  from▶_list: {}'), 'redirect list'],
    ['a rate limit', inRule('action: block', 'rate▶limit: {}'), 'How many requests in which time'],
    ['who the rule is', inRule('ado▶pt: true', 'action: block'), 'take over a live rule'],
  ])('explains %s', async (_, text, expected) => {
    expect(await hoverAt(text)).toContain(expected);
  });
});

describe('the diagnostics of the language server', () => {
  it.each([
    [
      'a wrong key of a rule',
      inRule('action: block', 'enabeld: true'),
      ['8 Property enabeld is not allowed.'],
    ],
    [
      'a phase that is none',
      'zone: a\nentrypoints:\n  http_request_firewal: { rules: [] }\n',
      ['3 Property http_request_firewal is not allowed.'],
    ],
    [
      'a parameter of another action',
      inRule('action: block', 'action_parameters:', '  from_value: {}'),
      ['9 Property from_value is not allowed.'],
    ],
    [
      'a text where a number must stand',
      inRule(
        'action: block',
        'ratelimit:',
        '  characteristics: [cf.colo.id]',
        '  period: ten',
        '  requests_per_period: 5',
      ),
      ['10 an integer is expected here, or a variable: ${name}'],
    ],
  ])('mark %s', async (_, text, expected) => {
    expect(await marksOf(text)).toEqual(expected);
  });

  it('mark an unknown action', async () => {
    expect(await marksOf(inRule('action: blok'))).toContainEqual(
      expect.stringContaining('7 Value is not accepted'),
    );
  });

  it('mark nothing where variables stand for values', async () => {
    const text = inRule(
      'action: ${mode}',
      'enabled: ${on}',
      'ratelimit:',
      '  characteristics: ["${by}"]',
      '  period: ${period}',
      '  requests_per_period: ${requests}',
    );
    expect(await marksOf(text)).toEqual([]);
  });

  const examples = ['project', 'zone', 'account', 'pack', 'test'].map((kind) => ({
    kind,
    pattern: kind === 'project' ? 'examples/*/rulewright.yaml' : `examples/*/${kind}s/*.yaml`,
  }));
  it.each(examples)('mark nothing in the examples: $pattern', async ({ kind, pattern }) => {
    const { files } = await findFiles({ cwd: '.', patterns: [pattern], passOver: NODE_MODULES });
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const place = kind === 'project' ? 'rulewright.yaml' : `${kind}s/${file.replaceAll('/', '-')}`;
      expect([file, await marksOf(await readFile(file, 'utf8'), place, kind)]).toEqual([file, []]);
    }
  });
});
