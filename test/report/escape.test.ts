import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disarmLine, escapeLines, escapeText, maskLine } from '../../src/report/escape.ts';
import { planText } from './printed.ts';
import { propertyRuns } from '../property-runs.ts';
import { add, content, plan, scope, update } from './plan-builder.ts';

describe('text of others', () => {
  it.each([
    ['an ANSI escape', '\u001b[31mred', String.raw`\u{1b}[31mred`],
    ['a one-byte control sequence', '\u009b31m', String.raw`\u{9b}31m`],
    ['a link', '\u001b]8;;https://evil.example\u0007x', String.raw`\u{1b}]8;;https://evil.example\u{7}x`],
    ['line breaks and tabs', 'a\r\nb\tc', String.raw`a\r\nb\tc`],
    ['bidi controls', 'a\u202egnp.exe\u2066', String.raw`a\u{202e}gnp.exe\u{2066}`],
    ['zero widths', 'pay\u200bpal\ufeff', String.raw`pay\u{200b}pal\u{feff}`],
    ['line separators', 'a\u2028b\u2029c', String.raw`a\u{2028}b\u{2029}c`],
    ['tag characters', 'x\u{e0041}', String.raw`x\u{e0041}`],
    ['half a surrogate pair', 'x\ud800y', String.raw`x\u{d800}y`],
    [
      'a command of a build service',
      '##[add-mask]x ##vso[task] ##teamcity[setParameter]',
      String.raw`#\u{23}[add-mask]x #\u{23}vso[task] #\u{23}teamcity[setParameter]`,
    ],
    [
      'fillers that nobody sees',
      'a\u3164b\u115fc\u034fd\u2800e',
      String.raw`a\u{3164}b\u{115f}c\u{34f}d\u{2800}e`,
    ],
    ['blanks that are not the blank', 'a\u00a0b\u2003c', String.raw`a\u{a0}b\u{2003}c`],
    ['a sign without a form of its own', 'a\ufe0fb', String.raw`a\u{fe0f}b`],
    ['a sign in colours, a wide blank', '\u26a0\ufe0f \u65e5\u3000\u672c', '\u26a0\ufe0f \u65e5\u3000\u672c'],
    ['other scripts and signs', 'Grüße 日本語 🛒 שלום', 'Grüße 日本語 🛒 שלום'],
  ])('is escaped where it could mislead: %s', (_title, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  it('loses its line breaks, except in messages of our own', () => {
    expect(escapeLines('one\ntwo\u001b[2J')).toEqual(['one', String.raw`two\u{1b}[2J`]);
  });

  it('is masked at the same length, so that columns stay aligned', () => {
    const text = 'a\u001b[1m\tb\u202e\u{e0041}##[x';
    const masked = maskLine(text);
    expect(masked).toBe('a\ufffd[1m b\ufffd\ufffd\ufffd#\ufffd[x');
    expect(masked).toHaveLength(text.length);
  });

  it('is no command at the beginning of a line', () => {
    expect(disarmLine('  ::add-mask::x')).toBe(String.raw`  \::add-mask::x`);
    expect(disarmLine('ip.src in {::1}')).toBe('ip.src in {::1}');
  });

  it('never reaches the text of a plan unescaped', () => {
    const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
    const hostile = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(hostile, hostile, hostile, (ref, description, value) => {
        const rule = add(ref, {
          content: content({ description, expression: value, action_parameters: { [ref]: [value] } }),
          place: { index: 2, after: value },
        });
        const text = planText(plan(scope([update([rule])])), { width: 80, colour: false });
        for (const row of text.split('\n')) {
          expect(row).not.toMatch(unsafe);
          expect(row.trimStart().startsWith('::')).toBe(false);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
