import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, html, htmlCode, longestRun, prose, proseLines } from '../../src/report/markdown-escape.ts';
import { propertyRuns } from '../property-runs.ts';

/** What a browser shows for a text with character references. */
function shown(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_match, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll('\u{200b}', '');
}

const hostile = fc.string({
  unit: fc.constantFrom(
    ...'`*_[](){}<>#@!|~\\/:-&$%^+=.1 aw\n'.split(''),
    '```',
    '<!--',
    '-->',
    '@team',
    'GH-1',
    'GL-1',
    'www.',
  ),
});

describe('a long text', () => {
  it.each([code, prose, htmlCode])('is cut between characters (%o)', (write) => {
    expect(write(`a${'🤖'.repeat(2001)}`)).toMatch(/^(?:`|<code>)?a🤖+…/u);
  });
});

describe('prose', () => {
  it.each([
    ['@team', 'a mention'],
    ['see #12', 'an issue'],
    ['group!12', 'a merge request'],
    ['<script>alert(1)</script>', 'HTML'],
    ['<!-- rulewright:plan {} -->', 'a comment'],
    ['[a](https://evil.example)', 'a link'],
    ['a | b', 'a cell'],
    ['```\nfence', 'a fence'],
    ['https://evil.example', 'an address'],
    ['www.evil.example', 'an address without a scheme'],
    ['/close', 'a command of GitLab'],
    ['- item', 'a list'],
    ['1. item', 'a numbered list'],
    ['a:tada:b :tada:', 'a picture'],
    ['GH-12', 'an issue by prefix'],
    ['GL-12', 'an issue by prefix'],
    ['me@example.com', 'a mail address'],
  ])('writes %j without %s', (text) => {
    const told = prose(text);
    expect(told.replaceAll(/&#\d+;/g, 'x')).not.toMatch(
      /[@#!](?=\w)|[<>[\]|`]|:\/\/|www\.|^[-/]|^\d+\.|G[HL]-\d|:tada:/,
    );
    expect(shown(told).replaceAll('\\n', '\n')).toBe(text);
  });

  it('never contains an unescaped character that marks up', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(prose(text).replaceAll(/&#\d+;/g, '')).not.toMatch(/[\\`*_{}[\]<>#+!|~@&$%^="\n]/);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('keeps the line breaks of a message', () => {
    expect(proseLines('one\n# two')).toBe('one<br>&#35; two');
  });
});

describe('code', () => {
  it('cannot be closed by its content, and stays in its table cell', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = code(text);
        expect(written).not.toContain('\n');
        expect(written).not.toContain('|');
        const marks = /^`+/.exec(written)?.[0] ?? '';
        const closed =
          marks === ''
            ? /^<code>[^<>]*(?:<b><\/b>[^<>]*)*<\/code>$/.test(written)
            : longestRun(written.slice(marks.length, -marks.length)) < marks.length;
        expect(closed).toBe(true);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('shows control and bidi characters instead of obeying them', () => {
    expect(code('a\u{202e}b\u{1b}[31m')).toBe('`a\\u{202e}b\\u{1b}[31m`');
  });

  it('makes no link of an address beside a bar', () => {
    expect(shown(code('www.evil.example|x'))).toBe('<code>www.evil.example|x</code>');
    expect(code('www.evil.example|x')).not.toContain('www.');
  });

  it('cannot break out of HTML', () => {
    expect(htmlCode('</code><img src=x onerror=y>')).toBe(
      '<code>&#60;/code&#62;&#60;img src=x onerror=y&#62;</code>',
    );
    expect(html('a\n\nb')).toBe('a\\n\\nb');
  });
});
