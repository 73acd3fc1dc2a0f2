import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/data/json.ts';
import { ruleDocument, under } from '../../../src/config/write/ruleset-yaml.ts';
import type { WrittenRulePlace } from '../../../src/config/write/ruleset-yaml.ts';
import { documentText } from '../../../src/config/write/scope-text.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { loadValid } from '../project-folder.ts';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';

const RATELIMIT = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 5 };

function documentOf(phase: string, said: Partial<RuleContent>): JsonObject {
  return ruleDocument({ id: MANAGED, ref: 'a', content: contentOf(said) }, placeOf(phase)).value;
}

function contentOf(said: Partial<RuleContent>): RuleContent {
  return { action: 'block', expression: 'ssl', description: '', enabled: true, ...said };
}

function placeOf(phase: string): WrittenRulePlace {
  return { kind: 'zone', address: { kind: 'entrypoint', phase } };
}

/** The content of a rule after its document is loaded from a file. */
async function readBack(phase: string, rule: JsonObject): Promise<unknown> {
  const { scopes } = await loadValid({
    'zones/a.yaml': stringify({ zone: 'a.example', entrypoints: { [phase]: { rules: [rule] } } }),
  });
  return scopes[0]?.rulesets[0]?.rules[0]?.content;
}

test.each([
  ['block', undefined],
  ['skip', { enabled: false }],
])('ruleDocument writes disabled logging for a skip rule only: %s', async (action, logging) => {
  const action_parameters = action === 'skip' ? { action_parameters: { ruleset: 'current' } } : {};
  const phase = 'http_request_firewall_custom';
  const written = documentOf(phase, { action, logging: { enabled: false }, ...action_parameters });
  expect(written['logging']).toEqual(logging);
  expect(await readBack(phase, written)).toMatchObject({ action });
});

test.each([
  ['a setting that came after this version', 'http_config_settings', 'set_config', { brand_new: true }],
  [
    'an override that the phase is not known to take',
    'ddos_l7',
    'execute',
    { overrides: { action: 'js_challenge' } },
  ],
])('ruleDocument writes %s as extra_parameters', async (_, phase, action, parameters) => {
  const action_parameters = action === 'execute' ? { id: MANAGED, ...parameters } : parameters;
  const rule = documentOf(phase, { action, action_parameters });
  expect(rule['extra_parameters']).toEqual(parameters);
  expect(await readBack(phase, rule)).toMatchObject({ action, action_parameters: { ...parameters } });
});

test('ruleDocument writes an unknown action as it is, with the comment that suppresses its finding', async () => {
  const said = {
    action: 'future',
    action_parameters: { uri: { path: { expression: 'new (' } }, depth: 3 },
    logging: { enabled: false },
  };
  const rule = { id: MANAGED, ref: 'a', content: contentOf(said) };
  const { value, notes } = ruleDocument(rule, placeOf('http_config_settings'));
  expect(value).toEqual({ ref: 'a', expression: 'ssl', ...said });
  const comment = expect.stringMatching(/^rulewright-disable-next-line schema\/unknown-action: /u);
  expect(notes).toEqual([{ path: ['action'], text: comment, place: 'before' }]);
  const text = documentText(
    { zone: 'a.example', entrypoints: { http_config_settings: { rules: [value] } } },
    under(['entrypoints', 'http_config_settings', 'rules', 0], notes),
  );
  const { scopes } = await loadValid({ 'zones/a.yaml': text });
  expect(scopes[0]?.rulesets[0]?.rules[0]?.content).toEqual(rule.content);
});

test('ruleDocument writes an unknown counting period as it is, with the comment that suppresses its finding', async () => {
  const rule = { id: MANAGED, ref: 'a', content: contentOf({ ratelimit: { ...RATELIMIT, period: 61 } }) };
  const { value, notes } = ruleDocument(rule, placeOf('http_ratelimit'));
  const text = documentText(
    { zone: 'a.example', entrypoints: { http_ratelimit: { rules: [value] } } },
    under(['entrypoints', 'http_ratelimit', 'rules', 0], notes),
  );
  expect(text).toContain('# rulewright-disable-next-line config/rate-limit-period: ');
  const { scopes } = await loadValid({ 'zones/a.yaml': text });
  expect(scopes[0]?.rulesets[0]?.rules[0]?.content).toMatchObject({ ratelimit: { period: 61 } });
});

test('ruleDocument writes a skip of no named rule of a ruleset as a skip of the whole ruleset', async () => {
  const rule = documentOf('http_request_firewall_managed', {
    action: 'skip',
    action_parameters: { rules: { [MANAGED]: [] } },
  });
  expect(rule).toMatchObject({ action_parameters: { rulesets: [MANAGED] } });
  expect(await readBack('http_request_firewall_managed', rule)).toMatchObject({ action: 'skip' });
});

test('ruleDocument leaves out a mitigation time-out of 0 for a challenge, and keeps it for a block', () => {
  const ratelimit = { ...RATELIMIT, mitigation_timeout: 0 };
  expect(documentOf('http_ratelimit', { action: 'managed_challenge', ratelimit })['ratelimit']).toEqual(
    RATELIMIT,
  );
  expect(documentOf('http_ratelimit', { ratelimit })['ratelimit']).toEqual(ratelimit);
});
