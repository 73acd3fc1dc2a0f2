import { describe, expect, it } from 'vitest';
import { frontNotes, shadowNotes } from '../../../src/plan/match/unreachable-rules.ts';
import { desiredRule, liveRule } from '../build.ts';

const cause = { file: 'zones/shop.yaml', line: 1, column: 1 };
const rule = (ref: string, expression: string) => ({
  ref,
  content: liveRule(1, { ref, expression, action: 'block' }).content,
});
/** Conditions on fields of their own, so that only a proof tells whether one is within the other. */
const fronts = Array.from({ length: 100 }, (_, at) => rule(`x${at}`, `ip.src.asnum eq ${at}`));
const ours = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...rule(`o${at}`, `http.host eq "h${at}"`), cause }));
const covered = { ...rule('hidden', 'ip.src.asnum eq 99 and http.host eq "a"'), cause };

describe('frontNotes', () => {
  it('finds a rule of ours that another rule covers', () => {
    expect(frontNotes([...fronts, ...ours(5), covered])).toEqual([
      expect.objectContaining({ kind: 'shadowed', rule: 'hidden', cause }),
    ]);
  });

  it('makes no more proofs than a note is worth, and reports nothing about the rest', () => {
    expect(frontNotes([...fronts, ...ours(20), covered])).toEqual([]);
    const found = frontNotes([...fronts, covered, ...ours(30)]);
    expect(found.map(({ rule: ref }) => ref)).toEqual(['hidden']);
  });
});

describe('shadowNotes', () => {
  const ending = fronts.map(({ ref, content }, at) =>
    liveRule(at + 1, { ref, action: content.action, expression: content.expression }),
  );
  const added = (ref: string, expression: string) => ({ ...desiredRule({ expression }), ref });
  const hidden = added('hidden', 'ip.src.asnum eq 99 and http.host eq "a"');

  it('names the rule that takes every request of a new one', () => {
    expect(shadowNotes()(hidden, ending).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^never runs: x99 /),
    ]);
  });

  it('makes no more proofs than a note is worth, and then reports only what is certain', () => {
    const note = shadowNotes();
    for (let at = 0; at < 60; at += 1) {
      note(added(`o${at}`, `http.host eq "h${at}"`), ending);
    }
    expect(note(hidden, ending).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^comes after rules of others that end evaluation: /),
    ]);
  });
});
