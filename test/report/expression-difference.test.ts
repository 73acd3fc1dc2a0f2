import { describe, expect, it } from 'vitest';
import { foldBlanks, textDifference } from '../../src/report/field-difference.ts';
import type { StyledSpan } from '../../src/report/layout.ts';

/** Changed words in angle brackets. */
function marked(spans: readonly StyledSpan[]): string {
  return spans
    .map(({ text, style }) => (style === undefined ? text : `<${text}>`))
    .join('')
    .replaceAll('><', '');
}

function difference(before: string, after: string): readonly [string, string] {
  const { before: left, after: right } = textDifference(before, after);
  return [marked(left), marked(right)];
}

describe('textDifference', () => {
  it.each([
    ['cf.threat_score gt 10', 'cf.threat_score gt 20', 'cf.threat_score gt <10>', 'cf.threat_score gt <20>'],
    [
      'ip.src in {192.0.2.1}',
      'ip.src in {192.0.2.1 2001:db8::/32}',
      'ip.src in {192.0.2.1}',
      'ip.src in {192.0.2.1< 2001:db8::/32>}',
    ],
    [
      'http.host eq "a.example"',
      'http.host eq "b.example"',
      'http.host eq "<a.example>"',
      'http.host eq "<b.example>"',
    ],
    ['a eq 1 and b eq 2', 'a ne 1 or c eq 2', 'a <eq> 1 <and b> eq 2', 'a <ne> 1 <or c> eq 2'],
  ])('marks the words that differ: %s', (before, after, left, right) => {
    expect(difference(before, after)).toEqual([left, right]);
  });

  it('folds line breaks outside of quotes into blanks, and keeps quoted text', () => {
    expect(difference('a eq 1\n  and b eq "x\ny"', 'a eq 2 and b eq "x\ny"')).toEqual([
      'a eq <1> and b eq "x\ny"',
      'a eq <2> and b eq "x\ny"',
    ]);
  });

  it('keeps the blanks of raw strings, and finds the end of one that ends in a backslash', () => {
    expect(foldBlanks('a  matches  r"x  \\"  or  b')).toBe('a matches r"x  \\" or b');
    expect(foldBlanks('a  matches  r#"x  "y"  z"#  or  b')).toBe('a matches r#"x  "y"  z"# or b');
  });

  it('shortens long equal stretches to the part around the change', () => {
    const list = Array.from({ length: 90 }, (_, index) => `192.0.2.${index}`);
    const changed = list.with(45, '198.51.100.1');
    const [before, after] = difference(`ip.src in {${list.join(' ')}}`, `ip.src in {${changed.join(' ')}}`);
    const kept = (from: number, to: number): string => list.slice(from, to).join(' ');
    expect(before).toBe(
      `ip.src in {${kept(0, 8)} … ${kept(35, 45)} <192.0.2.45> ${kept(46, 56)} … ${kept(80, 90)}}`,
    );
    expect(after).toContain('<198.51.100.1>');
  });

  it('marks nothing when nothing is equal', () => {
    expect(difference('true', 'http.host eq "a"')).toEqual(['true', 'http.host eq "a"']);
  });
});
