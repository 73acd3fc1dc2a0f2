import { describe, expect, it } from 'vitest';
import { beginning, describedName, ruleName, shortName } from '../../src/model/described-name.ts';

const ID = '3e830f31e82e8e9e561242ce1a33c3ee';
const MADE_UP = 'rw-0123456789abcdef';

describe('the name of a rule', () => {
  it.each([ID, MADE_UP])('is its description when the ref is %s', (ref) => {
    expect(describedName(ref, 'Slow down scrapers')).toBe(`“Slow down scrapers” (${ref})`);
    expect(shortName(ref, 'Slow down scrapers')).toBe('“Slow down scrapers”');
    expect(ruleName(ref, 'Slow down scrapers')).toEqual({ rule: ref, description: 'Slow down scrapers' });
  });

  it.each([
    ['scrapers', 'Slow down scrapers'],
    [ID, ''],
    ['rw-mine', 'Made by hand'],
  ])('is its ref when the ref is %s and the description is “%s”', (ref, description) => {
    expect(describedName(ref, description)).toBe(ref);
    expect(shortName(ref, description)).toBe(ref);
    expect(ruleName(ref, description)).toEqual({ rule: ref });
  });
});

it('writes a name that has line breaks on one line', () => {
  expect(describedName(ID, 'one\r\n::error::two')).toBe(String.raw`“one\r\n::error::two” (${ID})`);
  expect(shortName('a\nNo changes.', '')).toBe(String.raw`a\nNo changes.`);
});

it('cuts a long description between characters, not within one', () => {
  const long = '🤖'.repeat(200);
  expect(beginning(long)).toBe(`${'🤖'.repeat(140)}…`);
  expect(beginning('🤖'.repeat(140))).toBe('🤖'.repeat(140));
  expect(describedName(ID, long)).toBe(`“${'🤖'.repeat(140)}…” (${ID})`);
});
