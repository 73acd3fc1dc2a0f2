import { describe, expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { driftMarkdown, driftPage, driftPieces, planMarkdown, planPage, planPieces } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { add, content, judged, patch, plan, remove, scope, update } from './plan-builder.ts';

const skip = content({ action: 'skip', action_parameters: { ruleset: 'current' } });
const weakens = (reason: string) => ({ protection: { kind: 'weakening', reason } }) as const;

/** Where names stand in a text for the first time, as an order. */
const orderIn = (text: string, names: readonly string[]): readonly string[] =>
  names.toSorted((one, other) => text.indexOf(one) - text.indexOf(other));

describe('what needs attention', () => {
  const made = plan(
    judged(
      scope([
        update([
          add('doubted', {
            protection: { kind: 'weakening', reason: 'may let more requests past', proven: false },
          }),
          add('skipping', { content: skip, ...weakens('skips the rules after it') }),
          remove('asking', {
            before: content({ action: 'managed_challenge' }),
            ...weakens('no longer challenges what it matches'),
          }),
          remove('blocking', weakens('no longer blocks what it matches')),
        ]),
      ]),
    ),
  );
  const wanted = ['blocking', 'asking', 'skipping', 'doubted'];

  it.each([
    ['text', joinPieces(planPieces(made, { width: 200, colour: false }))],
    ['Markdown', planMarkdown(made, null)],
    ['the page', joinPieces(planPage(made))],
  ])('is told the most severe first, what is not proven last: %s', (_what, text) => {
    expect(orderIn(text, wanted)).toEqual(wanted);
  });
});

describe('what live does to protection', () => {
  const drift = driftOf(
    plan(
      scope([
        update([
          patch('doubted', {
            before: { expression: 'http.host eq "b"' },
            after: { expression: 'http.user_agent contains "b"' },
          }),
          add('lost'),
        ]),
      ]),
    ),
  );
  const wanted = ['lost', 'doubted'];

  it('is marked as not proven where it is not', () => {
    expect(drift.changes.map(({ rule, proven }) => [rule, proven])).toEqual([
      ['lost', undefined],
      ['doubted', false],
    ]);
  });

  it.each([
    ['text', joinPieces(driftPieces(drift, { width: 200, colour: false }))],
    ['Markdown', driftMarkdown(drift, null)],
    ['the page', joinPieces(driftPage(drift))],
  ])('is told before what is not proven: %s', (_what, text) => {
    expect(text).toContain('Not proven harmless: live may protect less than the files');
    expect(orderIn(text, wanted)).toEqual(wanted);
  });
});
