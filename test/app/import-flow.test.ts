import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { entryPoint } from '../emulator/bench.ts';
import type { ImportBench } from './import-bench.ts';
import { openImportBench, stepsOf } from './import-bench.ts';

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';
const WITH_PACKS = `${PROJECT}packs: [packs/*.yaml]\n`;
const SCOPE = { zones: ['api.example'] };

let bench: ImportBench;
beforeAll(async () => {
  bench = await openImportBench();
});
afterAll(() => bench.close());

/** Somebody changes the rule `mark-edge`. */
async function changeEdgeRule(members: Readonly<Record<string, unknown>>): Promise<void> {
  const [zone] = await bench.ok<{ id: string }[]>('GET', '/zones?name=api.example');
  const at = entryPoint(`/zones/${zone?.id}`, 'http_request_late_transform');
  const { id, rules } = await bench.ok<{ id: string; rules: { id: string; ref: string }[] }>('GET', at);
  const rule = rules.find(({ ref }) => ref === 'mark-edge');
  await bench.ok('PATCH', `/zones/${zone?.id}/rulesets/${id}/rules/${rule?.id}`, { ...rule, ...members });
}

/** What an import makes of a file. */
async function follow(
  text: string,
  pack?: string,
  live?: Readonly<Record<string, unknown>>,
): Promise<{ readonly text: string; readonly kinds: readonly string[]; readonly kept: readonly string[] }> {
  await bench.reset();
  mkdirSync(join(bench.folder, 'zones'));
  writeFileSync(join(bench.folder, 'rulewright.yaml'), pack === undefined ? PROJECT : WITH_PACKS);
  writeFileSync(join(bench.folder, 'zones', 'api.yaml'), text);
  if (pack !== undefined) {
    mkdirSync(join(bench.folder, 'packs'));
    writeFileSync(join(bench.folder, 'packs', 'edge.yaml'), pack);
  }
  if (live !== undefined) {
    await changeEdgeRule(live);
  }
  const { scopes } = await bench.import(SCOPE);
  return {
    text: bench.files()['zones/api.yaml'] ?? '',
    kinds: scopes.map(({ kind }) => kind),
    kept: scopes.flatMap((scope) => (scope.kind === 'failed' ? [scope.message] : scope.kept)),
  };
}

test('import names the rules that it takes out of the files, with where they stood', async () => {
  await bench.reset();
  mkdirSync(join(bench.folder, 'zones'));
  writeFileSync(join(bench.folder, 'rulewright.yaml'), PROJECT);
  await bench.import(SCOPE);
  const file = join(bench.folder, 'zones', 'api.example.yaml');
  const text = bench.files()['zones/api.example.yaml'] ?? '';
  const rule = '      - { ref: not-yet-applied, expression: ssl, action: log }\n';
  const nameless = '      - { description: Soon, expression: ssl, action: log }\n';
  const phase = '  http_request_firewall_custom:\n    rules:\n';
  expect(text).toContain(phase);
  writeFileSync(file, text.replace(phase, phase + rule + nameless));
  const line = text.slice(0, text.indexOf(phase)).split('\n').length + 2;
  const { scopes } = await bench.import(SCOPE);
  expect(scopes).toMatchObject([
    {
      kind: 'changed',
      removed: [
        `http_request_firewall_custom: not-yet-applied (zones/api.example.yaml:${line}) is not live`,
        `http_request_firewall_custom: "Soon" (zones/api.example.yaml:${line + 1}) is not live`,
      ],
    },
  ]);
  expect(bench.files()['zones/api.example.yaml']).toBe(text);
});

test('a folder that is a link out of the project is not written into, and nothing else is written', async () => {
  await bench.reset();
  const outside = mkdtempSync(join(tmpdir(), 'rulewright-outside-'));
  try {
    symlinkSync(outside, join(bench.folder, 'zones'));
    writeFileSync(join(bench.folder, 'rulewright.yaml'), 'version: 1\nfiles: [sites/*.yaml]\n');
    await expect(bench.import(SCOPE)).rejects.toMatchObject({
      code: 'import/outside',
      message: 'zones/api.example.yaml would be written outside of the project folder, behind a link',
    });
    expect(readdirSync(outside)).toEqual([]);
    expect(Object.keys(bench.files())).toEqual(['rulewright.yaml']);
  } finally {
    rmSync(join(bench.folder, 'zones'));
    rmSync(outside, { recursive: true });
  }
});

test('import names the rules that differ from a file of several zones, and where it declares them', async () => {
  const { text, kept } = await follow(`zones: [api.example, blog.example]
entrypoints:
  http_request_late_transform:
    rules: []
`);
  expect(kept).toEqual([
    'http_request_late_transform: zones/api.yaml:3 declares it for several scopes, and live differs in mark-edge: change it there',
  ]);
  expect(text).toContain('rules: []');
});

test('import leads to the pack of a rule that differs from a file of several zones, and does not call that unchanged', async () => {
  const pack = `pack: edge
rules:
  - ref: mark-edge
    description: Tell the origin where the request came in
    expression: "true"
    action: rewrite
    action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } }
`;
  const { text, kinds, kept } = await follow(
    `zones: [api.example, blog.example]
entrypoints:
  http_request_late_transform:
    rules:
      - use: edge
`,
    pack,
    { enabled: false },
  );
  expect(kinds).toEqual(['differs']);
  expect(kept).toEqual([
    'http_request_late_transform: zones/api.yaml:3 declares it for several scopes, and live differs in mark-edge (packs/edge.yaml:3 via zones/api.yaml:5): change it there',
  ]);
  expect(text).toContain('- use: edge');
});

test('import judges what a file of its own takes over, and not what a file of several zones keeps', async () => {
  const { folder } = bench;
  await bench.reset();
  mkdirSync(join(folder, 'zones'));
  writeFileSync(join(folder, 'rulewright.yaml'), PROJECT);
  const file = (head: string, phase: string): string =>
    `${head}\nentrypoints:\n  ${phase}:\n    rules:\n      - { ref: gone, expression: ssl, action: skip, action_parameters: { ruleset: current } }\n`;
  writeFileSync(join(folder, 'zones', 'own.yaml'), file('zone: api.example', 'http_request_firewall_custom'));
  writeFileSync(
    join(folder, 'zones', 'two.yaml'),
    file('zones: [api.example, blog.example]', 'http_request_firewall_managed'),
  );
  const { scopes } = await bench.import(SCOPE);
  const [api] = scopes;
  expect(api).toMatchObject({ kept: [expect.stringContaining('http_request_firewall_managed')] });
  const steps = api?.kind === 'failed' ? [] : (api?.changes ?? []).map(({ step, rule }) => `${step} ${rule}`);
  expect(steps).toContain('zone:api.example/http_request_firewall_custom gone');
  expect(steps.filter((step) => step.includes('http_request_firewall_managed'))).toEqual([]);
});

describe('an import that proposes refs', () => {
  const SHARED = `zones: [api.example, blog.example]
entrypoints:
  http_request_late_transform:
    rules:
      - ref: mark-edge
        description: Tell the origin where the request came in
        expression: "true"
        action: rewrite
        action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } }
`;
  const keptOf = async (text: string): Promise<readonly string[]> => {
    await follow(text);
    const { scopes } = await bench.import({ ...SCOPE, nameRules: true });
    return scopes.flatMap((scope) => (scope.kind === 'failed' ? [scope.message] : scope.kept));
  };

  test('says nothing of a file of several zones in which each rule has one', async () => {
    expect(await keptOf(SHARED)).toEqual([]);
  });

  test('leads to the file of several zones whose rules have none', async () => {
    const rules = `  http_request_firewall_custom:
    rules:
      - ref: c269bd37bef1b1b7f71d12782028e56c
        description: Only JSON clients
        expression: not any(http.request.headers["accept"][*] contains "json")
        action: block
      - ref: challenge-unknown-networks
        description: Hosting networks
        expression: ip.src.asnum in {64496 64497}
        action: managed_challenge
        enabled: false
`;
    expect(await keptOf(SHARED + rules)).toEqual([
      'http_request_firewall_custom: zones/api.yaml:10 declares it for several scopes: name its rules there',
    ]);
  });

  test('says nothing of a ruleset that is deleted already', async () => {
    const gone = '{ name: Gone, phase: http_request_firewall_custom, absent: true }';
    expect(await keptOf(`zone: api.example\nrulesets:\n  - ${gone}\n`)).toEqual([]);
  });
});

test('zones of one name come to files of their own, named after their accounts too', async () => {
  const twin = (account: string) => ({
    name: 'twin.example',
    account,
    rulesets: [
      {
        kind: 'zone',
        phase: 'http_request_firewall_custom',
        rules: [{ ref: `of-${account}`, action: 'block', expression: 'ssl' }],
      },
    ],
  });
  const twins = await openImportBench({
    seed: { version: 1, accounts: [{ name: 'a' }, { name: 'b' }], zones: [twin('a'), twin('b')] },
  });
  try {
    const { written } = await twins.import({ allZones: true });
    const paths = ['a', 'b'].map((name) => `zones/twin.example@${scopeId('account', name)}.yaml`);
    expect(written.toSorted()).toEqual(['rulewright.yaml', ...paths].toSorted());
    expect(paths.map((path) => twins.files()[path])).toEqual([
      expect.stringContaining('ref: of-a'),
      expect.stringContaining('ref: of-b'),
    ]);
    expect(stepsOf(await twins.plan())).toEqual([]);
  } finally {
    await twins.close();
  }
});

test.each(['1'.repeat(32), `${'0'.repeat(31)}1`, `12e${'3'.repeat(29)}`])(
  'an account whose id looks like a number, %s, is named by it all the same',
  async (id) => {
    const bench = await openImportBench({ seed: { version: 1, accounts: [{ id, name: 'a' }], zones: [] } });
    try {
      await bench.import({ zones: [], accounts: ['a'] });
      expect(bench.files()['rulewright.yaml']).toContain(`accounts: ["${id}"]`);
      expect(stepsOf(await bench.plan())).toEqual([]);
    } finally {
      await bench.close();
    }
  },
);
test('a zone and an account of one name are both called by it', async () => {
  const name = 'shop.example';
  const both = await openImportBench({
    seed: { version: 1, accounts: [{ name, plan: 'enterprise' }], zones: [{ name, account: name }] },
  });
  try {
    const { written } = await both.import({ zones: [name], accounts: [name] });
    expect(written).toEqual(['rulewright.yaml', 'accounts/shop-example.yaml', 'zones/shop.example.yaml']);
    expect(both.files()['zones/shop.example.yaml']).toMatch(/^zone: shop\.example$/mu);
    expect(both.files()['accounts/shop-example.yaml']).toMatch(/^account: shop\.example$/mu);
  } finally {
    await both.close();
  }
});

describe('import over rulesets in braces and brackets', () => {
  test('one that differs comes to stand on lines of its own, with its comments; nothing else moves', async () => {
    const { text, kept } = await follow(`zone: api.example
entrypoints:
  http_request_late_transform: { rules: [{ ref: mark-edge, description: Tell the origin where the request came in, expression: "true", action: rewrite, action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } } }] } # as live
  # ours
  http_request_firewall_custom: { rules: [
    # networks that we do not know
    { ref: challenge-unknown-networks, description: Hosting networks, expression: 'ip.src.asnum in {64496}', action: managed_challenge }, # for now
    ] }
`);
    expect(kept).toEqual([]);
    expect(text)
      .toContain(`expression: "true", action: rewrite, action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } } }] } # as live
  # ours
  http_request_firewall_custom:
    rules:
      - ref: c269bd37bef1b1b7f71d12782028e56c
        description: Only JSON clients
        expression: not any(http.request.headers["accept"][*] contains "json")
        action: block
      # networks that we do not know
      # for now
      - ref: challenge-unknown-networks
        description: Hosting networks
        expression: ip.src.asnum in {64496 64497}
        action: managed_challenge
        enabled: false
`);
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('aliases in them are written out where they would lose their anchor', async () => {
    const before = `zone: api.example
entrypoints:
  http_request_firewall_custom:
    rules: [{ ref: challenge-unknown-networks, description: &all Old, expression: "true", action: log }, # of the first
      { ref: b, expression: "true", description: *all, action: log }]
`;
    const { text, kept } = await follow(before);
    expect(kept).toEqual([]);
    expect(text).toContain('expression: ip.src.asnum in {64496 64497}');
    expect(text).toContain('# of the first');
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('one of which only what a pack says differs stays in its brackets', async () => {
    const before = `zone: api.example
entrypoints:
  http_request_late_transform: { rules: [{ use: edge }] }
`;
    const pack = `pack: edge
rules:
  - ref: mark-edge
    expression: "true"
    action: rewrite
    action_parameters: { headers: { X-Edge: { operation: remove } } }
`;
    const { text, kept } = await follow(before, pack);
    expect(text).toContain(before.slice(before.indexOf('  http_request_late')));
    expect(kept).toEqual([
      'http_request_late_transform: mark-edge comes from a pack (packs/edge.yaml:3 via zones/api.yaml:3): change it there',
    ]);
  });

  test('a number in braces changes alone, and keys come and go in them', async () => {
    const before = `zone: api.example
entrypoints:
  http_request_late_transform: { rules: [ # one
    { ref: mark-edge, enabled: false, # off
      # what it says
      "description": 'Old, and "odd"',
      expression: "true", action: rewrite, action_parameters: {headers: { X-Edge: {operation: set, value: "no"}, X-Old: { operation: remove } }} } # last
    ] }
  http_request_firewall_custom: { rules: [] } # none
`;
    const { text, kept } = await follow(before);
    expect(kept).toEqual([]);
    expect(text).toContain(`  http_request_late_transform: { rules: [ # one
    { ref: mark-edge, # off
      # what it says
      "description": Tell the origin where the request came in,
      expression: "true", action: rewrite, action_parameters: {headers: { X-Edge: {operation: set, value: "yes"} }} } # last
    ] }
  http_request_firewall_custom: # none
    rules:
      - ref:`);
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('a text of several lines stays on one, and rules before it go with their lines', async () => {
    const before = `zone: api.example
entrypoints:
  http_request_late_transform: { rules: [
    # gone
    { ref: a, expression: "true", action: rewrite, action_parameters: { headers: { X-A: { operation: remove } } } },
    # stays
    { ref: mark-edge, description: Tell the origin where the request came in, expression: "true", action: rewrite, action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } } } ] }
`;
    const { text, kept } = await follow(before, undefined, {
      expression: 'http.host in {"a.example" "b.example"} or\n  http.host eq "c.example"',
    });
    expect(kept).toEqual([]);
    expect(text).toContain(`  http_request_late_transform: { rules: [
    # gone
    # stays
    { ref: mark-edge, description: Tell the origin where the request came in, expression: "http.host in {\\"a.example\\" \\"b.example\\"} or\\n  http.host eq \\"c.example\\"", action: rewrite, `);
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('a rule in braces and a key with several lines keep their comments when they are written anew', async () => {
    const before = `zone: api.example
entrypoints:
  http_request_late_transform:
    rules:
      - ref: mark-edge
        description: Tell the origin where the request came in
        expression: "true"
        action: rewrite
        action_parameters: { # for the origin
            headers: { X-Edge: { operation: set, value: "no" } } } # ours
  http_request_firewall_custom:
    rules:
      # in order
      - { ref: challenge-unknown-networks, # see the runbook
          description: Hosting networks, # and more
          expression: 'ip.src.asnum in {64496}', action: managed_challenge } # for now
`;
    const { text } = await follow(before);
    for (const comment of [
      '# for the origin',
      '# ours',
      '# in order',
      '# see the runbook',
      '# and more',
      '# for now',
    ]) {
      expect(text).toContain(comment);
    }
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('comments below a value do not become part of a longer one', async () => {
    const { text, kept } = await follow(
      `zone: api.example
entrypoints:
  http_request_late_transform:
    rules:
      - ref: mark-edge
        description: Old # one
            # two
          # three

          # after a blank line
        # four
        expression: "true"
        action: rewrite
        action_parameters: { headers: { X-Edge: { operation: set, value: "yes" } } }
`,
      undefined,
      { description: `${'Tell the origin where the request came in '.repeat(4)}now` },
    );
    expect(kept).toEqual([]);
    expect(text).toContain(`      - ref: mark-edge
        # one
        # two
        # three
        # after a blank line
        description: >-
          Tell the origin where the request came in`);
    expect(text).toContain('        # four\n        expression: "true"\n');
    expect(stepsOf(await bench.plan())).toEqual([]);
  });

  test('a byte order mark, and marks around the document, stay', async () => {
    const { text, kept } = await follow(
      '\u{feff}---\nzone: api.example\nentrypoints:\n  http_request_firewall_custom: {rules: []}\n...\n',
    );
    expect(kept).toEqual([]);
    expect(text).toMatch(/^\u{feff}---\nzone: api\.example\n[^]*\n\.\.\.\n$/u);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('lines that end with CR LF still do', async () => {
    const { text, kept } = await follow(
      'zone: api.example\r\nentrypoints:\r\n  http_request_firewall_custom:\r\n    rules: # ours\r\n      - { ref: a, expression: ssl, action: log }\r\n',
    );
    expect(kept).toEqual([]);
    expect(text).not.toMatch(/(?<!\r)\n/u);
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });
});

test('accounts whose names are alike in a path have files of their own', async () => {
  const accounts = ['Shop!', 'Shop?'].map((name) => ({ name, plan: 'enterprise' }));
  const several = await openImportBench({ seed: { version: 1, accounts, zones: [] } });
  try {
    const { written } = await several.import({ accounts: ['Shop!', 'Shop?'] });
    expect(written).toHaveLength(3);
    expect(Object.values(several.files()).flatMap((text) => /^account: .*/mu.exec(text) ?? [])).toEqual(
      expect.arrayContaining(['account: Shop!', 'account: Shop?']),
    );
    expect(stepsOf(await several.plan())).toEqual([]);
    expect((await several.import({ accounts: ['Shop!', 'Shop?'] })).written).toEqual([]);
  } finally {
    await several.close();
  }
});
