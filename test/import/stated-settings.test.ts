import { expect, test } from 'vitest';
import { readResources, readState } from '../../src/import/index.ts';

const ZONE = 'a'.repeat(32);

const instance = (type: string, attributes: object, more: object = {}): object => ({
  mode: 'managed',
  type,
  name: 'shop',
  instances: [{ attributes: { zone_id: ZONE, ...attributes }, ...more }],
});

const read = (...resources: readonly object[]) => {
  const state = readState(JSON.stringify({ version: 4, terraform_version: '1.9.0', resources }));
  return state.kind === 'state' ? readResources(state) : undefined;
};

/** The settings of one resource, by name and pointer. */
const saidOf = (type: string, attributes: object) =>
  Object.fromEntries(
    (read(instance(type, attributes))?.settings ?? []).flatMap(({ settings }) =>
      settings.flatMap(({ name, fields }) => fields.map(({ path, value }) => [`${name}${path}`, value])),
    ),
  );

test.each<[name: string, type: string, attributes: object, expected: object]>([
  [
    'a zone setting of version 5',
    'cloudflare_zone_setting',
    { setting_id: 'ssl', value: { value: 'strict', type: 'string' } },
    { ssl: 'strict' },
  ],
  [
    'a zone setting as show prints it',
    'cloudflare_zone_setting',
    { setting_id: '0rtt', value: 'on' },
    { '0rtt': 'on' },
  ],
  [
    'a zone setting with members',
    'cloudflare_zone_setting',
    {
      setting_id: 'security_header',
      value: {
        value: { strict_transport_security: { enabled: true, max_age: 86_400 } },
        type: ['object', { strict_transport_security: ['object', { enabled: 'bool', max_age: 'number' }] }],
      },
    },
    {
      'security_header/strict_transport_security/enabled': true,
      'security_header/strict_transport_security/max_age': 86_400,
    },
  ],
  [
    'all settings of a zone in version 4, without those that can only be read',
    'cloudflare_zone_settings_override',
    {
      settings: [
        {
          ssl: 'full',
          zero_rtt: 'off',
          advanced_ddos: 'on',
          websockets: '',
          max_upload: 100,
          mobile_redirect: [],
          security_header: [{ enabled: true, max_age: 0, preload: false }],
        },
      ],
      readonly_settings: ['max_upload'],
    },
    {
      ssl: 'full',
      '0rtt': 'off',
      'security_header/strict_transport_security/enabled': true,
      'security_header/strict_transport_security/max_age': 0,
      'security_header/strict_transport_security/preload': false,
    },
  ],
  [
    'bots',
    'cloudflare_bot_management',
    { enable_js: true, fight_mode: null, using_latest_model: true, sbfm_verified_bots: '' },
    { 'bot_management/enable_js': true },
  ],
  [
    'transforms of version 4',
    'cloudflare_managed_headers',
    {
      managed_request_headers: [{ id: 'add_true_client_ip_headers', enabled: true }],
      managed_response_headers: [{ id: 'add_security_headers', enabled: false }],
    },
    {
      'managed_transforms/add_true_client_ip_headers': true,
      'managed_transforms/add_security_headers': false,
    },
  ],
  [
    'normalisation',
    'cloudflare_url_normalization_settings',
    { scope: 'both', type: 'cloudflare' },
    { 'url_normalization/scope': 'both', 'url_normalization/type': 'cloudflare' },
  ],
  ['client-side security', 'cloudflare_page_shield', { enabled: true }, { 'page_shield/enabled': true }],
  [
    'leaked credentials',
    'cloudflare_leaked_credential_check',
    { enabled: false },
    { 'leaked_credential_checks/enabled': false },
  ],
])('settings are read: %s', (_name, type, attributes, expected) => {
  expect(saidOf(type, attributes)).toEqual(expected);
});

test.each<[name: string, resource: object, why: string]>([
  [
    'a setting that is not known',
    instance('cloudflare_zone_setting', { setting_id: 'brotli', value: 'on' }),
    'no file can say brotli "on"',
  ],
  [
    'a value that is not known',
    instance('cloudflare_zone_setting', { setting_id: 'ssl', value: 'perfect' }),
    'no file can say zone.ssl "perfect"',
  ],
  [
    'a name from the prototype of objects',
    instance('cloudflare_zone_setting', { setting_id: '__proto__', value: 'on' }),
    'no file can say __proto__ "on"',
  ],
  ['nothing', instance('cloudflare_page_shield', {}), 'the state has no value of it'],
  [
    'no zone',
    instance('cloudflare_page_shield', { zone_id: 'shop', enabled: true }),
    'the state has no id of its zone',
  ],
  [
    'something that is sensitive',
    instance(
      'cloudflare_zone_setting',
      { setting_id: 'ssl', value: 'full' },
      { sensitive_attributes: [[{ type: 'get_attr', value: 'value' }]] },
    ),
    'Terraform marks a part of it as sensitive, and no variable can stand in a setting',
  ],
])('settings are left: %s', (_name, resource, why) => {
  expect(read(resource)?.left.map((one) => one.why)).toEqual([why]);
});

test('a setting that stands twice is left', () => {
  const one = { ...instance('cloudflare_zone_setting', { setting_id: 'ssl', value: 'full' }), name: 'one' };
  const other = {
    ...instance('cloudflare_zone_setting', { setting_id: 'ssl', value: 'strict' }),
    name: 'other',
  };
  expect(read(one, other)).toMatchObject({ settings: [], left: [{}, {}] });
});
