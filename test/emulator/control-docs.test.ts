import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { switchValues, defaultSwitches } from '../../src/emulator/environment/switches.ts';
import { readFaults, changes, effects } from '../../src/emulator/faults/read-faults.ts';
import { controlEndpoints } from '../../src/emulator/page/describe-service.ts';
import type { Description } from '../../src/emulator/page/describe-service.ts';
import { startBench } from './bench.ts';

const root = join(import.meta.dirname, '..', '..');
const doc = readFileSync(join(root, 'docs', 'emulator.md'), 'utf8');

/** The cells of every table row of a page. */
function rowsOf(page: string): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const rows = rowsOf(doc);
const coverage = rowsOf(readFileSync(join(root, 'test', 'emulator', 'coverage.md'), 'utf8'));

function blocks(language: string): readonly string[] {
  return [...doc.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gmu'))].map(
    ([, text = '']) => text,
  );
}

/** How many table rows, numbered rules and bullets each section of the specification has. */
const COUNTS: Readonly<Record<string, number>> = {
  '2.1': 4,
  '2.2': 2,
  '2.3': 9,
  '2.4': 5,
  '2.6': 3,
  '2.7': 2,
  '3.1': 11,
  '3.2': 3,
  '3.3': 10,
  '4.1': 14,
  '4.2': 6,
  '4.3': 9,
  '5': 2,
  '7': 7,
  '8': 3,
  '9': 25,
};

/** The entries of the specification, counted in its text: rows behind a table's head, numbered rules, bullets. */
function countEntries(text: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  let section = '';
  let tableLine = 0;
  for (const line of text.split('\n')) {
    section = /^#+ (\d+(?:\.\d+)?)/u.exec(line)?.[1] ?? section;
    tableLine = line.startsWith('|') ? tableLine + 1 : 0;
    const entry = tableLine > 2 || /^(?:\d+\.|-) /u.test(line);
    if (entry && /^[2-57-9]/u.test(section)) {
      counts[section] = (counts[section] ?? 0) + 1;
    }
  }
  return counts;
}

describe('the table of what proves the specification', () => {
  const entries = coverage.filter(
    ([section = '', entry = '']) => section in COUNTS && /^(?:row|rule|bullet) \d+$/u.test(entry),
  );

  test('has every table row, numbered rule and bullet of sections 2 to 5 and 7 to 9, each once', () => {
    const counts: Record<string, number> = {};
    for (const [section = ''] of entries) {
      counts[section] = (counts[section] ?? 0) + 1;
    }
    expect(counts).toEqual(COUNTS);
    const names = entries.map(([section, entry]) => `${section} ${entry}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(entries.map((cells) => [cells[0], cells[1], cells[2], cells[3] ?? '', cells[4] ?? ''] as const))(
    '%s %s, %s: the test exists',
    (_section, _entry, _what, file, title) => {
      const path = join(root, file.replaceAll('`', ''));
      expect(existsSync(path) ? readFileSync(path, 'utf8') : path).toContain(title);
      expect(title.length).toBeGreaterThan(9);
    },
  );

  const corpus = process.env['RULEWRIGHT_CORPUS'] ?? '';
  const specification = join(corpus, 'reference', 'service-spec.md');
  test.skipIf(corpus === '' || !existsSync(specification))(
    'has as many entries as the specification itself (skipped without it in the folder RULEWRIGHT_CORPUS)',
    () => {
      expect(countEntries(readFileSync(specification, 'utf8'))).toEqual(COUNTS);
    },
  );
});

describe('docs/emulator.md documents', () => {
  const first = rows.map(([cell = '']) => cell);

  test('every switch with its values, the default first', () => {
    const values: Readonly<Record<string, readonly string[]>> = switchValues;
    const told = Object.fromEntries(
      rows.flatMap(([name = '', list = '']) => {
        const key = name.replaceAll('`', '');
        return key in values ? [[key, list.replaceAll('`', '').split(', ')] as const] : [];
      }),
    );
    for (const [name, value] of Object.entries(defaultSwitches)) {
      expect([name, told[name]?.[0], told[name]?.toSorted()]).toEqual([
        name,
        value,
        values[name]?.toSorted(),
      ]);
    }
  });

  test('every effect and every change of a fault', () => {
    expect(first).toEqual(
      expect.arrayContaining([...Object.keys(effects), ...Object.keys(changes)].map((kind) => `\`${kind}\``)),
    );
  });

  test('every family of operations, and none besides', async () => {
    const bench = await startBench();
    const page = await bench.control('GET', '/', undefined, { accept: 'application/json' });
    const { families } = (await page.json()) as Description;
    const section = doc.slice(doc.indexOf('## What it serves'), doc.indexOf('## The seed'));
    const told = [...section.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
    expect(told.filter((name) => name !== 'data').toSorted()).toEqual(
      families.map(({ name }) => name).toSorted(),
    );
  });

  test('every control endpoint', () => {
    const told = first.map((cell) => cell.split('`')[1]);
    expect(told).toEqual(
      expect.arrayContaining(controlEndpoints.map(({ method, path }) => `${method} ${path}`)),
    );
  });
});

describe('the examples of docs/emulator.md', () => {
  test('the seed can be used, and its rule names its list', async () => {
    const [seed = ''] = blocks('json');
    const bench = await startBench({ seed: JSON.parse(seed) });
    const headers = { authorization: 'Bearer a-token-for-one-zone' };
    const path =
      '/zones/11111111111111111111111111111111/rulesets/phases/http_request_firewall_custom/entrypoint';
    expect((await bench.call('GET', path, undefined, headers)).body.result).toMatchObject({
      rules: [{ ref: 'office-only', expression: 'not ip.src in $office' }],
    });
  });

  test('the fault file has three faults', () => {
    const [file = ''] = blocks('yaml');
    const read = readFaults(parse(file));
    expect(read.kind === 'faults' ? read.faults.map(({ effect }) => effect.kind) : read.problems).toEqual([
      'cut',
      'limit',
      'edit',
    ]);
  });

  test('the test equals control-example.test.ts, except for the name of the import', () => {
    const [example = ''] = blocks('ts');
    const here = readFileSync(join(import.meta.dirname, 'control-example.test.ts'), 'utf8');
    const plain = (text: string) =>
      text
        .replaceAll(/'(?:rulewright\/emulator|\.\.\/\.\.\/src\/emulator\/index\.ts)'/gu, "'…'")
        .replaceAll(/\s+/gu, ' ');
    expect(plain(here)).toContain(plain(example).trim());
  });
});
