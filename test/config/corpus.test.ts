import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';

import { corpusRulesets, sampleRulesets, toDocument } from './corpus.ts';
import type { CorpusRuleset } from './corpus.ts';
import { loadFiles } from './project-folder.ts';

const FOLDER = process.env['RULEWRIGHT_CORPUS'] ?? '';
const CORPUS = FOLDER === '' ? [] : corpusRulesets(FOLDER);
const SAMPLES = FOLDER === '' ? [] : sampleRulesets(FOLDER);

/** The refused rulesets of the corpus: the reason, the numbers of the files, and the codes of the findings. */
const REFUSED: readonly (readonly [reason: string, files: readonly string[], codes: readonly string[]])[] = [
  ['a recording of 2021 with mitigation_expression (api.md 3.4)', ['0202'], ['schema/unknown-key']],
  [
    'recorded oddity: skip.rules with an empty list, in an account rule without the Enterprise clause (api.md 4.4, 5.4)',
    ['0214'],
    ['config/enterprise-clause', 'schema/out-of-bounds'],
  ],
  [
    'test data with headers and uri in one rewrite and a made-up expression (api.md 5.5)',
    ['0222'],
    ['config/parameter-in-phase', 'expression/syntax', 'schema/one-of', 'schema/wrong-type'],
  ],
  [
    'the same with headers as a mapping',
    ['0232'],
    ['config/parameter-in-phase', 'expression/syntax', 'schema/one-of'],
  ],
  ["another tool's list of headers", ['0244', '0358', '0362'], ['schema/wrong-type']],
  ["another tool's rule ids joined by commas", ['0246', '0366'], ['schema/wrong-type']],
  ['headers and uri rewrites in one phase (api.md 4.4)', ['0250'], ['config/parameter-in-phase']],
  ['query_string with include and exclude (api.md 5.11)', ['0252', '0266'], ['schema/out-of-bounds']],
  [
    'test data of every field in the phase of custom rules',
    ['0258'],
    ['config/unexpected-ratelimit', 'schema/missing-item', 'schema/unknown-key'],
  ],
  ['a credential check at zone level (api.md 3.2)', ['0260'], ['config/unexpected-credential-check']],
  [
    'entries that only name the rules to keep (api.md 6.1)',
    ['0322'],
    ['schema/missing-action', 'schema/missing-key'],
  ],
  [
    'keys in camel case, as another tool writes them',
    ['0372', '0374', '0376', '0378', '0384', '0394'],
    ['schema/unknown-key'],
  ],
  ['the same with keys that are null', ['0380'], ['schema/no-value', 'schema/unknown-key']],
  [
    'the same in a phase that does not take the action',
    ['0382'],
    ['config/action-in-phase', 'expression/syntax', 'schema/unknown-key'],
  ],
  ["another tool's action", ['0396'], ['schema/unknown-action', 'schema/unknown-key']],
  ['a variable of another tool in a text', ['0400', '0406', '0426', '0428'], ['variable/malformed']],
  ['a variable of another tool as the phase', ['0424'], ['schema/unknown-key']],
];

const skipped = FOLDER === '' ? ' (skipped: RULEWRIGHT_CORPUS is not set)' : '';

describe.skipIf(FOLDER === '')(`rulesets of the reference material${skipped}`, () => {
  test('are more than a hundred, with more than fifteen samples', () => {
    expect(CORPUS.length).toBeGreaterThan(100);
    expect(SAMPLES.length).toBeGreaterThan(15);
  });

  test.each(CORPUS)('$file is valid, or refused for a known reason', async (ruleset) => {
    const [, , codes] = REFUSED.find(([, files]) => files.includes(ruleset.file.slice(0, 4))) ?? ['', [], []];
    expect(await errorsOf(ruleset)).toEqual(codes);
  });

  test.each(SAMPLES)('$file is valid', async (ruleset) => {
    expect(await errorsOf(ruleset)).toEqual([]);
  });
});

/** The codes of the errors in a ruleset that is written as YAML, each once. */
async function errorsOf(ruleset: CorpusRuleset): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles({ 'zones/a.yaml': stringify(toDocument(ruleset)) });
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  return [...new Set(errors)].sort();
}
