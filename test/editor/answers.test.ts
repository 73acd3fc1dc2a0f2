import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { FIELDS } from '../../src/expression/index.ts';
import { PHASES } from '../../src/model/index.ts';
import { MAIN, startEditor } from './editor-client.ts';
import type { EditorClient } from './editor-client.ts';

const PROJECT = `version: 1
files: [zones/*.yaml]
packs: [packs/*.yaml]
vars: { region: EU }
env:
  stage: { from: STAGE }
  login_key: { from: LOGIN_KEY, sensitive: true }
safety: { protect: [block-admin] }
`;
const PACK = `pack: bots
description: Visitors that are no people
phases: [http_request_firewall_custom]
params:
  score: { type: integer, description: Who is below it is challenged }
  mode: { type: string, enum: [managed_challenge, log], default: managed_challenge }
rules:
  - ref: challenge-bots
    expression: cf.bot_management.score lt \${score} and ip.src.continent eq \${region}
    action: \${mode}
`;
const ZONE = `zone: shop.example
vars: { office: [203.0.113.0/24] }
entrypoints:
  http_request_firewall_custom:
    rules:
      - use: bots
        with: { score: 30 }
      - ref: block-admin
        description: Administration is for the office
        expression: http.request.uri.path eq "/admin" and not ip.src in \${office}
        action: block
      - ref: from-list
        expression: ip.src in $partners and http.host ne \${stage} and any(http.request.headers["x-key"][*] eq \${login_key})
        action: log
`;
const OTHER = `zone: blog.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - use: bots
        with: { score: 10 }
      - ref: also-from-list
        expression: ip.src in $partners
        action: log
`;
const TEST = `zone: shop.example
tests:
  - name: nobody gets in
    request: { url: /admin }
    expect: { action: block, rule: block-admin }
`;
const LOCK = JSON.stringify({
  version: 1,
  rulesets: [
    {
      id: '0123456789abcdef0123456789abcdef',
      name: 'Vendor Extra Rules',
      version: '7',
      meets: { 'category wordpress': ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] },
    },
  ],
});
const FILES = {
  'rulewright.yaml': PROJECT,
  'packs/bots.yaml': PACK,
  'zones/shop.yaml': ZONE,
  'zones/blog.yaml': OTHER,
  'tests/shop.test.yaml': TEST,
  'rulewright.lock': LOCK,
};

/** A rule with these lines, in a phase. */
function rule(lines: string, phase = 'http_request_firewall_custom'): string {
  const indented = lines.replaceAll('\n', '\n        ');
  return `zone: shop.example\nentrypoints:\n  ${phase}:\n    rules:\n      - ref: a\n        ${indented}\n`;
}

const told = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ code, range: { start, end } }) => {
    const last = end.line === start.line ? String(end.character) : `${end.line}:${end.character}`;
    return `${String(code)} ${start.line}:${start.character}-${last}`;
  });

describe.skipIf(!existsSync(MAIN))('rulewright lsp (skipped if dist/cli/main.js is not built)', () => {
  let editor: EditorClient;
  beforeAll(async () => {
    editor = await startEditor({ files: FILES });
  });
  afterAll(async () => {
    await editor.shutDown();
  });

  describe('findings', () => {
    it('are none in a valid project, whose environment is not read', async () => {
      expect(await editor.findings('zones/shop.yaml', ZONE)).toEqual([]);
      expect(await editor.findings('rulewright.yaml', PROJECT)).toEqual([]);
    });

    it.each([
      ['plain', 'expression: http.hosst eq "a"'],
      ['folded', 'expression: >-\n  ip.src eq 192.0.2.1\n  or http.hosst eq "a"'],
      ['literal', 'expression: |\n  ip.src eq 192.0.2.1 or\n  http.hosst eq "a"'],
      ['in single quotes', `expression: 'http.host eq "it''s" or http.hosst eq "a"'`],
      ['in double quotes', String.raw`expression: "http.host eq \"\u00e9\" or http.hosst eq \"a\""`],
      ['behind characters of two units', 'expression: http.host eq "😀é" or http.hosst eq "a"'],
    ])('about an unknown field have its range in an expression that is %s', async (_, lines) => {
      const text = rule(`${lines}\naction: block`);
      const before = text.slice(0, text.indexOf('http.hosst')).split('\n');
      const [line, start] = [before.length - 1, before.at(-1)?.length ?? 0];
      const found = await editor.findings('zones/shop.yaml', text);
      expect(told(found)).toEqual([
        `expression/unknown-field ${line}:${start}-${start + 'http.hosst'.length}`,
      ]);
    });

    it('follow the text as typed, and say how to mend it', async () => {
      await editor.change('zones/shop.yaml', rule('expression: "true"\naction: blok'));
      const [found] = await editor.until('zones/shop.yaml', ([one]) => one?.code === 'schema/unknown-action');
      expect(found).toMatchObject({
        severity: 1,
        source: 'rulewright',
        message: expect.stringContaining('did you mean `block`?'),
      });
      await editor.change('zones/shop.yaml', ZONE);
      expect(await editor.until('zones/shop.yaml', ({ length }) => length === 0)).toEqual([]);
    });

    it('in a pack say where it is used, and go when its use does', async () => {
      await editor.change(
        'packs/bots.yaml',
        PACK.replace('cf.bot_management.score', 'cf.bot_managment.score'),
      );
      const [found] = await editor.until('packs/bots.yaml', ({ length }) => length > 0);
      expect(found).toMatchObject({
        code: 'expression/unknown-field',
        relatedInformation: [{ location: { uri: editor.uri('zones/blog.yaml') } }],
      });
      await editor.change('packs/bots.yaml', PACK);
      expect(await editor.until('packs/bots.yaml', ({ length }) => length === 0)).toEqual([]);
    });

    it('of one file come from another that is not saved', async () => {
      await editor.change('packs/bots.yaml', PACK.replace('pack: bots', 'pack: robots'));
      expect(told(await editor.until('zones/blog.yaml', ({ length }) => length > 0))).toEqual([
        'pack/unknown 4:13-17',
      ]);
      await editor.change('packs/bots.yaml', PACK);
      await editor.until('zones/blog.yaml', ({ length }) => length === 0);
    });
  });

  describe('completion', () => {
    const labels = async (path: string, marked: string): Promise<readonly string[]> =>
      (await editor.completion(path, marked)).map(({ label }) => label);

    it('offers fields by whole names, with type and documentation, in place of the word at the cursor', async () => {
      const items = await editor.completion('zones/shop.yaml', rule('expression: http.ho▶\naction: block'));
      expect(items.find(({ label }) => label === 'http.host')).toMatchObject({
        detail: 'Bytes',
        documentation: { value: expect.stringContaining(FIELDS.get('http.host')?.summary ?? '?') },
        textEdit: {
          newText: 'http.host',
          range: { start: { line: 5, character: 20 }, end: { line: 5, character: 27 } },
        },
      });
    });

    it('offers fields by phase', async () => {
      const request = await labels('zones/shop.yaml', rule('expression: http.response.▶\naction: block'));
      const response = await labels(
        'zones/shop.yaml',
        rule('expression: http.response.▶\naction: rewrite', 'http_response_headers_transform'),
      );
      expect(request).not.toContain('http.response.code');
      expect(response).toContain('http.response.code');
    });

    it.each([
      ['functions', 'expression: starts▶', ['starts_with', 'lower', 'len']],
      [
        'operators of a text',
        'expression: http.host ▶',
        ['eq', 'contains', 'matches', 'wildcard', 'strict wildcard', 'in'],
      ],
      ['operators of a number', 'expression: ip.src.asnum ▶', ['eq', 'lt', 'in', 'bitwise_and']],
      ['operators of a call', 'expression: len(http.host) ▶', ['eq', 'lt']],
      ['what joins conditions', 'expression: http.host eq "a" ▶', ['and', 'or', 'xor']],
      ['lists', 'expression: ip.src in ▶', ['$partners', '$cf.malware']],
      ['lists behind their sign', 'expression: ip.src in $pa▶', ['$partners']],
      ['variables', 'expression: ip.src in ${▶', ['region', 'stage']],
      ['whole variables behind `$`', 'expression: http.host eq $▶', ['${region}', '${stage}']],
      ['whole variables behind `$` in any text', 'description: for $▶', ['${region}', '${stage}']],
      [
        'fields behind `and` in a folded text',
        'expression: >-\n  http.host eq "a"\n  and ▶',
        ['ip.src', 'http.host'],
      ],
      ['keys of a rule', 'act▶', ['action', 'action_parameters', 'expression', 'ratelimit']],
      ['actions', 'action: ▶', ['block', 'managed_challenge', 'skip']],
      [
        'parameters of the action',
        'action: skip\naction_parameters:\n  ▶',
        ['ruleset', 'products', 'phases'],
      ],
      [
        'values of a parameter',
        'action: skip\naction_parameters:\n  products:\n    - ▶',
        ['waf', 'zoneLockdown'],
      ],
      [
        'managed rulesets',
        'action: execute\naction_parameters:\n  id: ▶',
        ['managed:cloudflare-managed-ruleset', 'managed:vendor-extra-rules'],
      ],
      [
        'categories',
        'action: execute\naction_parameters:\n  overrides:\n    categories:\n      - category: ▶',
        ['wordpress'],
      ],
    ])('offers %s', async (_, lines, expected) => {
      expect(await labels('zones/shop.yaml', rule(lines))).toEqual(expect.arrayContaining([...expected]));
    });

    it.each([
      ['http_request_firewall_custom', ['block', 'skip'], ['route', 'rewrite', 'redirect']],
      ['http_request_dynamic_redirect', ['redirect'], ['block', 'skip']],
    ] as const)('offers the actions of %s only', async (phase, possible, others) => {
      const offered = await labels('zones/shop.yaml', rule('action: ▶', phase));
      expect(offered).toEqual(expect.arrayContaining([...possible]));
      expect(offered.filter((label) => others.some((other) => other === label))).toEqual([]);
    });

    it('offers no operator of texts for a number', async () => {
      expect(await labels('zones/shop.yaml', rule('expression: ip.src.asnum ▶'))).not.toContain('contains');
    });

    it('puts the text before the cursor in for a client that takes no snippets', async () => {
      const items = await editor.completion('zones/shop.yaml', rule('expression: starts▶'));
      const found = items.find(({ label }) => label === 'starts_with');
      expect(found).toMatchObject({ textEdit: { newText: 'starts_with(' } });
      expect(found).not.toHaveProperty('insertTextFormat');
    });

    it('offers nothing inside of a string', async () => {
      expect(await labels('zones/shop.yaml', rule('expression: http.host eq "a▶"'))).toEqual([]);
    });

    it('offers phases, packs that fit the phase, and their arguments', async () => {
      const zones = PHASES.filter(({ entrypoints }) => entrypoints.includes('zone')).map(({ name }) => name);
      expect(await labels('zones/shop.yaml', 'zone: shop.example\nentrypoints:\n  ▶\n')).toEqual(
        expect.arrayContaining(zones),
      );
      const use = 'zone: shop.example\nentrypoints:\n  PHASE:\n    rules:\n      - use: ▶\n';
      expect(await labels('zones/shop.yaml', use.replace('PHASE', 'http_request_firewall_custom'))).toEqual([
        'bots',
      ]);
      expect(await labels('zones/shop.yaml', use.replace('PHASE', 'http_ratelimit'))).toEqual([]);
      expect(await labels('zones/shop.yaml', ZONE.replace('score: 30', '▶'))).toEqual(['score', 'mode']);
      expect(await labels('zones/shop.yaml', ZONE.replace('score: 30', 'score: 30, mode: ▶'))).toEqual([
        'managed_challenge',
        'log',
      ]);
    });

    it('offers refs in the project file and in tests, and codes for severities', async () => {
      expect(await labels('rulewright.yaml', PROJECT.replace('[block-admin]', '[▶]'))).toContain('from-list');
      expect(await labels('tests/shop.test.yaml', TEST.replace('rule: block-admin', 'rule: ▶'))).toContain(
        'block-admin',
      );
      expect(await labels('rulewright.yaml', `${PROJECT}lint:\n  ▶\n`)).toContain('lint/plain-secret');
      await editor.change('rulewright.yaml', PROJECT);
    });

    it('replaces a key without a second colon', async () => {
      const [item] = await editor.completion('zones/shop.yaml', ZONE.replace('action: log', 'act▶ion: log'));
      expect(item?.textEdit?.newText).not.toContain(':');
    });
  });

  describe('hover', () => {
    it.each([
      ['a field', 'expression: http.ho▶st eq "a"', 'http.host: Bytes'],
      ['a function', 'expression: low▶er(http.host) eq "a"', 'lower('],
      ['an operator', 'expression: http.host con▶tains "a"', 'contains the text'],
      ['an action', 'action: blo▶ck', 'Refuses the request.'],
      ['a key', 'enab▶led: true', 'Whether the rule runs.'],
      [
        'an id',
        'action: execute\naction_parameters: { id: efb7b8c949ac4650a0973▶6fc376e9aee }',
        'Cloudflare Managed Ruleset',
      ],
      [
        'an id of the lock',
        'action: execute\naction_parameters: { id: 0123456789abcdef01234▶56789abcdef }',
        'Vendor Extra Rules',
      ],
    ])('explains %s', async (_, lines, expected) => {
      expect(await editor.hover('zones/shop.yaml', rule(lines))).toContain(expected);
    });

    it('explains nothing inside of a string', async () => {
      expect(await editor.hover('zones/shop.yaml', rule('expression: http.host eq "ip.s▶rc"'))).toBe('');
    });

    it('explains a phase, a pack with what it comes to, a variable, and a list', async () => {
      expect(
        await editor.hover(
          'zones/shop.yaml',
          ZONE.replace('http_request_firewall', 'http_▶request_firewall'),
        ),
      ).toContain('WAF custom rules');
      const use = await editor.hover('zones/shop.yaml', ZONE.replace('use: bots', 'use: bo▶ts'));
      expect(use).toContain('Visitors that are no people');
      expect(use).toContain('cf.bot_management.score lt 30 and ip.src.continent eq "EU"');
      expect(await editor.hover('zones/shop.yaml', ZONE.replace('${office}', '${off▶ice}'))).toContain(
        '203.0.113.0/24',
      );
      expect(await editor.hover('zones/shop.yaml', ZONE.replace('$partners', '$part▶ners'))).toContain(
        'zones/blog.yaml',
      );
    });

    it('shows how the expression of a pack comes out where the pack is used', async () => {
      const text = await editor.hover('packs/bots.yaml', PACK.replace('bot_management', 'bot_man▶agement'));
      expect(text).toContain('cf.bot_management.score lt 10 and ip.src.continent eq "EU"');
      expect(text).toContain('blog.example');
    });

    it('never shows the value of a sensitive variable', async () => {
      const text = rule('expression: http.host eq ${login_▶key}\naction: block');
      expect(await editor.hover('zones/shop.yaml', text)).toContain(
        'the environment variable `LOGIN_KEY`, which is not read here',
      );
    });
  });

  describe('definitions, references and new names', () => {
    beforeAll(async () => {
      await editor.change('zones/shop.yaml', ZONE);
    });

    it.each([
      ['definition', 'zones/shop.yaml', ZONE.replace('use: bots', 'use: bo▶ts'), ['packs/bots.yaml:1:7']],
      ['definition', 'zones/shop.yaml', ZONE.replace('{ score', '{ sc▶ore'), ['packs/bots.yaml:5:3']],
      ['definition', 'packs/bots.yaml', PACK.replace('${score}', '${sco▶re}'), ['packs/bots.yaml:5:3']],
      ['definition', 'packs/bots.yaml', PACK.replace('${region}', '${reg▶ion}'), ['rulewright.yaml:4:9']],
      ['definition', 'zones/shop.yaml', ZONE.replace('${office}', '${off▶ice}'), ['zones/shop.yaml:2:9']],
      [
        'definition',
        'tests/shop.test.yaml',
        TEST.replace('block-admin', 'block-▶admin'),
        ['zones/shop.yaml:8:14'],
      ],
      [
        'references',
        'zones/shop.yaml',
        ZONE.replace('$partners', '$part▶ners'),
        ['zones/blog.yaml:8:31', 'zones/shop.yaml:13:31'],
      ],
      [
        'references',
        'packs/bots.yaml',
        PACK.replace('pack: bots', 'pack: bo▶ts'),
        ['packs/bots.yaml:1:7', 'zones/blog.yaml:5:14', 'zones/shop.yaml:6:14'],
      ],
      [
        'references',
        'zones/shop.yaml',
        ZONE.replace('ref: block-admin', 'ref: block▶-admin'),
        ['rulewright.yaml:8:21', 'tests/shop.test.yaml:5:36', 'zones/shop.yaml:8:14'],
      ],
    ])('%s in %s', async (method, path, marked, expected) => {
      expect(await editor.locations(method, path, marked, { context: { includeDeclaration: true } })).toEqual(
        expected,
      );
    });

    it('gives a pack, and a parameter of one, a new name everywhere', async () => {
      const pack = (await editor.ask('rename', 'packs/bots.yaml', PACK.replace('pack: bots', 'pack: bo▶ts'), {
        newName: 'robots',
      })) as Parameters<EditorClient['edited']>[1];
      expect(await editor.edited('packs/bots.yaml', pack)).toBe(PACK.replace('pack: bots', 'pack: robots'));
      expect(await editor.edited('zones/blog.yaml', pack)).toBe(OTHER.replace('use: bots', 'use: robots'));
      const parameter = (await editor.ask(
        'rename',
        'packs/bots.yaml',
        PACK.replace('${score}', '${sco▶re}'),
        { newName: 'below' },
      )) as Parameters<EditorClient['edited']>[1];
      expect(await editor.edited('packs/bots.yaml', parameter)).toBe(
        PACK.replace('score: {', 'below: {').replace('${score}', '${below}'),
      );
      expect(await editor.edited('zones/shop.yaml', parameter)).toBe(ZONE.replace('score: 30', 'below: 30'));
    });

    it.each([
      ['a name that is taken', ZONE.replace('{ office', '{ off▶ice'), 'office', 'already'],
      ['a name that none can have', ZONE.replace('{ office', '{ off▶ice'), 'of-fice', 'letters, digits'],
      [
        'a ref, which is the identity of a live rule',
        ZONE.replace('ref: from-list', 'ref: from▶-list'),
        'x',
        'none of them',
      ],
    ])('refuses %s', async (_, marked, newName, reason) => {
      await expect(editor.ask('rename', 'zones/shop.yaml', marked, { newName })).rejects.toThrow(reason);
    });
  });

  it('outlines phases and rules', async () => {
    await editor.change('zones/shop.yaml', ZONE);
    const phase = (await editor.symbols('zones/shop.yaml')).find(
      ({ name }) => name === 'http_request_firewall_custom',
    );
    expect(phase?.children?.map(({ name, detail }) => `${name} ${detail ?? ''}`)).toEqual([
      'bots pack',
      'block-admin block',
      'from-list log',
    ]);
  });

  it('formats as `fmt` does, and leaves alone what it cannot read', async () => {
    const untidy = ZONE.replace('zone: shop.example', 'zone:   "shop.example"');
    await editor.change('zones/shop.yaml', untidy);
    const edits = await editor.format('zones/shop.yaml');
    expect(
      await editor.edited('zones/shop.yaml', { changes: { [editor.uri('zones/shop.yaml')]: [...edits] } }),
    ).toBe(ZONE);
    await editor.change('zones/shop.yaml', 'zone: [');
    expect(await editor.format('zones/shop.yaml')).toEqual([]);
  });

  it('shows the signature of a function, and which argument is next', async () => {
    const help = await editor.signature(
      'zones/shop.yaml',
      rule('expression: starts_with(lower(http.host), ▶)'),
    );
    expect(help).toMatchObject({
      activeParameter: 1,
      signatures: [{ label: expect.stringContaining('starts_with(') }],
    });
  });

  describe('quick fixes', () => {
    const mended = async (lines: string, title: RegExp): Promise<string> => {
      const text = rule(lines);
      await editor.findings('zones/shop.yaml', text);
      await editor.until('zones/shop.yaml', ({ length }) => length > 0);
      const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
      const actions = await editor.actions('zones/shop.yaml', whole);
      const action = actions.find((one) => title.test(one.title));
      expect(actions.map((one) => one.title)).toContainEqual(expect.stringMatching(title));
      return editor.edited('zones/shop.yaml', action?.edit);
    };

    it.each([
      [
        'the field that is meant',
        'expression: http.hosst eq "a"\naction: block',
        /^Change `http.hosst` to `http.host`$/,
        'expression: http.host eq "a"\naction: block',
      ],
      [
        'the key that is meant',
        'expression: "true"\nactoin: block',
        /^Change `actoin` to `action`$/,
        'expression: "true"\naction: block',
      ],
      [
        'a safe fix',
        'expression: ip.geoip.country eq "DE"\naction: block',
        /^Write `ip.src.country` in place of `ip.geoip.country`$/,
        'expression: ip.src.country eq "DE"\naction: block',
      ],
      [
        'all safe fixes',
        'expression: ip.geoip.country eq "DE"\naction: block',
        /^Make the one safe fix of this file$/,
        'expression: ip.src.country eq "DE"\naction: block',
      ],
      [
        'a comment that suppresses a finding in a folded text',
        'expression: >-\n  http.host eq "a"\n  and ip.geoip.country eq "DE"\naction: block',
        /^Suppress expression\/deprecated-field here/,
        '# rulewright-disable-next-line expression/deprecated-field: say why it may stay\nexpression: >-\n  http.host eq "a"\n  and ip.geoip.country eq "DE"\naction: block',
      ],
    ])('offer %s', async (_, lines, title, expected) => {
      expect(await mended(lines, title)).toBe(rule(expected));
    });

    it.each([
      [['source'], 'source.fixAll.rulewright'],
      [['source.fixAll'], 'source.fixAll.rulewright'],
      [['quickfix'], 'quickfix'],
      [['source.organizeImports', 'source.fix'], ''],
    ])('are only of the kinds that are asked for: %j', async (only, expected) => {
      const text = rule('expression: ip.geoip.country eq "DE"\naction: block');
      await editor.findings('zones/shop.yaml', text);
      const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
      const kinds = (await editor.actions('zones/shop.yaml', whole, only)).map(({ kind }) => kind);
      expect([...new Set(kinds)].join()).toBe(expected);
    });
  });
});
