import { describe, expect, it } from 'vitest';
import type { ServiceErrorCode } from '../../../src/api/service-error.ts';
import { ServiceError } from '../../../src/api/service-error.ts';
import { outcomeOfError } from '../../../src/apply/write/write-failure.ts';
import { RulewrightError } from '../../../src/model/error.ts';

function errorOf(code: ServiceErrorCode, effect: 'none' | 'unknown'): ServiceError {
  const method = effect === 'none' ? 'GET' : 'PUT';
  const request = { method, path: '/zones/1/rulesets/2', rayId: null, attempts: 1 };
  return new ServiceError(`${code}.`, { ...request, code, status: null, errors: [], effect });
}

describe('the outcome of a step that an error ended', () => {
  it('tells an interruption by what was written before', () => {
    const interrupted = errorOf('api/aborted', 'none');
    expect(outcomeOfError('step', 0, interrupted)).toMatchObject({ kind: 'not-reached' });
    expect(outcomeOfError('step', 2, interrupted)).toMatchObject({ code: 'apply/interrupted', writes: 2 });
  });

  it('tells a read that failed, and a journal that takes nothing', () => {
    const failed = outcomeOfError('step', 2, errorOf('api/unreachable', 'none'));
    expect(failed).toEqual({
      kind: 'failed',
      step: 'step',
      code: 'api/unreachable',
      message: 'api/unreachable.',
      writes: 2,
    });
    const full = new RulewrightError('No room.', {
      code: 'apply/journal',
      fault: 'user',
      hint: 'Make room.',
    });
    expect(outcomeOfError('step', 1, full)).toEqual({
      kind: 'failed',
      step: 'step',
      code: 'apply/journal',
      message: 'No room.',
      hint: 'Make room.',
      writes: 1,
    });
  });

  it.each(['api/aborted', 'api/connection-lost'] as const)(
    'never passes off a write of unknown effect as not done: %s',
    (code) => {
      expect(outcomeOfError('step', 0, errorOf(code, 'unknown'))).toMatchObject({
        kind: 'failed',
        code: 'apply/bug',
        inDoubt: true,
      });
    },
  );

  it('leaves a step in doubt after a bug', () => {
    expect(outcomeOfError('step', 1, new TypeError('x is undefined'))).toMatchObject({
      kind: 'failed',
      code: 'apply/bug',
      inDoubt: true,
      writes: 1,
    });
  });
});
