import { describe, expect, it } from 'vitest';
import { causeText, formatPlace } from '../../src/model/source.ts';
import { stepOrigin } from '../../src/report/step-origin.ts';
import { cause } from './plan-builder.ts';

describe('the origin of a change', () => {
  it('is a place in a file, a version, a rule of a version, or no file at all', () => {
    expect(causeText(cause(3))).toMatch(/\.yaml:3$/);
    expect(causeText({ version: '4', rule: 1 })).toBe('version 4, rule 1');
    expect(formatPlace({ version: '4' })).toBe('version 4');
    expect(stepOrigin({ cause: cause(3) })).toBe(causeText(cause(3)));
    expect(stepOrigin({ cause: { version: '4' } })).toBe('back to version 4');
    expect(stepOrigin({})).toBe('no file declares it');
  });
});
