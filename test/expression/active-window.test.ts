import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeWindow, parseExpression, sameMeaning, splitWindow } from '../../src/expression/index.ts';
import { propertyRuns } from '../property-runs.ts';

const BOTH = { from: 1_796_112_000, until: 1_798_135_200 };
const TIMES = 'http.request.timestamp.sec ge 1796112000 and http.request.timestamp.sec lt 1798135200';

describe('composeWindow', () => {
  test.each([
    ['ssl or http.host eq "a"', BOTH, `(ssl or http.host eq "a") and ${TIMES}`],
    ['true', { from: 1_796_112_000 }, '(true) and http.request.timestamp.sec ge 1796112000'],
    ['\n ssl\n', { until: 1_798_135_200 }, '(ssl) and http.request.timestamp.sec lt 1798135200'],
    ['ssl', {}, 'ssl'],
    ['(ssl) and cf.zone.plan eq "ENT"', BOTH, `((ssl) and ${TIMES}) and cf.zone.plan eq "ENT"`],
    ['(ssl) && (cf.zone.plan == "ENT")', BOTH, `((ssl) and ${TIMES}) and cf.zone.plan eq "ENT"`],
    ['cf.zone.plan eq "ENT"', BOTH, `(${TIMES}) and cf.zone.plan eq "ENT"`],
    ['ssl or (ssl) and cf.zone.plan eq "ENT"', BOTH, `(ssl or (ssl) and cf.zone.plan eq "ENT") and ${TIMES}`],
    [
      '(ssl) and (http.host eq "a") and cf.zone.plan eq "ENT"',
      BOTH,
      `((ssl) and (http.host eq "a")) and cf.zone.plan eq "ENT"`.replace(
        '((ssl) and (http.host eq "a"))',
        `(((ssl) and (http.host eq "a")) and ${TIMES})`,
      ),
    ],
  ])('%j', (expression, window, composed) => {
    expect(composeWindow(expression, window)).toBe(composed);
    const split = splitWindow(composed);
    expect(split === undefined ? {} : split.window).toEqual(window);
    const again = split === undefined ? composed : composeWindow(split.expression, split.window);
    expect(again).toBe(composed);
  });

  const atoms = ['ssl', 'http.host eq ") and ("', 'not ssl', 'ip.src in {192.0.2.0/24}', 'true', TIMES];
  const condition = fc.letrec<{ readonly node: string; readonly leaf: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc
        .tuple(tie('node'), fc.constantFrom(' and ', ' or ', ' xor ', '&&'), tie('node'))
        .map(([a, by, b]) => `${a}${by === '&&' ? ' && ' : by}${b}`),
      tie('node').map((inner) => `(${inner})`),
    ),
    leaf: fc.constantFrom(...atoms),
  })).node;
  const enterprise = condition.map((text) => `(${text}) and cf.zone.plan eq "ENT"`);
  const second = fc.integer({ min: 946_684_800, max: 32_503_680_000 });
  const anyWindow = fc.oneof(
    second.map((from) => ({ from })),
    second.map((until) => ({ until })),
    fc.tuple(second, second).map(([from, until]) => ({ from, until })),
  );

  test('is undone by splitWindow, and means both', () => {
    fc.assert(
      fc.property(fc.oneof(condition, enterprise), anyWindow, (expression, given) => {
        const composed = composeWindow(expression, given);
        const split = splitWindow(composed);
        expect(split?.window).toMatchObject(given);
        // The rest of the window, if there is more, is from the expression itself.
        const more = Object.keys(split?.window ?? {}).length > Object.keys(given).length;
        expect(more ? expression : split?.expression).toBe(expression);
        const times = composeWindow('true', given).replace('(true) and ', '');
        const [a, b] = [composed, `(${times}) and (${expression})`].map((text) => {
          const parsed = parseExpression(text);
          return parsed.ok ? parsed.tree : undefined;
        });
        expect(a !== undefined && b !== undefined && sameMeaning(a, b)).toBe(true);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each([
    'http.request.timestamp.sec ge 5',
    '(ssl) or (ssl) and http.request.timestamp.sec lt 2',
    '(ssl) and http.request.timestamp.sec lt 2 or ssl',
    '(ssl) and not http.request.timestamp.sec lt 2',
    '(http.host eq ") and http.request.timestamp.sec lt 2',
    'http.host eq "x and http.request.timestamp.sec lt 2" and ssl',
    'ssl and http.request.timestamp.sec eq 2',
    'ssl and http.request.timestamp.msec lt 2',
    'ssl and (not ssl or http.request.timestamp.sec lt 2)',
    'ssl and http.request.timestamp.sec ge -5',
  ])('has no part in %j, so nothing is recognised there', (text) => {
    expect(splitWindow(text)).toBeUndefined();
  });
});

describe('splitWindow', () => {
  const [ge, lt] = ['http.request.timestamp.sec ge 5', 'http.request.timestamp.sec lt 9'];
  const ENT = 'cf.zone.plan eq "ENT"';
  test.each([
    [`ssl and ${lt}`, 'ssl', { until: 9 }],
    [`(ssl) and ${lt} and ${ge}`, 'ssl', { from: 5, until: 9 }],
    [
      'ssl && http.request.timestamp.sec >= 005 && http.request.timestamp.sec <= 8',
      'ssl',
      { from: 5, until: 9 },
    ],
    [
      '(http.request.timestamp.sec > 4) and (ssl or http.host eq "ü")',
      'ssl or http.host eq "ü"',
      { from: 5 },
    ],
    [
      `(${ge} and not ssl and ${lt} and http.host eq "a")`,
      'not ssl and http.host eq "a"',
      { from: 5, until: 9 },
    ],
    [
      `ssl and (${ge} and (${lt})) and (http.host eq "a" or ssl)`,
      'ssl and (http.host eq "a" or ssl)',
      { from: 5, until: 9 },
    ],
    [`(ssl and ${lt}) and ${ge}`, 'ssl', { from: 5, until: 9 }],
    [`ssl and ${lt} and ${ENT}`, `ssl and ${ENT}`, { until: 9 }],
    [`((ssl or not ssl) and ${lt}) and (${ENT})`, `(ssl or not ssl) and (${ENT})`, { until: 9 }],
  ])('recognises %j, which others wrote', (text, expression, window) => {
    expect(splitWindow(text)).toEqual({ expression, window });
  });
});
