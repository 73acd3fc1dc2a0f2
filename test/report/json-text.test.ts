import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeJson } from '../../src/report/escape.ts';
import { jsonPieces, jsonText } from '../../src/report/pieces.ts';
import { makePlan } from '../../src/plan/document/make-plan.ts';
import { plannedScopes } from '../plan/planned-scopes.ts';
import { propertyRuns } from '../property-runs.ts';
import { add, plan, scope, update } from './plan-builder.ts';

/** The text that `JSON.stringify` writes at once. */
const whole = (value: unknown): string => `${escapeJson(JSON.stringify(value, null, 2))}\n`;

describe('jsonText', () => {
  it('ends with a newline and parses back', () => {
    const changed = plan(scope([update([add('a')])]));
    const text = jsonText(changed);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(changed);
  });

  it('escapes characters that steer a terminal or reorder text', () => {
    const value = { 'k\u202e': 'a\u009bb\u007f\u2028\u2029\u2066\u{e0041}\u200b \ud800 Grüße 日本語' };
    const text = jsonText(value);
    expect(text).toContain(
      String.raw`"k\u202e": "a\u009bb\u007f\u2028\u2029\u2066\udb40\udc41\u200b \ud800 Grüße 日本語"`,
    );
    expect(JSON.parse(text)).toEqual(value);
  });

  it('writes any value as JSON.stringify does', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6, depthSize: 'small' },
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('##[', '##vso['), fc.double(), fc.boolean()),
        fc.constantFrom(null, undefined),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        expect(jsonText({ value })).toBe(whole({ value }));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('writes a plan the same in pieces', () => {
    fc.assert(
      fc.property(fc.array(plannedScopes, { maxLength: 3 }), (scopes) => {
        const made = makePlan('https://service.example', scopes);
        expect(jsonText(made)).toBe(whole(made));
        expect([...jsonPieces({ kind: 'drift', plan: made })].join('')).toBe(
          whole({ kind: 'drift', plan: made }),
        );
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('writes many scopes in several pieces of limited size', () => {
    const scopes = Array.from({ length: 200 }, () => scope([update([add('a'), add('b')])]));
    const lengths = [...jsonPieces(plan(...scopes))].map(({ length }) => length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(65_536);
    expect(Math.max(...lengths)).toBeLessThan(2 * 65_536);
  });
});
