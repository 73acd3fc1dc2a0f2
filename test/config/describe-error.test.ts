import { expect, test } from 'vitest';
import { describeError } from '../../src/config/schema/validate-document.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';

test('describeError falls back to schema/invalid for a keyword without its own message', () => {
  const { document } = parseYaml(sourceText('a.yaml', 'a: 1\n'));
  if (document === undefined) {
    throw new Error('the text is valid');
  }
  const error = { keyword: 'multipleOf', path: ['a'], params: {}, schema: {}, rule: 2, value: 1, document };
  expect(describeError(error)).toEqual({ code: 'schema/invalid', message: '`a` is not valid (multipleOf)' });
});
