import { describe, expect, test } from 'vitest';
import { loadProject } from '../../../src/config/load-project.ts';
import { desiredYaml } from '../../../src/config/write/desired-yaml.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { loadFiles, loadValid } from '../project-folder.ts';

const ALL = { rules: { kind: 'all' }, rulesets: 'declared' } as const;

/** The desired state of scopes, without the places where it is declared, and without the time zone, which times in the files say for themselves. */
function wanted(scopes: readonly DesiredScope[]): unknown {
  const places = ['cause', 'files', 'tokenCause', 'where', 'timeZone'];
  return JSON.parse(
    JSON.stringify(scopes, (key, value: unknown) => (places.includes(key) ? undefined : value)),
  );
}

async function readBack(
  scopes: readonly DesiredScope[],
  project: string,
  usual: Parameters<typeof desiredYaml>[1] = ALL,
): Promise<unknown> {
  const files = Object.fromEntries(
    scopes.map((scope, index) => [`zones/${String(index).padStart(3, '0')}.yaml`, desiredYaml(scope, usual)]),
  );
  return wanted((await loadValid({ ...files, 'rulewright.yaml': project })).scopes);
}

describe('desiredYaml', () => {
  test.each(['examples/fleet', 'examples/shop'])(
    'writes files for %s that load to the same desired state',
    async (cwd) => {
      const loaded = await loadProject({ cwd });
      const scopes = loaded.kind === 'loaded' ? loaded.project.scopes : [];
      expect(scopes.length).toBeGreaterThan(0);
      expect(await readBack(scopes, 'version: 1\nfiles: [zones/*.yaml]\n')).toEqual(wanted(scopes));
    },
  );

  test('keeps settings, custom rulesets, unknown parameters and texts that look like variables', async () => {
    const { scopes } = await loadValid({
      'zones/a.yaml': `zone: a.example
token_env: A_TOKEN
labels: { env: test }
ownership: { rules: ["a-*"], rulesets: all }
entrypoints:
  http_request_firewall_custom:
    place: first
    description: $\${text}
    ignore: [{ rule: "a-*", reason: x, until: 2999-01-01 }]
    rules:
      - { ref: a-1, expression: ssl, action: block, enabled: false, extra_parameters: { new: "$\${x}" } }
      - { ref: a-2, id: 5de7edfa648c4d6891dc3e7f84534ffa, adopt: true, expression: ssl, action: skip, action_parameters: { ruleset: current }, logging: { enabled: false } }
rulesets:
  - { name: Here, phase: http_request_firewall_custom, rules: [] }
  - { name: Gone, phase: http_request_firewall_custom, absent: true }
`,
    });
    expect(await readBack(scopes, 'version: 1\nfiles: [zones/*.yaml]\n')).toEqual(wanted(scopes));
  });

  test('keeps an ownership that differs from that of the project', async () => {
    const project = 'version: 1\nfiles: [zones/*.yaml]\nownership: { rules: ["shop-*"], rulesets: all }\n';
    const { scopes, settings } = await loadValid({
      'rulewright.yaml': project,
      'zones/a.yaml': `zone: a.example
ownership: { rulesets: declared }
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: all }
    rules: [{ ref: a, expression: ssl, action: log }]
  http_request_firewall_managed:
    rules: []
`,
    });
    expect(await readBack(scopes, project, settings.ownership)).toEqual(wanted(scopes));
  });

  test('keeps the rule ownership of a scope for rulesets that no file declares', async () => {
    const project = 'version: 1\nfiles: [zones/*.yaml]\nownership: { rules: ["shop-*"], rulesets: all }\n';
    const { scopes, settings } = await loadValid({
      'rulewright.yaml': project,
      'zones/a.yaml':
        'zone: a.example\nentrypoints: { http_ratelimit: { ownership: { rules: all }, rules: [] } }\n',
      'zones/b.yaml': 'zone: b.example\nownership: { rules: all }\n',
      'zones/c1.yaml': 'zone: c.example\nownership: { rules: ["c1-*"] }\n',
      'zones/c2.yaml': 'zone: c.example\nownership: { rules: ["c2-*"] }\n',
    });
    expect(scopes.map(({ ruleOwnership }) => ruleOwnership)).toEqual([
      { kind: 'patterns', patterns: ['shop-*'] },
      undefined,
      { kind: 'patterns', patterns: ['c1-*', 'c2-*'] },
    ]);
    expect(await readBack(scopes, project, settings.ownership)).toEqual(wanted(scopes));
    expect(await readBack(scopes, 'version: 1\nfiles: [zones/*.yaml]\n')).toEqual(wanted(scopes));
  });

  test('comments each rule with the files and uses that it comes from', async () => {
    const { scopes } = await loadValid({
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/p.yaml': 'pack: p\nrules:\n  - { ref: a, expression: ssl, action: log }\n',
      'zones/a.yaml':
        'zone: a.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - use: p\n      - { ref: b, expression: ssl, action: log }\n',
    });
    expect(scopes.map((scope) => desiredYaml(scope, ALL))).toEqual([
      `zone: a.example
entrypoints:
  http_request_firewall_custom:
    rules:
      # packs/p.yaml:3 via zones/a.yaml:5
      - ref: a
        expression: ssl
        action: log
      # zones/a.yaml:6
      - ref: b
        expression: ssl
        action: log
`,
    ]);
  });

  test('is never called for an invalid file, because the project does not load', async () => {
    expect((await loadFiles({ 'zones/a.yaml': 'zone: ${a}\nentrypoints: 1\n' })).kind).toBe('invalid');
  });
});
