import { expect, test } from 'vitest';
import { convertedFile } from '../../src/legacy/converted-file.ts';
import type { FileRule } from '../../src/legacy/converted-file.ts';
import { formatText } from '../../src/config/format/format-text.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import type { Scope } from '../../src/model/scope.ts';

const SCOPE: Scope = { kind: 'zone', id: 'a'.repeat(32), name: 'old.example', accountId: 'b'.repeat(32) };
const EXPRESSION = '(http.host eq "a.example" and (ip.src in {192.0.2.1}))';

const content = { action: 'block', expression: EXPRESSION, description: '', enabled: true };

function yamlOf(rule: FileRule): string {
  return convertedFile(SCOPE, {
    head: 'Converted.',
    phases: [{ phase: 'http_request_firewall_custom', rules: [rule], declared: false }],
  }).yaml;
}

test('convertedFile writes a new rule as fmt would', () => {
  const text = yamlOf({ kind: 'new', ref: 'firewall-rule-1', content, comments: ['was one'] });
  expect(text).toContain('expression: http.host eq "a.example" and ip.src in {192.0.2.1}\n');
  expect(formatText(sourceText('a.yaml', text))).toEqual({ kind: 'formatted', text });
});

test('convertedFile keeps the spelling of the expression of a live rule', () => {
  const text = yamlOf({ kind: 'live', rule: { id: 'c'.repeat(32), ref: 'ours', content } });
  expect(text).toContain(`expression: ${EXPRESSION}\n`);
});
