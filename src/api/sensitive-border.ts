import { RulewrightError, environmentOf, referencesIn } from '../model/index.ts';
import { isNestedDeeper, mapTextsAndKeys, parsedJson } from '../data/index.ts';
import type { SensitiveValue } from '../model/index.ts';
import { MAX_RESPONSE_DEPTH } from './body.ts';
import type { Dispatch, WireResult } from './request.ts';

/**
 * Keeps sensitive values on the wire: requests are sent with the values, and everything on our side of this function has references
 * instead. So plans, journals and reports contain no values, without having to know about them. Throws for a request with a reference whose
 * value is not known. An answer that itself contains a reference is refused: sent back, the reference would turn into the value at a place
 * of somebody else's choosing.
 */
export function withSensitive(dispatch: Dispatch, values: readonly SensitiveValue[]): Dispatch {
  const known = longestFirst(values);
  const byReference = new Map(known.map(({ reference, value }) => [reference, value]));
  return async (request) => {
    if (known.length === 0 && request.body === undefined) {
      return dispatch(request);
    }
    const body = request.body === undefined ? undefined : revealed(request.body, byReference);
    const result = await dispatch(body === undefined ? request : { ...request, body });
    if (result.kind === 'broken' || known.length === 0) {
      return result;
    }
    const text = masked(result.text, known);
    return text === null ? FOREIGN : { ...result, text };
  };
}

/** Replaces values in a text by their references, as in an answer. */
export function withReferences(text: string, values: readonly SensitiveValue[]): string {
  return maskText(text, longestFirst(values));
}

/** One value may be part of another. */
function longestFirst(values: readonly SensitiveValue[]): readonly SensitiveValue[] {
  return [...values].sort((a, b) => b.value.length - a.value.length);
}

const FOREIGN: WireResult = {
  kind: 'broken',
  reason: 'foreign-reference',
  sent: true,
  detail: '<sensitive…>',
};

/** Replaces references in a JSON text by their values. References contain no character that JSON escapes. */
function revealed(body: string, values: ReadonlyMap<string, string>): string {
  return referencesIn(body).reduce((text, reference) => {
    const value = values.get(reference);
    if (value === undefined) {
      throw unknownReference(reference);
    }
    return text.replaceAll(reference, () => JSON.stringify(value).slice(1, -1));
  }, body);
}

function unknownReference(reference: string): RulewrightError {
  const env = environmentOf(reference);
  return new RulewrightError(
    env === ''
      ? 'a sensitive value that was there before is not known and cannot be written'
      : `the value of ${env} is not known, or not the one that the plan was made with`,
    {
      code: 'sensitive/unknown-value',
      fault: 'user',
      hint: 'set the environment variable that `env` of the project file names, and plan again',
    },
  );
}

/**
 * Replaces values in an answer by their references; null when the answer itself contains a reference. The answer is parsed, because JSON
 * can spell one value in many ways.
 */
function masked(text: string, values: readonly SensitiveValue[]): string | null {
  const answer = parsedJson(text);
  // A body that is nested too deeply is masked as text; the decoder refuses it.
  const isPlain = answer === undefined || isNestedDeeper(answer, MAX_RESPONSE_DEPTH);
  const spelt = isPlain ? text : JSON.stringify(answer);
  if (referencesIn(spelt).length > 0) {
    return null;
  }
  return isPlain
    ? maskText(text, values)
    : JSON.stringify(mapTextsAndKeys(answer, (one) => maskText(one, values)));
}

function maskText(text: string, values: readonly SensitiveValue[]): string {
  return values.reduce((current, { reference, value }) => current.replaceAll(value, () => reference), text);
}
