import { describe, expect, test } from 'vitest';

import { brief, loadFiles } from '../project-folder.ts';
import type { Files } from '../project-folder.ts';

const PROJECT = (more: string) => `version: 1\nfiles: [zones/*.yaml]\n${more}\n`;
const RULE = (ref: string) => `{ref: ${ref}, expression: ssl, action: log}`;
const ZONE = (...rules: readonly string[]) =>
  `zone: a\nentrypoints: {http_request_firewall_custom: {rules: [${rules.join(', ')}]}}\n`;

const found = async (files: Files, options = {}) =>
  (await loadFiles(files, options)).diagnostics.map((one) => brief(one));

/** The findings of a project file beside a zone with the rule `block-admin`. */
const foundOf = (more: string, options = {}) =>
  found({ 'rulewright.yaml': PROJECT(more), 'zones/a.yaml': ZONE(RULE('block-admin')) }, options);

describe('patterns of refs', () => {
  const WRONG = [
    'block-{admin,login}',
    'block-?dmin',
    '!block-*',
    'block-[ab]*',
    '^block',
    '(a|b)',
    '${x}',
    'a,b',
  ];

  test.each(WRONG)('support only `*`: %s is an error in safety, ownership and ignore', async (pattern) => {
    const until = 'reason: x, until: 2030-01-31';
    const zone = ZONE(RULE('block-admin'));
    const places = [
      [{ 'rulewright.yaml': PROJECT(`safety: {protect: ["${pattern}"]}`) }, 'rulewright.yaml:3:20'],
      [
        { 'rulewright.yaml': PROJECT(`safety: {allow: [{kind: weakened, rule: "${pattern}", ${until}}]}`) },
        'rulewright.yaml:3:41',
      ],
      [{ 'rulewright.yaml': PROJECT(`ownership: {rules: ["${pattern}"]}`) }, 'rulewright.yaml:3:21'],
      [{ 'rulewright.yaml': PROJECT(`ignore: [{rule: "${pattern}", ${until}}]`) }, 'rulewright.yaml:3:17'],
      [{ 'zones/a.yaml': `ownership: {rules: ["${pattern}"]}\n${zone}` }, 'zones/a.yaml:1:21'],
    ] as const;
    for (const [files, place] of places) {
      expect(await found({ 'rulewright.yaml': PROJECT(''), 'zones/a.yaml': zone, ...files })).toEqual([
        expect.stringContaining(`${place} schema/wrong-form `),
      ]);
    }
  });

  test('may contain any other character of a ref', async () => {
    expect(await foundOf('safety: {protect: ["*Admin v1.2/eu: #3*", "block-*"]}')).toEqual([
      expect.stringContaining('rulewright.yaml:3:20 config/protect-unmatched '),
    ]);
  });
});

describe('an entry of protect', () => {
  test('that matches no rule of any file is reported, with a similar ref as hint', async () => {
    const { diagnostics } = await loadFiles({
      'rulewright.yaml': PROJECT(
        'safety: {protect: [block-admn, allow-*, block-*, "*login", from-pack]}\npacks: [packs/*.yaml]',
      ),
      'packs/p.yaml': `pack: p\nrules: [${RULE('pack')}]\n`,
      'zones/a.yaml': ZONE(RULE('block-admin'), '{use: p, prefix: from-}'),
      'zones/b.yaml': ZONE(RULE('challenge-login')).replace('zone: a', 'zone: b'),
    });
    expect(diagnostics.map(({ code, where, hint }) => [code, where?.start.column, hint])).toEqual([
      ['config/protect-unmatched', 20, 'did you mean `block-admin`?'],
      ['config/protect-unmatched', 32, expect.stringContaining('keep it until the rule is gone live')],
    ]);
  });

  test('that is an id may name a rule that only live has', async () => {
    expect(await foundOf(`safety: {protect: [${'5'.repeat(31)}a]}`)).toEqual([]);
  });

  test('is not judged when a file has errors, so that not all rules are known', async () => {
    const files = {
      'rulewright.yaml': PROJECT('safety: {protect: [other]}'),
      'zones/a.yaml': ZONE(RULE('block-admin')),
      'zones/b.yaml': 'zone: b\nentrypoints: {http_request_firewall_custom: {rules: [{ref: other}]}}\n',
    };
    expect(await found(files)).not.toContainEqual(expect.stringContaining('protect'));
  });
});

describe('an entry of allow', () => {
  const allow = (rest: string) =>
    `safety: {allow: [{kind: protected, rule: gone-*, reason: x, until: 2026-01-31}${rest}]}`;

  test('may name a rule that the files no longer have, because its deletion is what is allowed', async () => {
    expect(await foundOf(allow(''))).toEqual([]);
  });

  test('is reported once its last day has passed', async () => {
    const two = allow(', {kind: scopes, reason: x, until: 2026-01-30}');
    expect(await foundOf(two, { today: '2026-01-30' })).toEqual([]);
    const code: string = 'config/expired-allow';
    expect(await foundOf(two, { today: '2026-02-01' })).toEqual([
      `rulewright.yaml:3:19 ${code} this \`allow\` of protected for gone-* expired on 2026-01-31`,
      `rulewright.yaml:3:82 ${code} this \`allow\` of scopes expired on 2026-01-30`,
    ]);
  });
});
