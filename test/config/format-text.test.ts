import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/config/format/format-text.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { propertyRuns } from '../property-runs.ts';

function formatted(text: string): string {
  const made = formatText(sourceText('zones/a.yaml', text));
  return made.kind === 'formatted' ? made.text : made.kind;
}

const UNTIDY = `# the shop
entrypoints:
    http_ratelimit: # limits
        rules: []
    http_request_firewall_custom:
        # why this is here
        rules:
        # about a
        -   action: 'block'   # stops it
            expression: ( http.host eq "a" )  and  ip.src == 192.0.2.1
            ref: "a"
        - {ref: b, action: log, expression: "true"}
        - ref: c
          expression: http.request.uri.path contains "/one and two" and http.request.uri.path contains "/three" or http.host eq "four.example"
          action: block
# last
zone: shop.example
`;

describe('formatText', () => {
  it('breaks a long clause of a folded expression again after its operator', () => {
    const long = `"${'b'.repeat(90)}"`;
    const made = formatted(`zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - ref: a
        expression: 'ssl and http.request.uri.path in {"/a" ${long}}'
        action: block
`);
    expect(made).toContain(`
          ssl
          and http.request.uri.path in {"/a"
          ${long}}
`);
  });

  it('orders keys, formats expressions, folds long ones and keeps comments', () => {
    expect(formatted(UNTIDY)).toMatchInlineSnapshot(`
      "# last
      zone: shop.example
      # the shop
      entrypoints:
        http_request_firewall_custom:
          # why this is here
          rules:
            # about a
            - ref: a
              expression: http.host eq "a" and ip.src eq 192.0.2.1
              action: block # stops it
            - { ref: b, expression: "true", action: log }
            - ref: c
              expression: >-
                (http.request.uri.path contains "/one and two" and http.request.uri.path contains "/three")
                or http.host eq "four.example"
              action: block
        http_ratelimit: # limits
          rules: []
      "
    `);
  });

  it('moves a comment with its key', () => {
    const text = `entrypoints:
  # the limits
  http_ratelimit:
    rules:
    - ref: a
      action: log
      # more to come
    # before all others
    place: first
  # TEAM RED, ask before editing
  http_request_firewall_custom: # custom
    # none yet
    rules: []
zone: shop.example
`;
    expect(formatted(text)).toBe(`zone: shop.example
entrypoints:
  # TEAM RED, ask before editing
  http_request_firewall_custom: # custom
    # none yet
    rules: []
  # the limits
  http_ratelimit:
    # before all others
    place: first
    rules:
      - ref: a
        action: log
        # more to come
`);
  });

  it('keeps the head comments of a file and of a mapping at the top', () => {
    const text = `# team red
# yaml-language-server: $schema=a.json
# what runs
entrypoints:
  # in the order of the service

  # later
  http_ratelimit: { rules: [] }

  # first

  http_request_firewall_custom: { rules: [] }
# the shop
zone: shop.example
`;
    expect(formatted(text)).toBe(`# team red
# yaml-language-server: $schema=a.json
# the shop
zone: shop.example
# what runs
entrypoints:
  # in the order of the service

  # first
  http_request_firewall_custom: { rules: [] }

  # later
  http_ratelimit: { rules: [] }
`);
  });

  it('leaves an invalid file alone, and an account expression whose spelling matters', () => {
    expect(formatted('zone: [')).toBe('invalid');
    const enterprise =
      'account: a\nentrypoints:\n  http_ratelimit:\n    rules:\n      - expression: (true) and cf.zone.plan eq "ENT"\n        action: execute\n';
    expect(formatted(enterprise)).toBe(enterprise);
  });

  it('writes control and direction characters as escapes, in values and keys', () => {
    const text = 'zone: a\nlabels: { "k\\x9b": "\\x9b31m\\u202e \\u2028\\x7f\\0\\ufeff" }\n';
    const lines = 'vars:\n  a: |\n    one \u202e\n    two\n';
    expect(formatted(text + lines)).toBe(
      'zone: a\nvars:\n  a: "one \\u202e\\ntwo\\n"\nlabels: { "k\\u009b": "\\u009b31m\\u202e \\u2028\\u007f\\0\\ufeff" }\n',
    );
  });

  it('changes nothing the second time in the examples', () => {
    for (const file of examples()) {
      const text = readFileSync(file, 'utf8');
      const once = formatted(text);
      expect(formatted(once)).toBe(once);
    }
  });

  it('changes nothing the second time, and keeps every comment, in random files', () => {
    const blanks = fc.constantFrom('', ' ', '\n', '\n\n', '\n# note\n', '\n  # note\n', ' # tail\n');
    const value = fc.constantFrom(
      'x',
      '"x"',
      "'x'",
      '"on"',
      '012',
      '[a, "b"]',
      '[ a,\n b ]',
      '{ k: v }',
      '|\n    text\n     more',
      '>-\n    some\n    text',
      '&a b',
      'http.host == "a"',
    );
    const key = fc.constantFrom('ref', 'expression', 'action', 'description', 'other');
    const rule = fc.uniqueArray(fc.tuple(key, value, blanks), { selector: ([name]) => name, minLength: 1 });
    const file = fc
      .tuple(fc.array(rule, { maxLength: 4 }), blanks)
      .map(
        ([rules, head]) =>
          `${head}zone: a${head.includes('#') ? '' : ' # one'}\nentrypoints:\n  http_ratelimit:\n    rules:\n${rules
            .map((pairs) =>
              pairs
                .map(
                  ([name, text, gap], index) =>
                    `      ${index === 0 ? '- ' : '  '}${name}: ${text.replaceAll('\n', '\n      ')}${gap.startsWith('\n') ? `\n${gap}` : `${gap}\n`}`,
                )
                .join(''),
            )
            .join('')}`,
      );
    fc.assert(
      fc.property(file, (text) => {
        fc.pre(parseYaml(sourceText('', text)).document !== undefined);
        const once = formatted(text);
        expect(once).not.toBe('unsafe');
        expect(formatted(once)).toBe(once);
        expect(once.split('#').length).toBe(text.split('#').length);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** The YAML files of the example projects; the other examples belong to other tools. */
function examples(): readonly string[] {
  const folder = new URL('../../examples', import.meta.url).pathname;
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((project) => existsSync(join(project, 'rulewright.yaml')))
    .flatMap((project) => readdirSync(project, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name));
}
