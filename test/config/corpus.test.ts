import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';

import { corpusRulesets, sampleRulesets, toDocument } from './corpus.ts';
import { brief, loadFiles } from './project-folder.ts';

const FOLDER = process.env['RULEWRIGHT_CORPUS'] ?? '';
const skipped = FOLDER === '' ? ' (skipped: RULEWRIGHT_CORPUS is not set)' : '';

describe.skipIf(FOLDER === '')(`rulesets of the reference material${skipped}`, () => {
  test('x', async () => {
    const out: string[] = [];
    for (const one of [...corpusRulesets(FOLDER), ...sampleRulesets(FOLDER)]) {
      const result = await loadFiles({ 'zones/a.yaml': stringify(toDocument(one)) });
      for (const d of result.diagnostics.filter((x) => x.severity === 'error'))
        out.push(`${one.file} ${brief(d)} ${d.hint}`);
    }
    console.log(out.join('\n'));
    expect(out).toEqual([]);
  });
});
