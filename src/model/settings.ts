import type { SettingFacts, SettingField, ValueStrength } from './setting.ts';

type SaidField = Pick<SettingField, 'says'> & Partial<SettingField>;

const NEUTRAL: ValueStrength = { kind: 'neutral' };

/** A flag that protects when it is on; without `of`, one that does nothing to security. */
function flag({ of, ...rest }: SaidField & { readonly of?: string }): SettingField {
  const strength = of === undefined ? NEUTRAL : ({ kind: 'order', values: [[false], [true]], of } as const);
  return { values: { kind: 'flag' }, standard: false, strength, ...rest };
}

/** Words from the weakest to the strongest. */
function words(list: readonly string[], { of, ...rest }: SaidField & { readonly of?: string }): SettingField {
  const strength =
    of === undefined ? NEUTRAL : ({ kind: 'order', values: list.map((word) => [word]), of } as const);
  return { values: { kind: 'words', words: list }, strength, ...rest };
}

/** A zone setting: path, method and form are the same for all of them (api.md 9, `/settings/{id}`). */
function zone(
  name: string,
  fields: SettingField | Readonly<Record<string, SettingField>>,
  says?: string,
): SettingFacts {
  const all = isOneField(fields) ? { '': fields } : fields;
  return {
    name,
    group: 'zone',
    says: says ?? all['']?.says ?? '',
    path: `/settings/${name}`,
    method: 'PATCH',
    form: { kind: 'value' },
    fields: all,
    permission: 'Zone Settings',
  };
}

function isOneField(fields: SettingField | Readonly<Record<string, SettingField>>): fields is SettingField {
  return 'says' in fields && typeof fields.says === 'string';
}

const OFF_ON = ['off', 'on'] as const;

function offOn(name: string, told: SaidField & { readonly of?: string }): SettingFacts {
  return zone(name, words(OFF_ON, { standard: 'off', ...told }));
}

const BOTS = 'protection against bots';
const SBFM = ['allow', 'managed_challenge', 'block'] as const;
const HSTS = 'protection of visitors from connections that are not encrypted';
const WHAT_ORIGIN_LEARNS = 'knowledge of the origin by which it may decide';

/** Hours and days that a visitor who solved a challenge is let through, in seconds (api.md 9). */
const CHALLENGE_SECONDS = [
  300, 900, 1800, 2700, 3600, 7200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000, 31_536_000,
];

/**
 * The settings, in the order of documents. Paths and fields are those of the vendor's SDK (resources `url_normalization`, `managed_transforms`,
 * `bot_management`, `leaked_credential_checks`, `page_shield`, `zones/settings`); docs/settings.md names where the rest comes from. What the vendor
 * does not say (defaults, some plan levels) is absent, so that the service decides.
 */
export const SETTINGS: readonly SettingFacts[] = [
  {
    name: 'url_normalization',
    says: 'How the service normalises URLs before any rule sees them.',
    path: '/url_normalization',
    method: 'PUT',
    form: { kind: 'object', sends: 'whole' },
    permission: 'Zone Settings',
    fields: {
      '/scope': words(['none', 'incoming', 'both'], {
        says: 'Which URLs are normalised: none, those that rules see, or those that the origin gets too.',
        standard: 'incoming',
        of: 'protection from spellings of a path that slip past rules',
        shapes: ['http.request.uri'],
      }),
      '/type': words(['rfc3986', 'cloudflare'], {
        says: 'How: by RFC 3986 alone, or also merging slashes and turning backslashes.',
        standard: 'cloudflare',
        of: 'protection from spellings of a path that slip past rules',
      }),
    },
  },
  {
    name: 'managed_transforms',
    says: 'Changes of headers that the service offers ready-made.',
    path: '/managed_headers',
    method: 'PATCH',
    form: {
      kind: 'switches',
      lists: {
        managed_request_headers: [
          '/add_bot_protection_headers',
          '/add_client_certificate_headers',
          '/add_true_client_ip_headers',
          '/add_visitor_location_headers',
          '/add_waf_credential_check_status_header',
          '/remove_visitor_ip_headers',
        ],
        managed_response_headers: ['/add_security_headers', '/remove_x-powered-by_header'],
      },
    },
    permission: 'Managed headers',
    fields: {
      '/add_bot_protection_headers': flag({
        says: 'Tells the origin the bot score and whether a bot is verified.',
        of: WHAT_ORIGIN_LEARNS,
        from: 'enterprise',
      }),
      '/add_client_certificate_headers': flag({
        says: 'Tells the origin of the certificate that a client showed.',
        of: WHAT_ORIGIN_LEARNS,
      }),
      '/add_true_client_ip_headers': flag({
        says: 'Adds True-Client-IP with the address of the visitor.',
        of: WHAT_ORIGIN_LEARNS,
        from: 'enterprise',
      }),
      '/add_visitor_location_headers': flag({
        says: 'Tells the origin where a visitor is.',
        of: WHAT_ORIGIN_LEARNS,
      }),
      '/add_waf_credential_check_status_header': flag({
        says: 'Tells the origin whether the credentials of a request have leaked.',
        of: WHAT_ORIGIN_LEARNS,
        from: 'pro',
      }),
      '/remove_visitor_ip_headers': flag({
        says: 'Takes headers with the address of the visitor away from the origin.',
        strength: { kind: 'unknown', of: WHAT_ORIGIN_LEARNS },
      }),
      '/add_security_headers': flag({
        says: 'Adds headers to answers by which browsers protect visitors.',
        of: 'protection of visitors by security headers',
      }),
      '/remove_x-powered-by_header': flag({
        says: 'Takes X-Powered-By out of answers.',
        of: 'secrecy about what the origin runs on',
      }),
    },
  },
  {
    name: 'bot_management',
    says: 'Bot Fight Mode, Super Bot Fight Mode and Bot Management.',
    path: '/bot_management',
    method: 'PUT',
    form: { kind: 'object', sends: 'changed' },
    permission: 'Bot Management',
    fields: {
      '/ai_bots_protection': words(['disabled', 'only_on_ad_pages', 'block'], {
        stops: true,
        says: 'What happens to crawlers of AI companies.',
        of: 'protection against crawlers of AI companies',
      }),
      '/auto_update_model': flag({
        says: 'Takes the newest model of bot detection.',
        standard: true,
        of: BOTS,
        from: 'enterprise',
      }),
      '/bm_cookie_enabled': flag({
        says: 'Sets the cookie __cf_bm, by which sessions are scored.',
        standard: true,
        of: BOTS,
        from: 'enterprise',
      }),
      '/cf_robots_variant': words(['off', 'policy_only'], {
        says: 'What the service adds to robots.txt.',
      }),
      '/crawler_protection': words(['disabled', 'enabled'], {
        stops: true,
        says: 'Leads crawlers that ignore robots.txt into a maze.',
        standard: 'disabled',
        of: BOTS,
      }),
      '/enable_js': flag({
        says: 'Runs JavaScript detections.',
        of: BOTS,
        supplies: ['cf.bot_management.js_detection'],
      }),
      '/fight_mode': flag({ says: 'Bot Fight Mode, of the Free plan.', stops: true, of: BOTS }),
      '/is_robots_txt_managed': flag({ says: 'Lets the service write robots.txt.' }),
      '/optimize_wordpress': flag({
        stops: true,
        says: 'Exempts what WordPress sends itself.',
        strength: { kind: 'order', values: [[true], [false]], of: BOTS },
        from: 'pro',
      }),
      '/sbfm_definitely_automated': words(SBFM, {
        stops: true,
        says: 'What happens to definitely automated traffic.',
        standard: 'allow',
        of: BOTS,
        from: 'pro',
      }),
      '/sbfm_likely_automated': words(SBFM, {
        stops: true,
        says: 'What happens to likely automated traffic.',
        standard: 'allow',
        of: BOTS,
        from: 'business',
      }),
      '/sbfm_static_resource_protection': flag({
        stops: true,
        says: 'Protects static resources too.',
        of: BOTS,
        from: 'pro',
      }),
      '/sbfm_verified_bots': words(['allow', 'block'], {
        stops: true,
        says: 'What happens to verified bots.',
        standard: 'allow',
        of: BOTS,
        from: 'pro',
      }),
      '/suppress_session_score': flag({
        says: 'Leaves the session out of the bot score.',
        strength: { kind: 'unknown', of: BOTS },
        from: 'enterprise',
      }),
      '/using_latest_model': flag({
        says: 'Whether the newest model is in use.',
        standard: true,
        readOnly: 'the service only shows it; auto_update_model decides',
      }),
    },
  },
  {
    name: 'leaked_credential_checks',
    says: 'Looks for leaked credentials in requests.',
    path: '/leaked-credential-checks',
    method: 'POST',
    form: { kind: 'object', sends: 'changed' },
    permission: 'Zone WAF',
    fields: {
      '/enabled': flag({
        says: 'Whether requests are checked.',
        of: 'protection of accounts whose passwords have leaked',
        supplies: ['cf.waf.credential_check', 'cf.waf.auth_detected'],
      }),
    },
  },
  {
    name: 'page_shield',
    says: 'Client-side security: watches the scripts and connections of pages.',
    path: '/page_shield',
    method: 'PUT',
    form: { kind: 'object', sends: 'changed' },
    permission: 'Page Shield',
    fields: {
      '/enabled': flag({ says: 'Whether it is on.', of: 'protection of visitors from foreign scripts' }),
      '/use_cloudflare_reporting_endpoint': flag({
        says: 'Sends reports to the host of the service.',
        standard: true,
      }),
      '/use_connection_url_path': flag({ says: 'Keeps the paths of addresses that pages connect to.' }),
    },
  },
  offOn('0rtt', {
    says: 'Lets a returning visitor send a request before the handshake ends.',
    strength: { kind: 'order', values: [['on'], ['off']], of: 'protection from repeated requests' },
  }),
  zone('advanced_ddos', {
    ...words(OFF_ON, { says: 'Advanced DDoS protection.' }),
    readOnly: 'it comes with the plan of the zone',
  }),
  offOn('always_online', { says: 'Serves copies of pages while the origin is down.' }),
  offOn('always_use_https', {
    stops: true,
    says: 'Redirects requests without encryption.',
    of: 'protection of visitors from connections that are not encrypted',
  }),
  offOn('automatic_https_rewrites', {
    says: 'Rewrites links to https where that works.',
    of: 'protection of visitors from parts of pages that are not encrypted',
  }),
  offOn('browser_check', {
    stops: true,
    says: 'Looks for headers that spammers send.',
    standard: 'on',
    of: BOTS,
  }),
  zone('challenge_ttl', {
    stops: true,
    says: 'How long a visitor who solved a challenge is let through, in seconds.',
    values: { kind: 'numbers', numbers: CHALLENGE_SECONDS },
    standard: 1800,
    strength: { kind: 'amount', stronger: 'less', of: 'challenging of visitors' },
  }),
  zone('ciphers', {
    stops: true,
    says: 'The cipher suites that visitors may use.',
    values: { kind: 'texts', pattern: '^[A-Z0-9-]+$' },
    standard: [],
    strength: { kind: 'unknown', of: 'encryption of connections of visitors' },
  }),
  offOn('early_hints', { says: 'Sends hints before the answer.' }),
  offOn('email_obfuscation', {
    says: 'Hides addresses of mail from bots.',
    standard: 'on',
    of: 'secrecy about addresses of mail',
  }),
  offOn('hotlink_protection', {
    stops: true,
    says: 'Refuses pictures to pages of other sites.',
    of: 'protection of pictures from use by other sites',
  }),
  offOn('http2', { says: 'HTTP/2 for visitors.', standard: 'on' }),
  offOn('http3', { says: 'HTTP/3 for visitors.', standard: 'on' }),
  offOn('ip_geolocation', { says: 'Tells the origin the country of a visitor.', standard: 'on' }),
  offOn('ipv6', { says: 'Takes visitors by IPv6.', standard: 'on', stops: true }),
  zone('max_upload', {
    stops: true,
    says: 'The largest request body, in megabytes; the plan of the zone bounds it.',
    values: { kind: 'whole', least: 100, most: 1000 },
    standard: 100,
    strength: NEUTRAL,
  }),
  zone(
    'min_tls_version',
    words(['1.0', '1.1', '1.2', '1.3'], {
      stops: true,
      says: 'The oldest version of TLS that visitors may use, in quotes.',
      standard: '1.0',
      of: 'encryption of connections of visitors',
    }),
  ),
  offOn('opportunistic_encryption', {
    says: 'Encrypts requests to http addresses where browsers can.',
    standard: 'on',
    of: 'encryption of connections of visitors',
  }),
  offOn('opportunistic_onion', { says: 'Serves visitors of Tor by an onion service.' }),
  zone('pseudo_ipv4', {
    ...words(['off', 'add_header', 'overwrite_header'], {
      says: 'Gives the origin an IPv4 address in place of IPv6.',
      standard: 'off',
    }),
    strength: { kind: 'unknown', of: WHAT_ORIGIN_LEARNS },
  }),
  offOn('replace_insecure_js', {
    says: 'Replaces libraries from hosts that are known to be unsafe.',
    of: 'protection of visitors from foreign scripts',
  }),
  offOn('response_buffering', { says: 'Waits for the whole answer of the origin.', from: 'enterprise' }),
  offOn('rocket_loader', { says: 'Loads scripts last.' }),
  zone(
    'security_header',
    {
      '/strict_transport_security/enabled': flag({ says: 'Whether the header is sent.', of: HSTS }),
      '/strict_transport_security/max_age': {
        says: 'How long browsers remember it, in seconds.',
        values: { kind: 'whole', least: 0, most: 31_536_000 },
        standard: 0,
        strength: { kind: 'amount', stronger: 'more', of: HSTS },
      },
      '/strict_transport_security/include_subdomains': flag({ says: 'Whether subdomains count.', of: HSTS }),
      '/strict_transport_security/preload': flag({ says: 'Lets browsers know it beforehand.', of: HSTS }),
      '/strict_transport_security/nosniff': flag({
        says: 'Sends X-Content-Type-Options: nosniff.',
        of: 'protection of visitors from files of a false type',
      }),
    },
    'HTTP Strict Transport Security.',
  ),
  zone('security_level', {
    stops: true,
    says: 'How suspicious the service is of visitors; it sets low, medium and high itself, so these are one.',
    values: { kind: 'words', words: ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'] },
    standard: 'medium',
    strength: {
      kind: 'order',
      values: [['off'], ['essentially_off'], ['low', 'medium', 'high'], ['under_attack']],
      of: 'challenging of suspicious visitors',
    },
    // Since 2025 the service chooses among these itself (api.md 12.1).
    alike: ['low', 'medium', 'high'],
    valuesFrom: { off: 'enterprise' },
  }),
  zone(
    'ssl',
    words(['off', 'flexible', 'full', 'strict', 'origin_pull'], {
      stops: true,
      says: 'How connections to the origin are encrypted and checked.',
      of: 'encryption of connections to the origin',
      valuesFrom: { origin_pull: 'enterprise' },
    }),
  ),
  zone('tls_1_3', {
    stops: true,
    says: 'TLS 1.3 for visitors; zrt adds 0-RTT.',
    values: { kind: 'words', words: ['off', 'on', 'zrt'] },
    standard: 'on',
    strength: { kind: 'order', values: [['off'], ['on']], of: 'encryption of connections of visitors' },
  }),
  offOn('tls_client_auth', {
    says: 'Shows the origin a certificate of the service.',
    of: 'proof to the origin that requests came through the service',
  }),
  offOn('true_client_ip_header', {
    says: 'Adds True-Client-IP with the address of the visitor.',
    of: WHAT_ORIGIN_LEARNS,
    from: 'enterprise',
  }),
  offOn('websockets', { says: 'WebSockets to the origin.', standard: 'on', stops: true }),
];

const BY_NAME = new Map(SETTINGS.map((facts) => [facts.name, facts]));

/** Returns the facts of a setting by its name; undefined for one that this version does not know. */
export function settingFacts(name: string): SettingFacts | undefined {
  return BY_NAME.get(name);
}

/** Returns the names by which a setting may be called: by its own, and by the one that people read. */
export function settingNames(name: string): readonly string[] {
  return [...new Set([name, settingFieldName(settingFacts(name) ?? { name })])];
}

/** Returns the keys of a setting, or of a field of it, below `settings` of a file. */
export function settingKeys(
  { name, group }: Pick<SettingFacts, 'name' | 'group'>,
  path = '',
): readonly [string, ...(readonly string[])] {
  const rest: readonly [string, ...(readonly string[])] = [name, ...path.split('/').slice(1)];
  return group === undefined ? rest : [group, ...rest];
}

/** Returns the name of a setting as people read it: with `zone.` where it stands below that key, and with the field. */
export function settingFieldName(facts: Pick<SettingFacts, 'name' | 'group'>, path = ''): string {
  return settingKeys(facts, path).join('.');
}
