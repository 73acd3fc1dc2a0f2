import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { PHASES } from '../../src/model/phases.ts';
import { brief, loadFiles } from '../config/project-folder.ts';
import { chaptersOf } from './chapters.ts';

const PAGE = readFileSync('docs/files.md', 'utf8');

const CHAPTERS = chaptersOf(PAGE);

describe('docs/files.md', () => {
  test('names the file of every YAML block', () => {
    const blocks = PAGE.match(/^```yaml$/gmu) ?? [];
    expect(CHAPTERS.flatMap(([, files]) => Object.keys(files))).toHaveLength(blocks.length);
  });

  test.each(CHAPTERS)('has valid examples: %s', async (_, files) => {
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map((one) => brief(one))).toEqual([]);
  });

  test.each(['project', 'zone', 'account', 'pack', 'variables', 'ruleset', 'rule'])(
    'mentions every key of the schema %s, and has an example of it',
    (name) => {
      const schema: JsonValue = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));
      const missing = keysOf(schema).filter(
        (key) => !new RegExp(`\`[^\`]*\\b${key}\\b[^\`]*\``, 'u').test(PAGE),
      );
      expect(missing).toEqual([]);
      const examples = CHAPTERS.flatMap(([, files]) => Object.values(files)).join('');
      expect(keysOf(schema).filter((key) => !new RegExp(`\\b${key}:`, 'u').test(examples))).toEqual([]);
    },
  );
});

const PHASE_NAMES = new Set<string>(PHASES.map(({ name }) => name));

/** The names of all properties in a schema. */
function keysOf(schema: JsonValue): readonly string[] {
  if (Array.isArray(schema)) {
    return schema.flatMap((one: JsonValue) => keysOf(one));
  }
  if (!isJsonObject(schema)) {
    return [];
  }
  const own = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const inner = Object.entries(schema).flatMap(([key, value]) => (key === 'examples' ? [] : keysOf(value)));
  return [...new Set([...own, ...inner])].filter((key) => !PHASE_NAMES.has(key));
}
