import { jsonEqual, plainJson } from '../data/index.ts';
import type { TestDocument } from '../model/generated/documents.ts';
import type { HeaderLine, Mismatch, RequestWay, RuleVerdict } from '../model/index.ts';
import { quoted } from '../text/index.ts';

/** What a test expects. */
export type TestExpectation = TestDocument['tests'][number]['expect'];

/** Returns every expectation that did not come true; empty when the test passes. */
export function checkExpectation(expect: TestExpectation, way: RequestWay): readonly Mismatch[] {
  const { rules = {}, url, headers = {}, response_headers: answered = {}, settings = {} } = expect;
  return [
    ...undecided(expect, way),
    ...(expect.action === 'none' ? checkNone(expect, way) : checkActing(expect, way)),
    ...Object.entries(rules).flatMap(([name, wanted]) => checkVerdict(name, wanted, way)),
    ...(url === undefined ? [] : checkUrl(url, way)),
    ...checkEnd(expect, way),
    ...checkHeaders('headers', headers, way.headers),
    ...checkResponse(answered, way),
    ...Object.entries(settings).flatMap(([name, wanted]) => checkSetting(name, wanted, way)),
  ];
}

/** Returns a mismatch for each rule that cannot be evaluated, since it could have done anything, unless the test expects it to be undecided. */
function undecided({ rules = {} }: TestExpectation, { verdicts }: RequestWay): readonly Mismatch[] {
  return verdicts
    .filter(({ verdict, rule }) => verdict === 'undecided' && rules[rule] !== 'undecided')
    .map(({ rule, why }) => ({ key: 'rules', message: `${quoted(rule)} cannot be evaluated: ${why}` }));
}

/** Checks the action `none`: no rule ends the request. With `rule` or `phase`, that rule, or no rule of that phase, acts. */
function checkNone({ rule, phase }: TestExpectation, { verdicts }: RequestWay): readonly Mismatch[] {
  const narrowed = rule !== undefined || phase !== undefined;
  const acting = verdicts.find(
    (said) =>
      said.verdict === 'matched' &&
      (narrowed || said.ends) &&
      (rule === undefined || said.rule === rule) &&
      (phase === undefined || said.phase === phase),
  );
  return acting === undefined
    ? []
    : [
        {
          key: 'action',
          message: `expected no rule to ${narrowed ? 'act' : 'end the request'}, but ${did(acting)}`,
        },
      ];
}

function checkActing({ action, rule, phase }: TestExpectation, way: RequestWay): readonly Mismatch[] {
  if (action === undefined && rule === undefined && phase === undefined) {
    return [];
  }
  const fits = (said: RuleVerdict): boolean =>
    said.verdict === 'matched' &&
    (action === undefined || said.action === action) &&
    (rule === undefined || said.rule === rule) &&
    (phase === undefined || said.phase === phase);
  if (way.verdicts.some(fits)) {
    return [];
  }
  const wanted = [
    action === undefined ? 'a rule to act' : action,
    ...(rule === undefined ? [] : [`by ${quoted(rule)}`]),
    ...(phase === undefined ? [] : [`in ${phase}`]),
  ].join(' ');
  const own = way.verdicts.find(
    (said) => said.rule === rule && (phase === undefined || said.phase === phase),
  );
  const told = own === undefined ? ends(way) : `it ${saidOf(own)}; ${ends(way)}`;
  return [{ key: rule === undefined ? 'action' : 'rule', message: `expected ${wanted}, but ${told}` }];
}

function checkVerdict(name: string, wanted: string, { verdicts }: RequestWay): readonly Mismatch[] {
  const own = verdicts.filter(({ rule }) => rule === name);
  if (own.some(({ verdict }) => verdict === wanted)) {
    return [];
  }
  const [first] = own;
  if (first === undefined) {
    // The rule is in a ruleset that nothing executes here, or in a response phase although there is no response.
    const told = `expected ${quoted(name)} to be ${wanted}, but the request does not reach it`;
    return wanted === 'unreached' ? [] : [{ key: `rules.${name}`, message: told }];
  }
  const told = `expected ${quoted(name)} to be ${wanted}, but it ${saidOf(first)}`;
  return [{ key: `rules.${name}`, message: told }];
}

/** Compares the URL at the origin; one that begins with `/` is compared by path and query alone. */
function checkUrl(wanted: string, { urlAtOrigin }: RequestWay): readonly Mismatch[] {
  const actual = wanted.startsWith('/') ? urlAtOrigin.replace(/^https?:\/\/[^/]*/u, '') : urlAtOrigin;
  return actual === wanted ? [] : [{ key: 'url', message: `expected ${wanted}, but it is ${actual}` }];
}

function checkEnd({ location, status }: TestExpectation, way: RequestWay): readonly Mismatch[] {
  const end = way.end ?? way.errorPage;
  const found: Mismatch[] = [];
  if (location !== undefined && end?.location !== location) {
    const actual = end?.location ?? null;
    const told = actual === null ? ends(way) : `it leads to ${actual}`;
    found.push({ key: 'location', message: `expected a redirect to ${location}, but ${told}` });
  }
  const actual = end?.status ?? way.response?.status ?? null;
  if (status !== undefined && actual !== status) {
    const told = actual === null ? ends(way) : `it is ${actual}`;
    found.push({ key: 'status', message: `expected the status ${status}, but ${told}` });
  }
  return found;
}

type ExpectedHeaders = NonNullable<TestExpectation['headers']>;

function checkHeaders(
  key: string,
  wanted: ExpectedHeaders,
  lines: readonly HeaderLine[],
): readonly Mismatch[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const actual = lines.find((line) => line.name.toLowerCase() === name.toLowerCase())?.values ?? [];
    const expected = value === null ? [] : typeof value === 'string' ? [value] : value;
    return jsonEqual(actual, expected)
      ? []
      : [{ key: `${key}.${name}`, message: `expected ${list(expected)}, but it is ${list(actual)}` }];
  });
}

function checkResponse(wanted: ExpectedHeaders, way: RequestWay): readonly Mismatch[] {
  if (Object.keys(wanted).length > 0 && way.response === null) {
    return [{ key: 'response_headers', message: `there is no response of the origin: ${ends(way)}` }];
  }
  return checkHeaders('response_headers', wanted, way.response?.headers ?? []);
}

/** Compares a setting. Where two phases leave a setting of the same name, the one that runs last wins. */
function checkSetting(name: string, wanted: unknown, { settings }: RequestWay): readonly Mismatch[] {
  const left = settings.findLast((setting) => setting.name === name);
  if (left !== undefined && jsonEqual(left.value, plainJson(wanted))) {
    return [];
  }
  const told =
    left === undefined ? 'no rule sets it' : `${quoted(left.rule)} sets it to ${JSON.stringify(left.value)}`;
  return [{ key: `settings.${name}`, message: `expected ${JSON.stringify(wanted)}, but ${told}` }];
}

function list(values: readonly string[]): string {
  return values.length === 0 ? 'not there' : values.map((value) => JSON.stringify(value)).join(', ');
}

function did({ rule, action, phase }: RuleVerdict): string {
  return `${quoted(rule)} does (${action} in ${phase})`;
}

const SAID: Readonly<Record<RuleVerdict['verdict'], string>> = {
  matched: 'matched',
  counted: 'only counted',
  missed: 'did not match',
  skipped: 'is skipped',
  disabled: 'is disabled',
  unreached: 'is not reached',
  opaque: 'is opaque',
  undecided: 'cannot be evaluated',
};

function saidOf({ verdict, why, action }: RuleVerdict): string {
  return `${SAID[verdict]}${verdict === 'matched' ? ` (${action})` : ''}${why === '' ? '' : `: ${why}`}`;
}

function ends({ end }: RequestWay): string {
  return end === null
    ? 'no rule ends the request'
    : `the request ends at ${quoted(end.rule)} (${end.action}) in ${end.phase}`;
}
