import { address, code, int, ints, knownText, score, text, texts, version, word } from './convert.ts';
import type { Convert } from './convert.ts';
import type { TrafficOutcome } from '../model/index.ts';

/** A column of the dataset `http_requests`, and the field of the rules language that it says. */
export interface LogpushColumn {
  readonly column: string;
  readonly field: string;
  readonly convert: Convert;
}

const LEAKED = 'LeakedCredentialCheckResult';
const BOTH_LEAKED = 'username_and_password_leaked';
const DETECTION = { passed: true, failed: false, missing: false };
/** What became of a certificate that the service does not accept. */
const REFUSED = { untrusted: false, notyetvalid: false, expired: false };
const SENT = { untrusted: true, notyetvalid: true, expired: true };

/** Whether a word is among those for which a field is true; an empty one says nothing. */
function isOneOf(...words: readonly string[]): Convert {
  return (value) => (typeof value === 'string' && value !== '' ? words.includes(value) : undefined);
}

const isNotEmpty: Convert = (value) => (typeof value === 'string' ? value !== '' : undefined);

/** Without TLS, the log says `none` and the field is empty. */
const unlessNone: Convert = (value) => (value === 'none' ? '' : knownText(value));

/**
 * What each column says, by the vendor's pages "HTTP requests" and "Security fields" of Logpush. URL, method, host, time, headers and what the service
 * did are read in `read-logpush.ts`, since several columns say them. A column that is nowhere here says nothing that a rule could ask for.
 */
export const LOGPUSH_COLUMNS: readonly LogpushColumn[] = (
  [
    ['ClientIP', 'ip.src', address],
    ['ClientASN', 'ip.src.asnum', int],
    ['ClientCountry', 'ip.src.country', code],
    ['ClientCity', 'ip.src.city', knownText],
    ['ClientLatitude', 'ip.src.lat', knownText],
    ['ClientLongitude', 'ip.src.lon', knownText],
    ['ClientRegionCode', 'ip.src.region_code', knownText],
    ['ClientSrcPort', 'cf.edge.client_port', int],
    ['ClientTCPRTTMs', 'cf.timings.client_tcp_rtt_msec', int],
    ['ClientRequestProtocol', 'http.request.version', version],
    ['ClientSSLCipher', 'cf.tls_cipher', unlessNone],
    ['ClientSSLProtocol', 'cf.tls_version', unlessNone],
    // Said for the first request of a connection only; then empty or `unknown`.
    ['ClientMTLSAuthCertFingerprint', 'cf.tls_client_auth.cert_fingerprint_sha256', knownText],
    [
      'ClientMTLSAuthStatus',
      'cf.tls_client_auth.cert_verified',
      word({ ...REFUSED, ok: true, absent: false }),
    ],
    ['ClientMTLSAuthStatus', 'cf.tls_client_auth.cert_presented', word({ ...SENT, ok: true, absent: false })],
    // A score of 0: none was computed.
    ['BotScore', 'cf.bot_management.score', score],
    ['BotTags', 'cf.bot_management.tags', texts],
    ['BotDetectionIDs', 'cf.bot_management.detection_ids', ints],
    ['JA3Hash', 'cf.bot_management.ja3_hash', knownText],
    ['JA4', 'cf.bot_management.ja4', knownText],
    ['JSDetectionPassed', 'cf.bot_management.js_detection.passed', word(DETECTION)],
    ['VerifiedBotCategory', 'cf.verified_bot_category', text],
    ['VerifiedBotCategory', 'cf.client.bot', isNotEmpty],
    ['VerifiedBotCategory', 'cf.bot_management.verified_bot', isNotEmpty],
    ['WAFAttackScore', 'cf.waf.score', score],
    ['WAFSQLiAttackScore', 'cf.waf.score.sqli', score],
    ['WAFXSSAttackScore', 'cf.waf.score.xss', score],
    ['WAFRCEAttackScore', 'cf.waf.score.rce', score],
    ['ContentScanObjResults', 'cf.waf.content_scan.obj_results', texts],
    ['ContentScanObjSizes', 'cf.waf.content_scan.obj_sizes', ints],
    ['ContentScanObjTypes', 'cf.waf.content_scan.obj_types', texts],
    [LEAKED, 'cf.waf.credential_check.password_leaked', isOneOf('password_leaked', BOTH_LEAKED)],
    [LEAKED, 'cf.waf.credential_check.username_leaked', isOneOf('username_leaked', BOTH_LEAKED)],
    [LEAKED, 'cf.waf.credential_check.username_and_password_leaked', isOneOf(BOTH_LEAKED)],
    [LEAKED, 'cf.waf.credential_check.username_password_similar', isOneOf('username_password_similar')],
    ['FraudEmailRisk', 'cf.fraud.email_risk', knownText],
    ['RayID', 'cf.ray_id', text],
  ] satisfies readonly LogpushRow[]
).map(([column, field, convert]) => ({ column, field, convert }));

type LogpushRow = readonly [column: string, field: string, convert: Convert];

/**
 * What the words of `SecurityAction` and `SecurityActions` mean for the request. After a challenge that was solved, or solved before, it went on.
 * Null for a word that says nothing.
 */
export const SECURITY_ACTIONS: ReadonlyMap<
  string,
  { readonly outcome: TrafficOutcome | null; readonly solved: boolean }
> = new Map(
  (
    [
      [
        ['', 'allow', 'log', 'bypass', 'skip', 'rewrite', 'simulate', 'managedChallengeSkipped'],
        'passed',
        false,
      ],
      [['block', 'drop', 'connectionClose', 'forceConnectionClose'], 'blocked', false],
      [['challenge', 'jschallenge', 'managedChallenge'], 'challenged', false],
      [['challengeFailed', 'jschallengeFailed'], 'challenged', false],
      [
        ['challengeSolved', 'challengeBypassed', 'jschallengeSolved', 'jschallengeBypassed'],
        'challenged',
        true,
      ],
      [
        [
          'managedChallengeNonInteractiveSolved',
          'managedChallengeInteractiveSolved',
          'managedChallengeBypassed',
        ],
        'challenged',
        true,
      ],
      [['unknown'], null, false],
    ] satisfies readonly (readonly [readonly string[], TrafficOutcome | null, boolean])[]
  ).flatMap(([words, outcome, solved]) => words.map((name) => [name, { outcome, solved }] as const)),
);

/** Columns that say a header. */
export const HEADER_COLUMNS: readonly (readonly [column: string, header: string])[] = [
  ['ClientRequestUserAgent', 'user-agent'],
  ['ClientRequestReferer', 'referer'],
  ['ClientXRequestedWith', 'x-requested-with'],
];

/** All columns that are read. */
export const READ_COLUMNS: ReadonlySet<string> = new Set([
  ...LOGPUSH_COLUMNS.map(({ column }) => column),
  ...HEADER_COLUMNS.map(([column]) => column),
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestURI',
  'ClientRequestScheme',
  'EdgeStartTimestamp',
  'EdgeColoCode',
  'EdgeColoID',
  'RequestHeaders',
  'Cookies',
  'OriginResponseStatus',
  'SecurityAction',
  'SecurityActions',
  'SecurityRuleID',
  'SecurityRuleIDs',
  'SecuritySources',
]);
