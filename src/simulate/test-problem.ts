import { nearName } from '../text/index.ts';

/** The codes of what can be wrong with a rule test beyond its schema, with a description. */
export const TEST_CODES = {
  'test/no-such-zone': 'A test names a zone that the files do not have',
  'test/no-such-account': 'A test names an account that the files do not have',
  'test/other-account': 'A test names another account than the zone is in',
  'test/which-account': 'Which account holds the zone is not known, and a test names none',
  'test/duplicate-name': 'Two tests of a file have the same name',
  'test/url': 'A text that is not a URL',
  'test/address': 'A text that is not an IP address',
  'test/time': 'A time that no clock shows, or that is given twice',
  'test/unknown-field': 'A field that does not exist',
  'test/field-value': 'A value of another type than its field has',
  'test/derived-field': 'A field that follows from the rest of the request',
  'test/list-item': 'An item that no list of its kind can have',
  'test/unknown-rule': 'A rule that the files do not have',
  'test/unknown-phase': 'A phase that does not exist',
  'test/needs-response': 'An expectation about a response that is not given',
} as const;

/** The code of a finding about a rule test. */
export type TestCode = keyof typeof TEST_CODES;

/** A problem of a rule test; `path` has the keys and indexes from the top of its document. */
export interface TestProblem {
  readonly code: TestCode;
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Returns the hint "did you mean …?", or nothing when no name is close. */
export function didYouMean(name: string, known: Iterable<string>): { readonly hint?: string | undefined } {
  const near = nearName(name, known);
  return near === undefined ? {} : { hint: `did you mean \`${near}\`?` };
}
