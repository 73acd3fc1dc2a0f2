import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { diagnosticsText } from '../printed.ts';

const LOOK = { width: 80, colour: false };

const SOURCE = `zone: shop.example
entrypoints:
  http_ratelimit:
    rules:
      - ref: limit
        actoin: block
`;

function at(line: number, column: number, end: number): Pick<Diagnostic, 'where'> {
  return { where: { file: 'zones/shop.yaml', start: { line, column }, end: { line, column: end } } };
}

function text(diagnostics: readonly Diagnostic[], source: string = SOURCE): string {
  return diagnosticsText({ diagnostics, sources: new Map([['zones/shop.yaml', source]]) }, LOOK);
}

describe('findings', () => {
  it('are sorted and counted, each with place, code, message, code frame and hint', () => {
    expect(
      text([
        {
          code: 'schema/unknown-key',
          severity: 'error',
          message: 'the key `actoin` is not known here',
          hint: 'did you mean `action`?',
          ...at(6, 9, 15),
        },
        { code: 'config/empty', severity: 'warning', message: 'no rules', ...at(1, 1, 5) },
      ]),
    ).toBe(`zones/shop.yaml:1:1  warning config/empty
  no rules
  > 1 | zone: shop.example
      | ^^^^
    2 | entrypoints:
    3 |   http_ratelimit:

zones/shop.yaml:6:9  error schema/unknown-key
  the key \`actoin\` is not known here
    4 |     rules:
    5 |       - ref: limit
  > 6 |         actoin: block
      |         ^^^^^^
    7 |
  hint: did you mean \`action\`?

1 error, 1 warning.
`);
  });

  it('that differ only in a value are shown once, unless they are errors or each is wanted', () => {
    const many = Array.from({ length: 9 }, (_, index): Diagnostic => ({
      code: 'expression/single-item-set',
      severity: 'info',
      message: `the same as eq 192.0.2.${index}`,
      where: {
        file: `zones/z${index}.yaml`,
        start: { line: 1, column: 2 },
        end: { line: 1, column: 3 },
      },
    }));
    const other: Diagnostic = { code: 'lint/other', severity: 'warning', message: 'else' };
    expect(text([...many, other])).toBe(`warning lint/other
  else

zones/z0.yaml:1:2  info expression/single-item-set
  the same as eq 192.0.2.0
  8 more places alike: zones/z1.yaml:1:2, zones/z2.yaml:1:2, zones/z3.yaml:1:2,
    zones/z4.yaml:1:2, zones/z5.yaml:1:2 and 3 more; --verbose shows each

1 warning, 9 notes.
`);
    expect(text(many.slice(0, 3)).match(/single-item-set/g)).toHaveLength(3);
    expect(
      text(many.map((one) => ({ ...one, severity: 'error' as const }))).match(/single-item-set/g),
    ).toHaveLength(9);
    expect(
      diagnosticsText({ diagnostics: many, sources: new Map() }, { ...LOOK, detail: 'each' }).match(
        /single-item-set/g,
      ),
    ).toHaveLength(9);
  });

  it('that are errors are shown once if five or more have the same text', () => {
    const many = Array.from({ length: 23 }, (_, index): Diagnostic => ({
      code: 'pack/unknown',
      severity: 'error',
      message: 'there is no pack `admin`',
      where: { file: `z${index + 10}.yaml`, start: { line: 1, column: 2 }, end: { line: 1, column: 3 } },
    }));
    const names = Array.from({ length: 5 }, (_, index) => `z${index + 11}.yaml:1:2`).join(', ');
    const shown = text(many);
    expect(shown.replaceAll(/\s+/gu, ' ')).toBe(
      `z10.yaml:1:2 error pack/unknown there is no pack \`admin\` 22 more places alike: ${names} and 17 more; --verbose shows each 23 errors. `,
    );
    expect(text(many.slice(0, 4)).match(/there is no pack/gu)).toHaveLength(4);
    expect(text(many.slice(0, 5)).match(/there is no pack/gu)).toHaveLength(1);
    const others = many.map((one, index) => ({ ...one, message: `there is no pack \`p${index}\`` }));
    expect(text(others).match(/there is no pack/gu)).toHaveLength(23);
  });

  it('are shown in part if there are very many, errors first, and every file is named', () => {
    const one = (file: string, line: number, severity: Diagnostic['severity']): Diagnostic => ({
      code: `a/${severity}`,
      severity,
      message: `m${line}m`,
      where: { file, start: { line, column: 1 }, end: { line, column: 2 } },
    });
    const many = [
      ...Array.from({ length: 150 }, (_, index) => one('zones/a.yaml', index + 1, 'error')),
      ...['x', 'y', 'z'].map((word, index) => ({
        ...one('zones/a.yaml', index + 1, 'warning'),
        message: word,
      })),
      ...Array.from({ length: 150 }, (_, index) => one('zones/b.yaml', index + 1, 'error')),
    ];
    const shown = diagnosticsText({ diagnostics: many, sources: new Map() }, LOOK);
    expect(shown.match(/^zones\/a\.yaml:.* error a\/error$/gmu)).toHaveLength(100);
    expect(shown.match(/^zones\/b\.yaml:.* error a\/error$/gmu)).toHaveLength(100);
    expect(shown.slice(shown.indexOf('\nNot'))).toBe(`
Not shown above; --verbose shows each, --format json holds all:
  zones/a.yaml: 50 errors, 3 warnings
  zones/b.yaml: 50 errors

300 errors, 3 warnings.
`);
    const each = diagnosticsText({ diagnostics: many, sources: new Map() }, { ...LOOK, detail: 'each' });
    expect(each.match(/^zones\//gmu)).toHaveLength(303);
  });

  it('without a place have no code frame', () => {
    expect(
      text([{ code: 'config/no-project', severity: 'error', message: 'no project', hint: 'a\nb' }]),
    ).toBe('error config/no-project\n  no project\n  hint: a\n  b\n\n1 error.\n');
  });

  it('in a long line show the part around the place', () => {
    const source = `${'x'.repeat(5000)} HERE ${'y'.repeat(5000)}`;
    const rows = text([{ code: 'a/b', severity: 'error', message: 'm', ...at(1, 5002, 5006) }], source).split(
      '\n',
    );
    expect(rows[2]).toMatch(/^  > 1 \| …x+ HERE y+…$/);
    expect(rows[2]?.length).toBeLessThanOrEqual(80);
    expect(rows[3]?.indexOf('^^^^')).toBe(rows[2]?.indexOf('HERE'));
  });

  it('show the right line numbers far down a file with CRLF line ends', () => {
    const source = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\r\n');
    expect(text([{ code: 'a/b', severity: 'error', message: 'm', ...at(100, 1, 5) }], source)).toContain(
      '     98 | line 98\n     99 | line 99\n  > 100 | line 100\n        | ^^^^\n    101 | line 101\n',
    );
  });

  it('show no control characters of the file', () => {
    const source = 'zone: \u001b[31mred\u2028\u202e';
    expect(text([{ code: 'a/b', severity: 'error', message: 'm', ...at(1, 1, 5) }], source)).toContain(
      '> 1 | zone: \ufffd[31mred\ufffd\ufffd\n      | ^^^^\n',
    );
  });

  it.each(['lint/plain-secret', 'variable/plain-secret'])(
    'of %s show no letter of the secret, and neither do those beside it',
    (code) => {
      const source = 'value: correct horse # ours\nother: 1';
      const secret: Diagnostic = { code, severity: 'error', message: 'm', ...at(1, 8, 21) };
      const shown = text([secret, { ...secret, code: 'a/b', ...at(2, 1, 6) }], source);
      expect(shown).not.toMatch(/correct|horse/u);
      const line = 'value: ************* # ours\n';
      expect(shown).toContain(`  > 1 | ${line}      |        ^^^^^^^^^^^^^\n`);
      expect(shown).toContain(`    1 | ${line}  > 2 | other: 1\n`);
    },
  );

  it('outside of the file have no code frame', () => {
    expect(text([{ code: 'a/b', severity: 'error', message: 'm', ...at(99, 1, 5) }])).toBe(
      'zones/shop.yaml:99:1  error a/b\n  m\n\n1 error.\n',
    );
  });

  it('are an empty text if there are none', () => {
    expect(text([])).toBe('');
  });
});
