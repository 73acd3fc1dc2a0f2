import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/model/json.ts';
import { compareSettings } from '../../../src/plan/guard/settings.ts';

const settings = (entries: Readonly<Record<string, JsonValue>>) => new Map(Object.entries(entries));

describe('compareSettings', () => {
  it('refuses every setting of guards that came, went or changed, by its place', () => {
    const found = compareSettings(
      settings({ 'rulewright.yaml safety.max_deleted': '30%', 'zones/a.yaml ownership.rules': ['a-*'] }),
      settings({
        'rulewright.yaml safety.max_deleted': '90%',
        'zones/a.yaml http_ratelimit rule x adopt': true,
      }),
    );
    expect(found.map(({ kind, effect }) => `${kind} ${effect}`)).toEqual(Array(3).fill('settings refuse'));
    expect(found.map(({ message }) => message)).toEqual([
      'rulewright.yaml safety.max_deleted changes the guards: "30%" → "90%"; the base still judges this plan',
      'zones/a.yaml http_ratelimit rule x adopt changes the guards: (not set) → true; the steps of this plan are made with it',
      'zones/a.yaml ownership.rules changes the guards: ["a-*"] → (not set); the steps of this plan are made with it',
    ]);
  });

  it('refuses what the files newly take from the environment', () => {
    const found = compareSettings(
      settings({ 'rulewright.yaml env.stage': 'STAGE' }),
      settings({
        'rulewright.yaml env.stage': 'STAGE',
        'rulewright.yaml env.key': { from: 'AWS_SECRET_ACCESS_KEY', sensitive: true },
        'zones/a.yaml token_env': 'OTHER_TOKEN',
      }),
    );
    expect(found.map(({ message }) => message)).toEqual([
      'rulewright.yaml env.key changes what the files take from the environment: (not set) → {"from":"AWS_SECRET_ACCESS_KEY","sensitive":true}; the steps of this plan are made with it',
      'zones/a.yaml token_env changes what the files take from the environment: (not set) → "OTHER_TOKEN"; the steps of this plan are made with it',
    ]);
  });

  it('finds nothing where only the order of keys differs', () => {
    const entry = { rule: 'a', reason: 'b', until: '2026-01-01' };
    expect(
      compareSettings(
        settings({ 'a ignore': [entry] }),
        settings({ 'a ignore': [{ until: '2026-01-01', reason: 'b', rule: 'a' }] }),
      ),
    ).toEqual([]);
  });
});
