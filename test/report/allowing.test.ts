import { expect, test } from 'vitest';
import { guardRefusal } from '../../src/report/allowing.ts';

test('offers no flag for a finding that nothing allows', () => {
  const gone = 'Nothing allows `referenced`: first remove the rules that name what is to be deleted';
  expect(guardRefusal([{ kind: 'referenced' }])).toEqual({
    message: 'Refused by the guard `referenced` (see above). Nothing was written.',
    hint: gone,
  });
  expect(guardRefusal([{ kind: 'irreversible' }, { kind: 'referenced' }]).hint).toBe(
    `To allow it for this run: --allow irreversible. ${gone}`,
  );
  expect(guardRefusal([{ kind: 'account' }]).hint).toContain('Nothing allows `account`: use the token of');
});

test('repeats what the run allowed already, which its rerun needs too', () => {
  expect(guardRefusal([{ kind: 'weakened' }], ['protected']).hint).toBe(
    'To allow it for this run: --allow protected,weakened',
  );
});
