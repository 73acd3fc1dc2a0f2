import { describe, expect, test } from 'vitest';
import { sourceText } from '../../../src/config/source/source-text.ts';
import { inBlockStyle } from '../../../src/config/write/block-style.ts';

const RULES = ['entrypoints', 'http_ratelimit', 'rules'];

function block(text: string, path = RULES): string | undefined {
  return inBlockStyle(sourceText('zones/a.yaml', text), path);
}

describe('inBlockStyle', () => {
  test('writes a list of rules in block style, with its comments', () => {
    const text = `zone: a.example # ours
entrypoints:
  http_ratelimit:
    rules: # all of them
      [
        # the login
        { ref: login, action: block, expression: "true", ratelimit: { period: 60 } }, # sixty
        { ref: other, action: log, expression: 'http.host eq "a"' },
      ]
    # the end
  http_config_settings: { rules: [] }
`;
    expect(block(text)).toBe(`zone: a.example # ours
entrypoints:
  http_ratelimit:
    rules: # all of them
      # the login
      # sixty
      - ref: login
        action: block
        expression: "true"
        ratelimit: { period: 60 }
      - ref: other
        action: log
        expression: http.host eq "a"
    # the end
  http_config_settings: { rules: [] }
`);
  });

  test('writes the mappings around the list in block style, and leaves their other members alone', () => {
    const text = `zone: a.example
entrypoints: { http_config_settings: { rules: [] }, http_ratelimit: { rules: [{ ref: a }, { ref: b }] } } # both
labels: { env: test }
`;
    expect(block(text)).toBe(`zone: a.example
entrypoints: # both
  http_config_settings: { rules: [] }
  http_ratelimit:
    rules:
      - ref: a
      - ref: b
labels: { env: test }
`);
  });

  test('moves a comment behind the opening bracket to the key, or below it if the key gets another comment', () => {
    const text = (behind: string): string => `zone: a.example
entrypoints:
  http_ratelimit:
    rules: [ # all of them
      { ref: a },
      # of b
      { ref: b } ]${behind}
`;
    const lines = `      - ref: a
      # of b
      - ref: b
`;
    const head = 'zone: a.example\nentrypoints:\n  http_ratelimit:\n';
    expect(block(text(''))).toBe(`${head}    rules: # all of them\n${lines}`);
    expect(block(text(' # the end'))).toBe(`${head}    rules: # the end\n      # all of them\n${lines}`);
  });

  test('keeps comments inside brackets with their rules, and comments behind brackets with their key', () => {
    const text = `zone: a.example
entrypoints:
  http_ratelimit: { description: x, # of the phase
    rules: [{ ref: a }, { ref: b } # of b
      ] # of the rules
    # of all
    } # outside
`;
    expect(block(text)).toBe(`zone: a.example
entrypoints:
  http_ratelimit: # outside
    # of all
    description: x # of the phase
    rules:
      - ref: a
      # of b
      # of the rules
      - ref: b
`);
    expect(block('zone: a\nentrypoints:\n  http_ratelimit:\n    rules: [{ ref: a }] # of the rules\n')).toBe(
      'zone: a\nentrypoints:\n  http_ratelimit:\n    rules: # of the rules\n      - ref: a\n',
    );
  });

  test('writes a custom ruleset in a list in block style', () => {
    const text = `zone: a.example
rulesets:
  - { name: One, phase: http_request_firewall_custom, rules: [] }
  - { name: Two, phase: http_request_firewall_custom, rules: [{ ref: a }] } # second
`;
    expect(block(text, ['rulesets', '1', 'rules'])).toBe(`zone: a.example
rulesets:
  - { name: One, phase: http_request_firewall_custom, rules: [] }
  - name: Two
    phase: http_request_firewall_custom
    rules:
      - ref: a # second
`);
  });

  test.each([
    ['what stands on lines already', 'entrypoints:\n  http_ratelimit:\n    rules:\n      - { ref: a }\n'],
    ['an empty list', 'entrypoints:\n  http_ratelimit:\n    rules: []\n'],
    [
      'a whole file in braces',
      '{ zone: a.example, entrypoints: { http_ratelimit: { rules: [{ ref: a }] } } }\n',
    ],
    ['anchors', 'entrypoints:\n  http_ratelimit: { rules: [&a { ref: a }, { <<: *a }] }\n'],
  ])('leaves %s alone', (_, text) => {
    expect(block(text.startsWith('{') ? text : `zone: a.example\n${text}`)).toBeUndefined();
  });
});
