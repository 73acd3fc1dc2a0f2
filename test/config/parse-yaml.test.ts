import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { sourceText } from '../../src/config/source-text.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { propertyRuns } from '../property-runs.ts';

const WORDS = [
  'null',
  'Null',
  'NULL',
  '~',
  'true',
  'True',
  'FALSE',
  'no',
  'y',
  '0o17',
  '0x1F',
  '12',
  '1e3',
  '.5',
];
const MORE = [
  '.inf',
  '.NaN',
  'name',
  'text',
  'False',
  '-1',
  '+2',
  '1.5',
  'on',
  '007',
  '/path',
  '(ssl)',
  '$list',
  '<<',
];

/** Words that a schema may read as something else than text, and texts that begin like them. */
const plainScalars = fc
  .tuple(fc.constantFrom(...WORDS, ...MORE), fc.constantFrom('', '', 's', '0', '.', '_', ' x'))
  .map((parts) => parts.join(''));

test('a plain scalar is a text, a number, a boolean or nothing as the core schema has it', () => {
  fc.assert(
    fc.property(plainScalars, (value) => {
      const text = `a: ${value}\n`;
      const { document } = parseYaml(sourceText('a.yaml', text));
      fc.pre(document !== undefined);
      expect(document.value).toEqual(parse(text, { schema: 'core', version: '1.2' }));
    }),
    { numRuns: propertyRuns() },
  );
});
