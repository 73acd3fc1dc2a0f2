import { describe, expect, test } from 'vitest';
import type { Project } from '../../../src/config/read-project.ts';
import type { DesiredRule } from '../../../src/model/rule.ts';
import { formatPlace } from '../../../src/model/source.ts';
import { loadFiles, loadValid } from '../project-folder.ts';

const PROJECT = `version: 1
files: [zones/*.yaml]
packs: [packs/*.yaml]
vars: { stage: production, score: 30 }
`;

const BOTS = `pack: bots
params:
  threshold: { type: integer, default: 40 }
  except: { type: expression, default: ssl }
rules:
  - ref: challenge
    expression: cf.waf.score lt \${threshold} and not \${except}
    action: managed_challenge
    description: \${stage}
  - use: inner
    prefix: in-
    with: { hosts: [a.example], seconds: "\${threshold}" }
`;

const INNER = `pack: inner
params:
  hosts: { type: list }
  seconds: { type: integer }
rules:
  - ref: limit
    expression: http.host in \${hosts}
    action: block
    action_parameters:
      response: { status_code: 429, content_type: text/plain, content: "\${seconds} seconds, $\${seconds}" }
`;

const SHOP = `zones:
  - { name: shop.example, vars: { office: [192.0.2.0/24] }, labels: { env: production } }
  - blog.example
vars: { office: [198.51.100.7], stage: test }
labels: { team: web }
entrypoints:
  http_request_firewall_custom:
    rules:
      - use: bots
        with: { threshold: "\${score}" }
      - ref: office
        expression: ip.src in \${office}
        action: log
`;

const FILES = {
  'rulewright.yaml': PROJECT,
  'packs/bots.yaml': BOTS,
  'packs/inner.yaml': INNER,
  'zones/shop.yaml': SHOP,
};

function rulesOf({ scopes }: Project, zone: string): readonly DesiredRule[] {
  return scopes
    .filter(({ scope }) => scope.name === zone)
    .flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules));
}

describe('a project with packs and variables', () => {
  test('has the rules of the packs where they are used, with the arguments of the use', async () => {
    const rules = rulesOf(await loadValid(FILES), 'shop.example');
    expect(rules.map(({ ref, content }) => [ref, content.expression])).toEqual([
      ['challenge', 'cf.waf.score lt 30 and not (ssl)'],
      ['in-limit', 'http.host in {"a.example"}'],
      ['office', 'ip.src in {192.0.2.0/24}'],
    ]);
    expect(rules[1]?.content.action_parameters).toEqual({
      response: { status_code: 429, content_type: 'text/plain', content: '30 seconds, ${seconds}' },
    });
  });

  test('names the files and uses that each rule comes from', async () => {
    const rules = rulesOf(await loadValid(FILES), 'shop.example');
    expect(rules.map(({ cause }) => formatPlace(cause))).toEqual([
      'packs/bots.yaml:6:5 via zones/shop.yaml:9:14',
      'packs/inner.yaml:6:5 via packs/bots.yaml:10:10 via zones/shop.yaml:9:14',
      'zones/shop.yaml:11:9',
    ]);
  });

  test('takes the value of a variable from the zone, else from the file, else from the project', async () => {
    const project = await loadValid(FILES);
    expect(rulesOf(project, 'shop.example').at(-1)?.content.expression).toBe('ip.src in {192.0.2.0/24}');
    expect(rulesOf(project, 'blog.example').at(-1)?.content.expression).toBe('ip.src in {198.51.100.7}');
    expect(rulesOf(project, 'blog.example')[0]?.content.description).toBe('test');
  });

  test('reads a value of --var as the type of the value that it replaces', async () => {
    const variables = new Map([
      ['office', '203.0.113.1, 203.0.113.2'],
      ['score', '7'],
    ]);
    const rules = rulesOf(await loadValid(FILES, { variables }), 'blog.example');
    expect(rules.map(({ content }) => content.expression)).toEqual([
      'cf.waf.score lt 7 and not (ssl)',
      'http.host in {"a.example"}',
      'ip.src in {203.0.113.1 203.0.113.2}',
    ]);
  });

  test('refuses values of --var that have the wrong type or no variable', async () => {
    const variables = new Map([
      ['score', 'many'],
      ['office', '203.0.113.1,'],
      ['offcie', 'x'],
    ]);
    const { kind, diagnostics } = await loadFiles(FILES, { variables });
    expect(kind).toBe('invalid');
    expect(diagnostics.map(({ code, message, hint }) => `${code} ${message}; ${hint}`).toSorted()).toEqual([
      'variable/undefined no file declares the variable `offcie`, which --var gives; did you mean `office`?',
      'variable/wrong-value the value that --var gives `office` has a comma with nothing before or after it; it is read as the type that it replaces; separate the items of a list with commas',
      'variable/wrong-value the value that --var gives `score` is not a number; it is read as the type that it replaces; separate the items of a list with commas',
    ]);
  });

  test('gives a zone of a list its own labels and those of its file', async () => {
    const { scopes } = await loadValid(FILES);
    expect(scopes.map(({ scope, labels }) => [scope.name, labels])).toEqual([
      ['shop.example', { team: 'web', env: 'production' }],
      ['blog.example', { team: 'web' }],
    ]);
  });

  test('takes mappings of variables and labels that are empty, as one from a template may be', async () => {
    const { scopes } = await loadValid({
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars: {}\n',
      'zones/a.yaml':
        'zones: [{name: a.example, vars: {}, labels: {}}]\nvars: {}\nlabels: {}\nentrypoints: {}\n',
    });
    expect(scopes.map(({ scope }) => scope.name)).toEqual(['a.example']);
  });

  test('reads environment variables as the types that `env` declares', async () => {
    const project = {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv:\n  hosts: { from: HOSTS, type: list }\n  least: { from: LEAST, type: integer, default: 5 }\n  on: { from: ON, type: boolean }\n',
      'zones/a.yaml':
        'zone: a.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: a, expression: "http.host in ${hosts} and cf.waf.score gt ${least}", enabled: "${on}", action: log }\n',
    };
    const loaded = await loadValid(project, { environment: { HOSTS: 'a.example,b.example', ON: 'false' } });
    expect(rulesOf(loaded, 'a.example').map(({ content }) => [content.expression, content.enabled])).toEqual([
      ['http.host in {"a.example" "b.example"} and cf.waf.score gt 5', false],
    ]);
  });

  test('fills the variables of the project in the value of a zone variable', async () => {
    const rules = rulesOf(
      await loadValid({
        'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars: { domain: example }\n',
        'zones/a.yaml':
          'zone: a.example\nvars: { host: "www.${domain}" }\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: a, expression: "http.host eq ${host}", action: log }\n',
      }),
      'a.example',
    );
    expect(rules[0]?.content.expression).toBe('http.host eq "www.example"');
  });

  test('is narrowed to the zones that use a pack when the run names the pack', async () => {
    const other = 'zone: other.example\nentrypoints: {}\n';
    const project = await loadValid({ ...FILES, 'zones/other.yaml': other }, { paths: ['packs/inner.yaml'] });
    expect(project.scopes.map(({ scope }) => scope.name)).toEqual(['shop.example', 'blog.example']);
  });

  test('reports a finding in a list of zones once', async () => {
    const { diagnostics } = await loadFiles({
      'zones/a.yaml':
        'zones: [a.example, b.example, c.example]\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: a, expression: "ip.geoip.country eq \\"AT\\"", action: log }\n',
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['expression/deprecated-field']);
  });
});
