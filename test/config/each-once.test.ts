import { expect, it } from 'vitest';
import { eachOnce } from '../../src/config/tell-findings.ts';
import { finding } from '../../src/config/source/finding.ts';
import { sourceText, spanAt } from '../../src/config/source/source-text.ts';

it.each([
  [undefined, '2 more uses of the pack have it'],
  ['write it so', 'write it so; 2 more uses of the pack have it'],
  ['did you mean `x`?', 'did you mean `x`? 2 more uses of the pack have it'],
])(
  'eachOnce reports a finding of several uses of a pack once, with the number of other uses: %j',
  (hint, told) => {
    const source = sourceText('packs/p.yaml', 'a: b');
    const uses = [1, 2, 3].map((line) => ({
      ...finding('yaml/syntax', { message: 'wrong', hint, where: spanAt(source, 0, 1) }),
      where: { ...spanAt(source, 0, 1), via: [{ ...spanAt(source, 0, 1), file: `zones/${line}.yaml` }] },
    }));
    expect(eachOnce(uses).map((found) => found.hint)).toEqual([told]);
  },
);
