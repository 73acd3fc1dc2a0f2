import { describe, expect, test } from 'vitest';

import { account, refusalOf, type RulesetView, shop, startBench } from './bench.ts';
import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';

interface CorpusFile {
  readonly _form: string;
  readonly _type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Rule = Readonly<Record<string, unknown>>;

/** Where a payload without a phase belongs, by the action of its first rule. */
const phaseOf: Readonly<Record<string, string>> = {
  compress_response: 'http_response_compression',
  set_config: 'http_config_settings',
  serve_error: 'http_custom_errors',
  route: 'http_request_origin',
  rewrite: 'http_request_late_transform',
  execute: 'http_request_firewall_managed',
  skip: 'http_request_firewall_managed',
  block: 'http_request_firewall_custom',
  js_challenge: 'http_request_firewall_custom',
};

/** Payloads whose first action does not tell the phase. */
const phaseByNumber: Readonly<Record<string, string>> = {
  '0278': 'ddos_l7',
  '0280': 'ddos_l7',
  '0312': 'http_request_transform',
  '0334': 'ddos_l7',
};

/** What stands for the placeholder of a managed ruleset, by phase. */
const managedOf: Readonly<Record<string, string>> = {
  ddos_l4: '3b64149bfa6e4220bbbc2bd6db589552',
  ddos_l7: '4d21379b4f9f4bb088e0729962c8b3cf',
  http_request_firewall_managed: 'efb7b8c949ac4650a09736fc376e9aee',
};

const text = (value: unknown) => (typeof value === 'string' ? value : '');

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
  '0252': [/exactly one of include, exclude/u, '5.11'],
  '0258': [/not a valid value for ratelimit because it is not allowed/u, '3.4: forbidden in other phases'],
  '0260': [/not a valid value for exposed_credential_check/u, '3.2: only in custom rulesets of an account'],
  '0262': [/unknown field "dynamic"/u, '0.3 number 10'],
  '0264': [/unknown field "dynamic"/u, '0.3 number 10'],
  '0266': [/exactly one of include, exclude/u, '5.11'],
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
  const files = corpusFiles('corpus/rulesets').flatMap(([name, content]) => {
    const file = content as CorpusFile;
    return file._type === 'ruleset' || file._type === 'cloudflare_ruleset'
      ? [[name.slice(0, 4), file] as const]
      : [];
  });

  test('are more than a hundred, and the list of refused ones names real ones', () => {
    expect(files.length).toBeGreaterThan(100);
    const numbers = files.map(([number]) => number);
    expect(Object.keys(refused).filter((number) => !numbers.includes(number))).toEqual([]);
  });

  test.each(files)('%s loads, or is refused for its reason', async (number, file) => {
    const reply = await load(number, file);
    const reason = refused[number];
    const { status, message = '' } = refusalOf(reply);
    expect(status).toBe(reason === undefined ? 200 : 400);
    expect(message).toMatch(reason === undefined ? /^$/u : reason[0]);
  });
});

async function load(number: string, { body }: CorpusFile) {
  const rules = (Array.isArray(body['rules']) ? body['rules'] : []) as readonly Rule[];
  const kind = text(body['kind']) || 'zone';
  const scope =
    kind === 'root' ||
    'account_id' in body ||
    (kind === 'custom' && 'exposed_credential_check' in (rules[0] ?? {}))
      ? account
      : shop;
  const phase = text(body['phase']) || (phaseByNumber[number] ?? phaseOf[text(rules[0]?.['action'])] ?? '');
  const bench = await startBench({ switches: { managedRules: 'any', lists: 'any' } });
  // Room for the body: what the seed has of this phase goes.
  for (const own of await bench.ok<readonly RulesetView[]>('GET', `${scope}/rulesets`)) {
    if (own.phase === phase && own.kind === (scope === shop ? 'zone' : 'root')) {
      await bench.ok('DELETE', `${scope}/rulesets/${own.id}`);
    }
  }
  const {
    terraform_type: _t,
    zone_id: _z,
    account_id: _a,
    zoneId: _i,
    zone: _n,
    zoneRef: _r,
    ...rest
  } = body;
  const { id: _id, version: _v, last_updated: _l, source: _s, __meta: _m, ...said } = rest;
  const sent = {
    name: 'default',
    ...said,
    kind,
    phase,
    ...(Array.isArray(body['rules']) ? { rules: rules.filter(isDefined).map(withoutIds) } : {}),
  };
  return bench.call('POST', `${scope}/rulesets`, fillPlaceholders(sent, phase));
}

/** An entry with only an id keeps a rule that stands there: here stands none. */
function isDefined(rule: Rule): boolean {
  return Object.keys(rule).some((key) => key !== 'id');
}

/** A rule as one would send it to a place where it never was. */
function withoutIds({ id: _id, version: _version, last_updated: _time, ...rule }: Rule): Rule {
  return rule;
}

/** Documents write `<MANAGED_RULESET_ID>`, `<RULE_ID_1>` and the like. */
function fillPlaceholders(value: unknown, phase: string): string {
  let count = 0;
  return JSON.stringify(value)
    .replaceAll(/<[A-Z_]*RULESET_ID>/gu, managedOf[phase] ?? '')
    .replaceAll(/<[A-Z_]*RULE_ID[A-Z_0-9]*>/gu, () => {
      count += 1;
      return count.toString(16).padStart(32, '0');
    });
}
