import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { layOut, line, span } from '../../src/report/layout.ts';
import { commandLine } from '../../src/report/tree.ts';
import { propertyRuns } from '../property-runs.ts';

const PLAIN = { width: 40, colour: false };

describe('layOut', () => {
  it('breaks a line at blanks and indents what follows', () => {
    expect(layOut([line(2, 'one two three four five six seven eight nine')], PLAIN)).toBe(
      '  one two three four five six seven\n    eight nine\n',
    );
  });

  it('cuts a word that is wider than a line', () => {
    expect(layOut([line(0, 'x'.repeat(50))], PLAIN)).toBe(`${'x'.repeat(38)}\n  ${'x'.repeat(12)}\n`);
  });

  it('cuts a wide word between the names in it', () => {
    const named = `zone:one.example@${'0'.repeat(16)}/http_request_firewall_custom: rule a`;
    expect(layOut([line(0, named)], PLAIN)).toBe(
      `zone:one.example@${'0'.repeat(16)}/\n  http_request_firewall_custom: rule a\n`,
    );
  });

  it('breaks no line if wrapping is off', () => {
    const entry = { ...line(36, 'word '.repeat(20), 'x'.repeat(50)), hang: 6 };
    expect(layOut([entry], { ...PLAIN, wrap: false })).toBe(
      `${' '.repeat(36)}${'word '.repeat(20)}${'x'.repeat(50)}\n`,
    );
  });

  it('drops all blanks at a break', () => {
    const text = layOut([line(0, 'a'.repeat(40), '  ', span('dim', 'behind'))], PLAIN);
    expect(text).toBe(`${'a'.repeat(40)}\n  behind\n`);
  });

  it('breaks a line only if the next row has more room', () => {
    const entry = { ...line(8, 'key   ', 'x'.repeat(30)), hang: 6 };
    expect(layOut([entry], PLAIN)).toBe(
      `        key   ${'x'.repeat(26)}\n${' '.repeat(14)}${'x'.repeat(4)}\n`,
    );
  });

  it('never breaks a command, and breaks what stands around it', () => {
    const command = 'rulewright plan rules --config rules/rulewright.yaml';
    expect(
      layOut([line(2, 'Some differences stay, as is seen in ', commandLine(command), ' now')], PLAIN),
    ).toBe(`  Some differences stay, as is seen in\n    ${command}\n    now\n`);
  });

  it('never cuts a URL', () => {
    const url = `https://docs.example/${'x'.repeat(50)}`;
    expect(layOut([line(2, 'see ', span('dim', url), ', page 2')], PLAIN)).toBe(
      `  see\n    ${url},\n    page 2\n`,
    );
  });

  it('does not cut verbatim text', () => {
    const entry = { ...line(2, `+ ${'word '.repeat(20)}end`), verbatim: true };
    expect(layOut([entry], PLAIN)).toBe(`  + ${'word '.repeat(20)}end\n`);
  });

  it('keeps a word whole across styles', () => {
    const text = layOut([line(0, 'a'.repeat(36), ' ', span('strong', 'left'), 'right')], PLAIN);
    expect(text).toBe(`${'a'.repeat(36)}\n  leftright\n`);
  });

  it('counts columns, not characters', () => {
    expect(layOut([line(0, `${'日'.repeat(15)} ${'本'.repeat(10)}`)], PLAIN)).toBe(
      `${'日'.repeat(15)}\n  ${'本'.repeat(10)}\n`,
    );
  });

  it('puts marks below changed words if there is no colour', () => {
    const entry = { ...line(2, 'a ', span('added-words', 'bb'), ' c'), marks: true };
    expect(layOut([entry], PLAIN)).toBe('  a bb c\n    ^^\n');
    expect(layOut([entry], { ...PLAIN, colour: true })).toBe(
      '  a \u001b[32m\u001b[7mbb\u001b[27m\u001b[39m c\n',
    );
  });

  it('reduces an indentation that leaves too little room', () => {
    const entry = { ...line(4, 'a-label-of-its-own               ', 'x'.repeat(24)), hang: 33 };
    const rows = layOut([entry, line(36, 'deep in the text')], PLAIN).split('\n');
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(PLAIN.width);
    expect(rows).toContain(`${' '.repeat(20)}${'x'.repeat(20)}`);
  });

  it('never exceeds the width and loses no word', () => {
    fc.assert(
      fc.property(
        // `##[` and `::` are commands of build services, which are spelled out.
        fc.array(fc.string({ unit: 'grapheme-ascii' }).filter((word) => !/#|::/u.test(word))),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (words, indent, hang) => {
          const text = words.join(' ');
          const rows = layOut([{ ...line(indent, text), hang }], PLAIN).split('\n');
          expect(Math.max(...rows.map((row) => stringWidth(row)))).toBeLessThanOrEqual(PLAIN.width);
          expect(rows.join('').replaceAll(/[\s\\]/g, '')).toBe(text.replaceAll(/[\s\\]/g, ''));
        },
      ),
      { numRuns: propertyRuns() },
    );
  });
});
