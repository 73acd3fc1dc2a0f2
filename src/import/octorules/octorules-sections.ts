import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';

/** What octorules calls a phase, and the action that its rules have where a file names none. */
export interface OctorulesPhase {
  readonly phase: string;
  readonly action: string | null;
}

const phase = (name: string, action: string | null = null): OctorulesPhase => ({ phase: name, action });

/** The sections with rules, by their names in the files of octorules (octorules-cloudflare 0.18.1). */
export const PHASE_SECTIONS: ReadonlyMap<string, OctorulesPhase> = new Map([
  ['redirect_rules', phase('http_request_dynamic_redirect', 'redirect')],
  ['url_rewrite_rules', phase('http_request_transform', 'rewrite')],
  ['request_header_rules', phase('http_request_late_transform', 'rewrite')],
  ['response_header_rules', phase('http_response_headers_transform', 'rewrite')],
  ['config_rules', phase('http_config_settings', 'set_config')],
  ['origin_rules', phase('http_request_origin', 'route')],
  ['cache_rules', phase('http_request_cache_settings', 'set_cache_settings')],
  ['compression_rules', phase('http_response_compression', 'compress_response')],
  ['custom_error_rules', phase('http_custom_errors', 'serve_error')],
  ['waf_custom_rules', phase('http_request_firewall_custom')],
  ['waf_managed_rules', phase('http_request_firewall_managed')],
  ['rate_limiting_rules', phase('http_ratelimit')],
  ['bot_fight_rules', phase('http_request_sbfm')],
  ['sensitive_data_detection', phase('http_response_firewall_managed')],
  ['http_ddos_rules', phase('ddos_l7')],
  ['bulk_redirect_rules', phase('http_request_redirect', 'redirect')],
  ['log_custom_fields', phase('http_log_custom_fields', 'log_custom_field')],
  ['network_ddos_rules', phase('ddos_l4')],
  ['network_firewall_rules', phase('magic_transit')],
  ['network_firewall_managed', phase('magic_transit_managed')],
  ['network_firewall_ratelimit', phase('magic_transit_ratelimit')],
  ['network_firewall_ids', phase('magic_transit_ids_managed')],
  ['url_normalization', phase('http_request_sanitize')],
]);

/** Values of settings by name and pointer, and members of a section that are no values. */
export interface SectionSettings {
  readonly said: ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;
  readonly unsayable: readonly string[];
}

type SettingsSection = (section: JsonObject) => SectionSettings;

const SECURITY: Readonly<Record<string, string>> = {
  challenge_passage: 'challenge_ttl',
  browser_integrity_check: 'browser_check',
};

/** The sections with settings of a zone. */
export const SETTING_SECTIONS: ReadonlyMap<string, SettingsSection> = new Map([
  ['bot_management', (section: JsonObject) => oneSetting('bot_management', section)],
  ['url_normalization_settings', (section: JsonObject) => oneSetting('url_normalization', section)],
  [
    'leaked_credential_check',
    ({ detections, ...section }: JsonObject) => ({
      ...oneSetting('leaked_credential_checks', section),
      unsayable: isEmpty(detections) ? [] : ['detections'],
    }),
  ],
  [
    'managed_transforms',
    ({ request, response, ...others }: JsonObject) => ({
      ...oneSetting('managed_transforms', { ...objectOf(request), ...objectOf(response) }),
      unsayable: [
        ...Object.keys(others),
        ...Object.entries({ request, response }).flatMap(([side, said]) =>
          isEmpty(said) || isJsonObject(said) ? [] : [side],
        ),
      ],
    }),
  ],
  ['zone_security', (section: JsonObject) => zoneSettings(section, SECURITY)],
  ['zone_tls', (section: JsonObject) => zoneSettings(section, { zero_rtt: '0rtt' })],
]);

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isJsonArray(value) && value.length === 0);
}

/** Sections that no file here can hold, and why. */
export const OTHER_SECTIONS: ReadonlyMap<string, string> = new Map(
  [
    ...['aws', 'azure', 'bunny', 'google'].map((vendor) => [vendor, 'rules of other vendors']),
    ['alerting_policies', 'notifications'],
    ['cloud_connector_rules', 'Cloud Connector rules'],
    ['content_scanning', 'the settings of content scanning'],
    ['page_shield_policies', 'policies of Page Shield'],
    ['security_txt', 'security.txt'],
  ].map(([section = '', what = '']) => [section, `Rulewright does not manage ${what}`] as const),
);

/** A section whose members are the fields of one setting. */
function oneSetting(name: string, section: JsonObject): SectionSettings {
  return {
    said: new Map([[name, new Map(Object.entries(section).map(([key, value]) => [`/${key}`, value]))]]),
    unsayable: [],
  };
}

/** A section whose members are settings of the zone by name; one with members of its own is said member by member. */
function zoneSettings(section: JsonObject, names: Readonly<Record<string, string>>): SectionSettings {
  return {
    said: new Map(
      Object.entries(section).map(([key, value]) => [
        Object.hasOwn(names, key) ? (names[key] ?? key) : key,
        isJsonObject(value) ? new Map(leavesOf(value, '')) : new Map([['', value]]),
      ]),
    ),
    unsayable: [],
  };
}

function leavesOf(value: JsonValue, path: string): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${path}/${key}`))
    : [[path, value]];
}
