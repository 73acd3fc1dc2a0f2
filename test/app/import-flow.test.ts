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

/** Changes members of the live rule `mark-edge`, past Rulewright. */
async function changeEdgeRule(members: Readonly<Record<string, unknown>>): Promise<void> {
  const [zone] = await bench.ok<{ id: string }[]>('GET', '/zones?name=api.example');
  const at = entryPoint(`/zones/${zone?.id}`, 'http_request_late_transform');
  const { id, rules } = await bench.ok<{ id: string; rules: { id: string; ref: string }[] }>('GET', at);
  const rule = rules.find(({ ref }) => ref === 'mark-edge');
  await bench.ok('PATCH', `/zones/${zone?.id}/rulesets/${id}/rules/${rule?.id}`, { ...rule, ...members });
}

/** Imports api.example over the text of its file, with at most one pack and one live change. */
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

test('import reports each rule that it removes from a file, with the position it had', async () => {
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

test('import refuses to write through a link that leads out of the project, and writes nothing else', async () => {
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

test('import reports the rules that differ from a file of several zones, and where the file declares the phase', async () => {
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

test('import reports "differs" for a pack rule in a file of several zones, with the position in the pack', async () => {
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

test('import judges changes to the file of one zone, and none in a file of several zones, which it keeps', async () => {
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

describe('an import with nameRules', () => {
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

  test('reports nothing about a file of several zones in which each rule has a ref', async () => {
    expect(await keptOf(SHARED)).toEqual([]);
  });

  test('reports the position of a phase in a file of several zones that has a rule without a ref', async () => {
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

  test('reports nothing about a ruleset with absent: true that is not live', async () => {
    const gone = '{ name: Gone, phase: http_request_firewall_custom, absent: true }';
    expect(await keptOf(`zone: api.example\nrulesets:\n  - ${gone}\n`)).toEqual([]);
  });
});

test('import writes zones of the same name to separate files that also carry the account id', async () => {
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
  'import quotes an account id that looks like a number in rulewright.yaml: %s',
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
test('import names the files of a zone and an account of the same name after that name', async () => {
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

describe('import over rulesets in YAML flow style', () => {
  test('rewrites a differing ruleset in block style with its comments, and leaves the other one alone', async () => {
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

  test('writes out aliases that would lose their anchor', async () => {
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

  test('keeps flow style when only a rule from a pack differs', async () => {
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

  test('changes a scalar and adds and removes keys of a rule in place, in flow style', async () => {
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

  test('writes a multi-line text on one line, and removes a rule together with its line', async () => {
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

  test('keeps the comments of a flow-style rule and of a multi-line key that it rewrites', async () => {
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

  test('keeps comments below a value out of the folded text that replaces the value', async () => {
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

  test('keeps a byte order mark and the document markers', async () => {
    const { text, kept } = await follow(
      '\u{feff}---\nzone: api.example\nentrypoints:\n  http_request_firewall_custom: {rules: []}\n...\n',
    );
    expect(kept).toEqual([]);
    expect(text).toMatch(/^\u{feff}---\nzone: api\.example\n[^]*\n\.\.\.\n$/u);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });

  test('keeps CR LF line ends', async () => {
    const { text, kept } = await follow(
      'zone: api.example\r\nentrypoints:\r\n  http_request_firewall_custom:\r\n    rules: # ours\r\n      - { ref: a, expression: ssl, action: log }\r\n',
    );
    expect(kept).toEqual([]);
    expect(text).not.toMatch(/(?<!\r)\n/u);
    expect(stepsOf(await bench.plan())).toEqual([]);
    expect((await bench.import(SCOPE)).written).toEqual([]);
  });
});

test('import writes accounts whose names lead to the same path to separate files', async () => {
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
