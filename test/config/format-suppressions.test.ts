import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/config/format/format-text.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import { suppressionComments } from '../../src/config/yaml/suppression-comments.ts';
import { propertyRuns } from '../property-runs.ts';

function formatted(text: string): string {
  const made = formatText(sourceText('a.yaml', text));
  return made.kind === 'formatted' ? made.text : made.kind;
}

const HEAD = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
`;
interface Place {
  readonly above: string;
  readonly deeper: number;
  readonly blank: boolean;
}

const COMMENT = '# rulewright-disable-next-line expression/unknown-field: since May';

describe('formatText with comments that suppress findings', () => {
  it('keeps the first key first when a comment above the dash suppresses a finding in its line', () => {
    const [first, second] = ['a', 'b'].map((name) => ({
      before: `      ${COMMENT}
      - expression: cf.brand_new eq "${name}"
        action: block
        ref: ${name}
`,
      after: `      ${COMMENT}
      - expression: cf.brand_new eq "${name}"
        ref: ${name}
        action: block
`,
    }));
    expect(formatted(`${HEAD}${first?.before}${second?.before}`)).toBe(
      `${HEAD}${first?.after}${second?.after}`,
    );
  });

  it('keeps the first key first when the comment is between a lone dash and the key', () => {
    expect(
      formatted(`${HEAD}      -\n        ${COMMENT}\n        action: quarantine\n        ref: a\n`),
    ).toBe(`${HEAD}      ${COMMENT}\n      - action: quarantine\n        ref: a\n`);
  });

  it('orders the keys below an ordinary comment above the dash', () => {
    expect(formatted(`${HEAD}      # the brand\n      - action: block\n        ref: a\n`)).toBe(
      `${HEAD}      # the brand\n      - ref: a\n        action: block\n`,
    );
  });

  it('moves a deeper indented suppression comment with the key below it', () => {
    const text = `${HEAD}      - action: block
          # for now
          ${COMMENT}
        expression: cf.brand_new eq "x"
        ref: a
          ${COMMENT}
      - action: quarantine
`;
    expect(formatted(text)).toBe(`${HEAD}      - ref: a
        ${COMMENT}
        expression: cf.brand_new eq "x"
        action: block # for now
      ${COMMENT}
      - action: quarantine
`);
  });

  it('keeps each suppression comment above the line that it covers, and changes nothing the second time', () => {
    const above = fc.constantFrom('', '', '# note', COMMENT, `# note\n${COMMENT}`, `${COMMENT}\n# note`);
    const place = fc.record({ above, deeper: fc.constantFrom(0, 0, 2, 5), blank: fc.boolean() });
    const key = fc.constantFrom(
      'ref: a',
      'expression: ssl',
      'action: block',
      'enabled: true',
      'other: { a: b }',
    );
    const rule = fc.record({
      head: place,
      dash: fc.constantFrom('- ', '-\n', '- # behind\n'),
      pairs: fc.uniqueArray(fc.tuple(key, place), { minLength: 1, selector: ([name]) => name }),
    });
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), (rules) => {
        const said = (spot: Place, column: number): string =>
          spot.above === ''
            ? ''
            : `${spot.blank ? '\n' : ''}${spot.above.replaceAll(/^/gmu, ' '.repeat(column + spot.deeper))}\n`;
        const items = rules.map(({ head, dash, pairs }) => {
          const lines = pairs.map(([name, spot], index) =>
            index === 0 && dash === '- ' ? `${name}\n` : `${said(spot, 8)}        ${name}\n`,
          );
          // A suppression comment above a lone dash covers nothing.
          const spot = dash === '- ' ? head : { ...head, above: head.above.replaceAll(COMMENT, '# note') };
          return `${said(spot, 6)}      ${dash}${lines.join('')}`;
        });
        const text = `${HEAD}${items.join('')}`;
        const once = formatted(text);
        expect(covered(once)).toEqual(covered(text));
        expect(formatted(once)).toBe(once);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** The lines that suppression comments cover, sorted. */
function covered(text: string): readonly string[] {
  const lines = text.split('\n');
  return suppressionComments('a.yaml', text)
    .map((comment) => lines[comment.lines.first - 1]?.replaceAll(/^[\s-]*| #.*/gu, '') ?? '')
    .toSorted();
}
