import { describe, expect, it } from 'vitest';
import { guardSettings } from '../../../src/config/project/guard-settings.ts';
import { sourceText } from '../../../src/config/source/source-text.ts';
import type { GuardSettings } from '../../../src/model/guard.ts';
import { compareSettings } from '../../../src/plan/guard/compare-settings.ts';

/** The guard settings in the texts of files. */
const settings = (files: Readonly<Record<string, string>>): GuardSettings =>
  new Map(Object.entries(files).flatMap(([path, text]) => [...guardSettings(sourceText(path, text))]));

describe('compareSettings', () => {
  it('refuses every guard setting that was added, removed or changed, and names its place', () => {
    const found = compareSettings(
      settings({
        'rulewright.yaml': 'safety: { max_deleted: 30% }',
        'zones/a.yaml': 'ownership: { rules: [a-*] }',
      }),
      settings({
        'rulewright.yaml': 'safety: { max_deleted: 90% }',
        'zones/a.yaml': 'entrypoints: { http_ratelimit: { rules: [{ ref: x, adopt: true }] } }',
      }),
    );
    expect(found.map(({ kind, effect }) => `${kind} ${effect}`)).toEqual(Array(3).fill('settings refuse'));
    expect(found.map(({ message }) => message)).toEqual([
      'rulewright.yaml safety.max_deleted changes the guards: "30%" → "90%"; the base still judges this plan',
      'zones/a.yaml http_ratelimit rule x adopt changes the guards: (not set) → true; the steps of this plan are made with it',
      'zones/a.yaml ownership.rules changes the guards: ["a-*"] → (not set); the steps of this plan are made with it',
    ]);
  });

  it('refuses other severities of findings, unless more of them are errors', () => {
    const found = compareSettings(
      settings({ 'rulewright.yaml': 'lint: { lint/log-rule: error, lint/low-rate-limit: warning }' }),
      settings({ 'rulewright.yaml': 'lint: { lint/plain-secret: off, lint/low-rate-limit: error }' }),
    );
    expect(found.map(({ kind, effect, message }) => `${kind} ${effect}: ${message}`)).toEqual([
      'settings refuse: rulewright.yaml lint.lint/log-rule changes which findings stop a run: "error" → (not set); the files of this plan were checked with it',
      'settings refuse: rulewright.yaml lint.lint/plain-secret changes which findings stop a run: (not set) → "off"; the files of this plan were checked with it',
    ]);
  });

  it('refuses variables and tokens that the files newly take from the environment', () => {
    const found = compareSettings(
      settings({ 'rulewright.yaml': 'env: { stage: STAGE }' }),
      settings({
        'rulewright.yaml': 'env: { stage: STAGE, key: { from: AWS_SECRET_ACCESS_KEY, sensitive: true } }',
        'zones/a.yaml': 'token_env: OTHER_TOKEN',
      }),
    );
    expect(found.map(({ message }) => message)).toEqual([
      'rulewright.yaml env.key changes what the files take from the environment: (not set) → {"from":"AWS_SECRET_ACCESS_KEY","sensitive":true}; the steps of this plan are made with it',
      'zones/a.yaml token_env changes what the files take from the environment: (not set) → "OTHER_TOKEN"; the steps of this plan are made with it',
    ]);
  });

  it('tells guard settings from environment settings, whatever the names in them contain', () => {
    const found = compareSettings(
      settings({}),
      settings({ a: 'env: { not-valid: X }\nrulesets: [{ name: b token_env, ignore: [] }]' }),
    );
    expect(found.map(({ message }) => message.split(':')[0])).toEqual([
      'a b token_env ignore changes the guards',
      'a env.not-valid changes what the files take from the environment',
    ]);
  });

  it('groups settings that change alike, names some places and counts the rest', () => {
    const adopting = (count: number) => {
      const rules = Array.from({ length: count }, (_, index) => `{ ref: r${index}, adopt: true }`);
      return settings({
        'zones/a.yaml': `entrypoints: { http_ratelimit: { rules: [${rules.join(', ')}] } }`,
      });
    };
    const messages = (count: number) =>
      compareSettings(settings({}), adopting(count)).map((one) => one.message);
    expect(messages(2)).toEqual([
      'zones/a.yaml http_ratelimit rule r0 adopt, zones/a.yaml http_ratelimit rule r1 adopt change the guards: (not set) → true; the steps of this plan are made with it',
    ]);
    expect(messages(400)).toEqual([
      expect.stringContaining(' and 380 more change the guards: (not set) → true'),
    ]);
  });

  it('ignores adopt when it is dropped or false, but not when it becomes true or a variable', () => {
    const rule = (says: string) =>
      settings({ 'zones/a.yaml': `entrypoints: { http_ratelimit: { rules: [{ ref: x${says} }] } }` });
    const found = (before: string, now: string) => compareSettings(rule(before), rule(now)).length;
    expect(found(', adopt: true', '')).toBe(0);
    expect(found(', adopt: true', ', adopt: false')).toBe(0);
    expect(found('', ', adopt: false')).toBe(0);
    expect(found(', adopt: false', ', adopt: true')).toBe(1);
    expect(found(', adopt: true', ", adopt: '${var}'")).toBe(1);
  });

  it('ignores the order of keys', () => {
    expect(
      compareSettings(
        settings({ a: 'ignore: [{ rule: a, reason: b, until: "2026-01-01" }]' }),
        settings({ a: 'ignore: [{ until: "2026-01-01", reason: b, rule: a }]' }),
      ),
    ).toEqual([]);
  });
});
