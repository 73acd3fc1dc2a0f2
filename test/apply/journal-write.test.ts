import { describe, expect, it } from 'vitest';
import { journalWrite } from '../../src/apply/journal-write.ts';
import type { Write } from '../../src/plan/writes.ts';
import { id, liveRule, liveRuleset } from '../plan/build.ts';

// The rule `a` has a sensitive value live: what a write puts in its place may be the value of before.

const header = (value: string) => ({
  ref: 'a',
  action: 'rewrite',
  action_parameters: { headers: { 'x-key': { operation: 'set', value } } },
});
const LIVE = liveRuleset([
  liveRule(1, header('<sensitive:KEY>')),
  liveRule(2, { ...header('public'), ref: 'b' }),
]);
const RULESET = id(0xfff);
const first = { kind: 'first' } as const;

describe('the journal of a write over a sensitive value', () => {
  it.each<[what: string, write: Write, shown: readonly string[]]>([
    [
      'hides what a patch puts in its place',
      { kind: 'patch-rule', id: RULESET, ruleId: id(1), rule: header('old'), behind: null },
      ['<sensitive>'],
    ],
    [
      'hides it under another ref, too',
      {
        kind: 'patch-rule',
        id: RULESET,
        ruleId: id(1),
        rule: { ...header('old'), ref: 'other' },
        behind: null,
      },
      ['<sensitive>'],
    ],
    [
      'hides it in a whole list, by id and by ref, and nothing else',
      {
        kind: 'put-ruleset',
        id: RULESET,
        description: null,
        rules: [{ ...header('old'), id: id(1) }, header('older'), { ...header('public'), ref: 'b' }],
      },
      ['<sensitive>', '<sensitive>', 'public'],
    ],
    [
      'says what only moves',
      { kind: 'patch-rule', id: RULESET, ruleId: id(1), rule: null, behind: first },
      [],
    ],
    [
      'shows other rules',
      {
        kind: 'patch-rule',
        id: RULESET,
        ruleId: id(2),
        rule: { ...header('public'), ref: 'b' },
        behind: null,
      },
      ['public'],
    ],
  ])('%s', (_what, write, shown) => {
    const text = JSON.stringify(journalWrite(write, LIVE));
    expect([...text.matchAll(/"value":"([^"]*)"/gu)].map(([, value]) => value)).toEqual(shown);
    expect(JSON.parse(text)).toMatchObject({ kind: write.kind, id: RULESET });
  });
});
