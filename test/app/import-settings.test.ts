import { expect, test } from 'vitest';
import { declareSettings } from '../../src/app/import/declare-settings.ts';
import type { JsonValue } from '../../src/data/index.ts';
import { SETTINGS } from '../../src/model/index.ts';
import type { LiveSetting } from '../../src/model/index.ts';
import { loadValid } from '../config/project-folder.ts';

/** Live settings with these values; all others show nothing. */
function live(
  values: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>,
  editable = true,
): ReadonlyMap<string, LiveSetting> {
  return new Map(
    SETTINGS.map(({ name }) => [
      name,
      { name, values: new Map(Object.entries(values[name] ?? {})), whole: {}, editable },
    ]),
  );
}

test('settings away from their defaults are written so that they are read back', async () => {
  const { value, leftOut } = declareSettings(
    live({
      ssl: { '': 'full' },
      min_tls_version: { '': '1.2' },
      security_level: { '': 'high' },
      http3: { '': 'on' },
      ciphers: { '': ['AES128-SHA'] },
      bot_management: { '/enable_js': true, '/fight_mode': false, '/using_latest_model': false },
      security_header: { '/strict_transport_security/max_age': 60 },
      always_use_https: { '': 'sometimes' },
    }),
    [],
  );
  expect(leftOut).toEqual(['setting zone.always_use_https: a file cannot say "sometimes"']);
  const { scopes } = await loadValid({
    'zones/a.yaml': JSON.stringify({ zone: 'shop.example', settings: value }),
  });
  expect(scopes[0]?.settings?.map(({ name, fields }) => [name, fields.map(({ value: own }) => own)])).toEqual(
    [
      ['bot_management', [true]],
      ['ciphers', [['AES128-SHA']]],
      ['min_tls_version', ['1.2']],
      ['security_header', [60]],
      ['ssl', ['full']],
    ],
  );
});

test('of a setting and an entry point that are one state, the entry point is written', () => {
  const changed = live({ url_normalization: { '/scope': 'both' } });
  expect(declareSettings(changed, []).value).toEqual({ url_normalization: { scope: 'both' } });
  expect(declareSettings(changed, ['http_request_sanitize']).value).toBeNull();
});

test('what cannot be read is told, and what cannot be changed is left out', () => {
  expect(declareSettings(live({ ssl: { '': 'strict' } }, false), [])).toEqual({
    value: null,
    names: [],
    notes: [],
    leftOut: [],
  });
  expect(declareSettings(new Map(), []).leftOut).toHaveLength(SETTINGS.length);
});
