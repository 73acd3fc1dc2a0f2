import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadFiles } from '../config/project-folder.ts';

const page = await readFile('docs/safety.md', 'utf8');
const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';
const ZONE = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - {ref: allow-partner, expression: ip.src eq 203.0.113.7, action: log}
`;

describe('docs/safety.md', () => {
  it('has more than three YAML examples', () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  it.each(blocks.map((text) => [text.split('\n').slice(0, 4).join(' ').slice(0, 60), text]))(
    'has a valid YAML example: %s',
    async (_title, text) => {
      const files = text.startsWith('zone:')
        ? { 'rulewright.yaml': PROJECT, 'zones/shop.yaml': text }
        : { 'rulewright.yaml': text.includes('version:') ? text : PROJECT + text, 'zones/shop.yaml': ZONE };
      expect((await loadFiles(files)).diagnostics).toEqual([]);
    },
  );
});
