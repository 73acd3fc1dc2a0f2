import { flag, integer, list, object, text, word } from '../decode/body-shape.ts';
import type { Shape } from '../decode/body-shape.ts';
import { zoneOf } from '../call/call.ts';
import { stateOf } from '../waf/migration-state.ts';
import { refuse } from '../protocol/refusal.ts';
import { untouchedWaf } from '../waf/old-waf-view.ts';
import { inEffect } from '../environment/service-clock.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { changeDnsSettings, dnsSettings } from './dns-settings.ts';
import type { FamilyContext } from './family.ts';

/** A zone setting: its possible values, its default, and where its value is stored if not with the setting. */
export interface SettingRow {
  readonly value: Shape;
  readonly standard: unknown;
  /** The id of the deprecation that may have removed the setting. */
  readonly deprecation?: string;
  /** Returns the value to show when it is stored elsewhere; `own` is the value last written to the setting. */
  readonly read?: (at: FamilyContext, own: unknown) => unknown;
  /** Does what a new value needs besides being stored; refuses a value that is not possible. */
  readonly write?: (at: FamilyContext, value: unknown) => void;
  /** Whether a valid value no longer has an effect. */
  readonly ignored?: (at: FamilyContext, value: unknown) => boolean;
  /** What answers have besides the value. */
  readonly also?: (own: unknown) => WireObject;
  /** Whether a client can change it; most can be changed. */
  readonly editable?: false;
}

const onOff = word('on', 'off');
const on: SettingRow = { value: onOff, standard: 'on' };
const off: SettingRow = { value: onOff, standard: 'off' };

/** Makes the row of a setting whose value is one of several words; the first is the default. */
function oneOf(standard: string, ...others: readonly string[]): SettingRow {
  return { value: word(standard, ...others), standard };
}

/** Makes the row of a setting whose value is a number of seconds, of megabytes or the like. */
function amount(
  standard: number,
  bounds: { min?: number; max?: number; oneOf?: readonly number[] },
): SettingRow {
  return { value: { kind: 'integer', ...bounds }, standard };
}

const CHALLENGE_SECONDS = [
  300, 900, 1800, 2700, 3600, 7200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000, 31_536_000,
];

/** How long a zone stays in development mode, in seconds. */
const DEVELOPMENT_SECONDS = 10_800;

/**
 * The zone settings, as in the newest schema; their defaults are partly assumed. What concerns a deprecation or the old WAF has its
 * effects (specification 9; api.md 10.2, 12.1); plans do not bind.
 */
export const settingRows: Readonly<Record<string, SettingRow>> = {
  '0rtt': off,
  aegis: {
    value: object({ enabled: flag(), pool_id: text() }),
    standard: { enabled: false },
  },
  advanced_ddos: { ...on, editable: false },
  always_online: off,
  always_use_https: off,
  automatic_https_rewrites: off,
  automatic_platform_optimization: {
    value: object({
      cache_by_device_type: flag(),
      cf: flag(),
      enabled: flag(),
      hostnames: list(text()),
      wordpress: flag(),
      wp_plugin: flag(),
    }),
    standard: {
      cache_by_device_type: false,
      cf: false,
      enabled: false,
      hostnames: [],
      wordpress: false,
      wp_plugin: false,
    },
  },
  brotli: { ...on, deprecation: 'brotli' },
  browser_cache_ttl: amount(14_400, { min: 0, max: 31_536_000 }),
  browser_check: on,
  cache_level: oneOf('aggressive', 'bypass', 'basic', 'simplified', 'cache_everything'),
  challenge_ttl: amount(1800, { oneOf: CHALLENGE_SECONDS }),
  china_network_enabled: off,
  ciphers: { value: list(text({ pattern: /^[A-Z0-9-]+$/u }), { unique: true }), standard: [] },
  cname_flattening: {
    value: word('off', 'apex', 'on'),
    standard: 'apex',
    deprecation: 'cname-flattening',
    // `off` and `apex` correspond to false, `on` to true (specification 9).
    read: (call, own) => {
      if (dnsSettings(call.service.store, call.scope.owner)['flatten_all_cnames'] === true) {
        return 'on';
      }
      return own === 'on' ? 'apex' : own;
    },
    write: (call, value) => {
      changeDnsSettings(call.service.store, call.scope.owner, { flatten_all_cnames: value === 'on' });
    },
  },
  content_converter: off,
  development_mode: {
    ...off,
    also: (own) => ({ time_remaining: own === 'on' ? DEVELOPMENT_SECONDS : 0 }),
  },
  early_hints: off,
  edge_cache_ttl: amount(7200, { min: 30, max: 604_800 }),
  email_obfuscation: on,
  fonts: off,
  h2_prioritization: oneOf('off', 'on', 'custom'),
  hotlink_protection: off,
  http2: on,
  http3: on,
  image_resizing: oneOf('off', 'on', 'open'),
  ip_geolocation: on,
  ipv6: on,
  max_upload: amount(100, { min: 100, max: 1000 }),
  min_tls_version: oneOf('1.0', '1.1', '1.2', '1.3'),
  minify: {
    value: object({ css: onOff, html: onOff, js: onOff }),
    standard: { css: 'off', html: 'off', js: 'off' },
    deprecation: 'minify',
  },
  mirage: { ...off, deprecation: 'mirage' },
  mobile_redirect: {
    value: object({ status: onOff, mobile_subdomain: text(), strip_uri: flag() }),
    standard: { status: 'off', mobile_subdomain: null, strip_uri: false },
    deprecation: 'mobile-redirect',
  },
  nel: { value: object({ enabled: flag() }), standard: { enabled: false } },
  opportunistic_encryption: on,
  opportunistic_onion: on,
  orange_to_orange: off,
  origin_error_page_pass_thru: off,
  origin_h2_max_streams: amount(200, { min: 1, max: 1000 }),
  origin_max_http_version: oneOf('2', '1'),
  polish: oneOf('off', 'lossless', 'lossy'),
  pre_render: off,
  prefetch_preload: off,
  privacy_pass: { ...on, deprecation: 'privacy-pass' },
  proxy_read_timeout: amount(100, { min: 1, max: 6000 }),
  pseudo_ipv4: oneOf('off', 'add_header', 'overwrite_header'),
  redirects_for_ai_training: off,
  replace_insecure_js: on,
  response_buffering: off,
  rocket_loader: off,
  search_for_agents: off,
  security_header: {
    value: object({
      strict_transport_security: object({
        enabled: flag(),
        include_subdomains: flag(),
        max_age: integer(0, 31_536_000),
        nosniff: flag(),
        preload: flag(),
      }),
    }),
    standard: {
      strict_transport_security: {
        enabled: false,
        include_subdomains: false,
        max_age: 0,
        nosniff: false,
        preload: false,
      },
    },
  },
  security_level: {
    value: word('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    standard: 'medium',
    deprecation: 'security-level',
    // The level is set automatically; only `off`, `essentially_off` and `under_attack` can still be chosen
    // (api.md 12.1; which ones is assumed).
    ignored: (call, value) =>
      inEffect(call.service, 'security-level') && ['low', 'medium', 'high'].includes(String(value)),
  },
  server_side_exclude: { ...on, deprecation: 'server-side-exclude' },
  sha1_support: off,
  sort_query_string_for_cache: off,
  ssl: oneOf('full', 'off', 'flexible', 'strict', 'origin_pull'),
  tls_1_2_only: off,
  tls_1_3: oneOf('on', 'off', 'zrt'),
  tls_client_auth: off,
  transformations: oneOf('off', 'on', 'open'),
  transformations_allowed_origins: { value: text(), standard: '' },
  true_client_ip_header: off,
  waf: {
    value: onOff,
    standard: 'on',
    read: (call) => {
      const zone = zoneOf(call);
      const old = call.service.store.oldWafs.get(zone.id)?.enabled !== false;
      return stateOf(call.service, zone).oldWaf === 'enabled' && old ? 'on' : 'off';
    },
    write: (call, value) => {
      const zone = zoneOf(call);
      const { oldWafs } = call.service.store;
      if (stateOf(call.service, zone).oldWaf === 'disabled') {
        throw refuse(400, 'the setting waf cannot be changed: the zone has migrated');
      }
      oldWafs.set(zone.id, { ...(oldWafs.get(zone.id) ?? untouchedWaf(zone.id)), enabled: value === 'on' });
    },
  },
  webmcp_enabled: off,
  webmcp_packs: { value: text(), standard: '' },
  webp: off,
  websockets: on,
};

/** The old settings that mirror a DNS setting (specification 9, row of 2024-09-13). */
export const dnsSettingRows: Readonly<Record<string, SettingRow>> = {
  use_apex_ns: mirrored('multi_provider'),
  secondary_overrides: mirrored('secondary_overrides'),
};

function mirrored(name: 'multi_provider' | 'secondary_overrides'): SettingRow {
  return {
    ...off,
    read: ({ service, scope }) => (dnsSettings(service.store, scope.owner)[name] === true ? 'on' : 'off'),
    write: ({ service, scope }, value) => {
      changeDnsSettings(service.store, scope.owner, { [name]: value === 'on' });
    },
  };
}
