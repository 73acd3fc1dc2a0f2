import { expect, test } from 'vitest';
import { parseTemplate } from '../../../src/config/compose/template.ts';
import { formatText } from '../../../src/config/format/format-text.ts';
import { sourceText } from '../../../src/config/source/source-text.ts';
import { reviewedYaml } from '../../../src/legacy/waf/waf-config.ts';
import { parseYaml } from '../../../src/config/yaml/parse-yaml.ts';
import type { WafConfiguration } from '../../../src/legacy/waf/waf-migration.ts';

const CONFIGURATION: WafConfiguration = {
  scope: { kind: 'zone', id: 'a'.repeat(32), name: 'old.example', accountId: 'b'.repeat(32) },
  status: { state: 'start', oldWaf: 'on', newWaf: 'off' },
  rules: [
    {
      rule: { ref: 'a', description: 'costs $${price}', expression: '(ssl)', action: 'skip' },
      notes: ['carried over\u001b[2J\nfrom a rule'],
    },
  ],
  notes: ['nothing\u2028more'],
  settings: [],
  notChecked: [],
};

test('reviewedYaml writes a WAF configuration with control characters as valid YAML in the style of fmt', () => {
  const text = reviewedYaml(CONFIGURATION, {
    ownership: { kind: 'patterns', patterns: ['a*'] },
    names: [{ path: ['rules', 0, 'action'], text: 'a name\u2028of theirs', place: 'behind' }],
  });
  const source = sourceText('a.yaml', text);
  expect(formatText(source)).toEqual({ kind: 'formatted', text });
  // A control character or a broken line in a comment would be a finding.
  const { document, diagnostics } = parseYaml(source);
  expect(diagnostics).toEqual([]);
  const value = document?.value;
  expect(value).toEqual({
    zone: 'old.example',
    entrypoints: {
      http_request_firewall_managed: {
        ownership: { rules: 'all' },
        rules: [{ ref: 'a', description: 'costs $${price}', expression: 'ssl', action: 'skip' }],
      },
    },
  });
  expect(parseTemplate('costs $${price}').every(({ kind }) => kind === 'text')).toBe(true);
});
