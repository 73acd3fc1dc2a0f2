import { describe, expect, test } from 'vitest';

import { refusalOf, startBench } from './bench.ts';
import { corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { corpusRulesets, loadCorpusRuleset } from './corpus-rulesets.ts';

/** The bodies that the service refuses, by number, with what it says and the paragraph of api.md that supports it. */
const refused: Readonly<Record<string, readonly [says: RegExp, supportedBy: string]>> = {
  '0214': [/followed by and cf\.zone\.plan eq "ENT"$/u, '4.4: account rules name Enterprise zones'],
  '0222': [
    /cannot decode array into field "headers"/u,
    '0.3 number 10: a list where the interface has a map',
  ],
  '0232': [
    /not a valid value for uri because it is not allowed in the phase/u,
    '4.4: addresses in one phase only',
  ],
  '0244': [
    /cannot decode array into field "headers"/u,
    '0.3 number 10: a list where the interface has a map',
  ],
  '0246': [/cannot decode string into field/u, '5.4: lists of rule ids'],
  '0250': [
    /not a valid value for headers because it is not allowed in the phase/u,
    '4.4: headers in the header phases only',
  ],
  '0252': [/only one of include, exclude/u, '5.11'],
  '0258': [/not a valid value for ratelimit because it is not allowed/u, '3.4: forbidden in other phases'],
  '0260': [/not a valid value for exposed_credential_check/u, '3.2: only in custom rulesets of an account'],
  '0262': [/unknown field "dynamic"/u, '0.3 number 10'],
  '0264': [/unknown field "dynamic"/u, '0.3 number 10'],
  '0266': [/only one of include, exclude/u, '5.11'],
  '0284': [/^'\$\{managed_ruleset_id\}' is not a valid value for id/u, '5.3: 32 hex characters'],
  '0358': [
    /cannot decode array into field "headers"/u,
    '0.3 number 10: a list where the interface has a map',
  ],
  '0362': [
    /cannot decode array into field "headers"/u,
    '0.3 number 10: a list where the interface has a map',
  ],
  '0366': [/cannot decode string into field/u, '5.4: lists of rule ids'],
  '0372': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0374': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0376': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0378': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0380': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0382': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0384': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0386': [/is not a valid value for ref because it is already used$/u, '6.1: refs are unique'],
  '0390': [/unknown field "interval"/u, '0.3 number 10'],
  '0394': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0396': [/^invalid JSON: unknown field "actionParameters"$/u, '0.3 number 10'],
  '0398': [/unknown field "for_each"/u, '0.3 number 10'],
  '0406': [/could not parse filter expression/u, '1.6: code 20127'],
  '0422': [/is not a known phase$/u, '4.1'],
  '0424': [/is not a known phase$/u, '4.1'],
  '0428': [/^'\$\{cloudflare_ruleset\.network\.id\}' is not a valid value for id/u, '5.3: 32 hex characters'],
};

describe.skipIf(corpusFolder === undefined)(`ruleset bodies of the corpus (${WITHOUT_CORPUS})`, () => {
  const files = corpusRulesets();

  test('number more than a hundred and include every body listed as refused', () => {
    expect(files.length).toBeGreaterThan(100);
    const numbers = files.map(([number]) => number);
    expect(Object.keys(refused).filter((number) => !numbers.includes(number))).toEqual([]);
  });

  test.each(files)('%s loads, or is refused for the listed reason', async (number, file) => {
    const bench = await startBench({ switches: { managedRules: 'any', lists: 'any' } });
    const reply = await loadCorpusRuleset(bench, number, file);
    const reason = refused[number];
    const { status, message = '' } = refusalOf(reply);
    expect(status).toBe(reason === undefined ? 200 : 400);
    expect(message).toMatch(reason === undefined ? /^$/u : reason[0]);
  });
});
