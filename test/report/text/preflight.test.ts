import { expect, it } from 'vitest';
import { wholeText } from '../../../src/report/index.ts';
import { preflightBlocks, preflightSpan } from '../../../src/report/preflight-document.ts';
import type { Preflight } from '../../../src/model/index.ts';

it('shows the result of the preflight for every step', () => {
  const preflight: Preflight = {
    kind: 'done',
    steps: [
      { kind: 'passed', step: 'zone:a/v', unchecked: [] },
      { kind: 'passed', step: 'zone:a/x', unchecked: [{ rule: 'run', reason: 'it names custom:y' }] },
      { kind: 'not-checked', step: 'zone:a/y', code: 'depends', reason: 'rules that name it go first' },
      {
        kind: 'not-checked',
        step: 'zone:a/w',
        code: 'forbidden',
        reason: '403',
        hint: 'the token needs it',
      },
      {
        kind: 'refused',
        step: 'zone:a/z',
        unchecked: [{ reason: 'the quota has no room before zone:a/v' }],
        refusals: [
          { rule: 'c'.repeat(32), description: 'Old block', message: 'wrong' },
          {
            rule: 'bad',
            cause: { file: 'zones/a.yaml', line: 12, column: 3 },
            message: 'Filter parsing error (1:1):\nno.such.field\n^^^ unknown identifier',
            code: 20127,
            pointer: '/rules/2/expression',
          },
        ],
      },
      {
        kind: 'failed',
        step: 'zone:b/x',
        code: 'api/server-error',
        message: '502',
        hint: 'Try again later.',
      },
      { kind: 'wrote', step: 'zone:b/y', message: 'it has written', hint: 'look' },
    ],
  };
  const text = wholeText(
    { title: '', body: preflightBlocks(preflight), summary: [[preflightSpan(preflight)]] },
    { width: 100, colour: false },
  );
  expect(text).toBe(`Preflight: what the service says to these writes
  refused      zone:a/z
      “Old block” (cccccccccccccccccccccccccccccccc)
        wrong
      bad  zones/a.yaml:12
        Filter parsing error (1:1):
        no.such.field
        ^^^ unknown identifier
        code 20127, at /rules/2/expression
      not checked: the quota has no room before zone:a/v
  failed       zone:b/x
      502
      hint: Try again later.
  HAS WRITTEN  zone:b/y
      it has written
      hint: look
  ! not checked: the token needs it
  What the service says to each step:
    not checked  zone:a/w
        403
        hint: the token needs it
    passed       zone:a/v
    in part      zone:a/x
        not checked: run: it names custom:y
    not checked  zone:a/y
        rules that name it go first

Preflight of 7 steps: 1 passed, 1 passed in part, 1 refused, 2 failed, 2 not checked.
`);
});
