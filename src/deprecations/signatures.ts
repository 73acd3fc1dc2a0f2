import type { UseSign } from '../model/retired/deprecation-use.ts';
import { DEPRECATED_PARAMETERS } from '../model/retired/deprecated-parameters.ts';

/** What a file must contain besides a match for the match to count. */
export type RequiredContext =
  /** Nothing: the pattern is specific to this service. */
  | { readonly kind: 'none' }
  /** The file names the service somewhere. */
  | { readonly kind: 'service' }
  /** A route of the same deprecation, or one of these words, within some lines. */
  | { readonly kind: 'near'; readonly words: RegExp | null };

/** A pattern for a deprecated use; its first group, or the whole match, is the name of what is used. */
export interface Signature {
  readonly deprecation: string;
  readonly kind: Exclude<UseSign['kind'], 'route'>;
  readonly pattern: RegExp;
  readonly context: RequiredContext;
}

const NONE: RequiredContext = { kind: 'none' };
const SERVICE: RequiredContext = { kind: 'service' };
const near = (words: RegExp | null = null): RequiredContext => ({ kind: 'near', words });

const CLIENT = String.raw`\b(?:client|cf|cloudflare|api)(?:\(\))?\.(?:zones\.)?`;
const VERB = String.raw`(?:list|new|create|get|update|edit|delete|put|post|patch|bulk\w*)\b`;

const FIELDS: readonly Signature[] = [
  field('account-nameservers', /\buse_account_custom_ns_by_default\b/gu, NONE),
  field('account-nameservers', /\bdefault_nameservers\b/gu, near()),
  field('cname-flattening', /\bcname_flattening\b/gu, near(/cloudflare_zone_settings?(?:_override)?\b/u)),
  field('dns-record-zone-info', /["'.]zone_name\b/gu, near()),
  field('dns-record-locked', /["'.]locked\b/gu, near()),
  field('dns-validation-errors', /\berror_chain\b/gu, near()),
  field(
    'load-balancing-notification-email',
    /\bnotification_email\b/gu,
    near(/cloudflare_load_balancer_pool/u),
  ),
  field('access-self-hosted-domains', /\bself_hosted_domains\b/gu, NONE),
  field('gateway-audit-ssh', /\baudit_ssh\b/gu, near(/cloudflare_(?:teams_rule|zero_trust_gateway_policy)/u)),
  field('user-service-key', /\bx-auth-user-service-key\b|\bCLOUDFLARE_API_USER_SERVICE_KEY\b/giu, NONE),
  field('user-service-key', /\bapi_user_service_key\b/gu, NONE),
  field('security-level', /\bcf\.threat_score\b/gu, NONE),
  field(
    'dns-record-list-filters',
    /dns_records\?[^\s"'`]{0,200}?\b((?:name|content)=(?:contains|starts_?with|ends_?with):)/gu,
    NONE,
  ),
];

const TERRAFORM: readonly Signature[] = [
  terraform('firewall-rules', /\b(cloudflare_(?:firewall_rule|filter))\b(?!s)/gu),
  terraform('old-waf', /\b(cloudflare_waf_(?:package|group|rule|override)s?)\b/gu),
  terraform('old-rate-limits', /\b(cloudflare_rate_limit)\b/gu),
  terraform('access-bookmarks', /\b(cloudflare_access_bookmark)\b/gu),
  setting('mirage', 'mirage'),
  setting('minify', 'minify'),
  setting('brotli', 'brotli'),
  setting('mobile-redirect', 'mobile_redirect'),
  setting('server-side-exclude', 'server_side_exclude'),
  setting('privacy-pass', 'privacy_pass'),
  setting('security-level', 'security_level'),
];

const CALLS: readonly Signature[] = [
  call('firewall-rules', String.raw`${CLIENT}(?:firewall\.rules|filters)\.${VERB}`),
  call('old-waf', String.raw`${CLIENT}firewall\.waf\.(?:packages|overrides)\b`),
  call('old-rate-limits', String.raw`${CLIENT}rate_?limits\.${VERB}`),
  call('firewall-rules', String.raw`\b(?:Create|Update|Delete|List)?FirewallRules?\(`),
  call('old-waf', String.raw`\b(?:Create|Update|Delete|List)?WAF(?:Package|Group|Rule|Override)s?\(`),
  pulumi('firewall-rules', 'FirewallRule|Filter'),
  pulumi('old-rate-limits', 'RateLimit'),
  pulumi('old-waf', 'Waf(?:Package|Group|Rule|Override)'),
];

/** Retired rule parameters, near their action. */
const PARAMETERS: readonly Signature[] = DEPRECATED_PARAMETERS.flatMap((row): Signature[] =>
  row.deprecation === null
    ? []
    : [
        {
          deprecation: row.deprecation,
          kind: 'parameter',
          pattern: new RegExp(
            String.raw`(?:^|[\s{,])["']?(${row.parameter})["']?\s*[:={]${
              row.values === undefined ? '' : String.raw`\s*["']?(?:${row.values.join('|')})\b`
            }`,
            'gu',
          ),
          context: near(new RegExp(String.raw`\b${row.action}\b`, 'u')),
        },
      ],
);

/** The signatures of all deprecated uses except routes. */
export const SIGNATURES: readonly Signature[] = [...FIELDS, ...TERRAFORM, ...CALLS, ...PARAMETERS];

function field(deprecation: string, pattern: RegExp, context: RequiredContext): Signature {
  return { deprecation, kind: 'field', pattern, context };
}

function terraform(deprecation: string, pattern: RegExp): Signature {
  return { deprecation, kind: 'terraform', pattern, context: NONE };
}

/** Matches a zone setting in Terraform, also as JSON: an attribute or block of one resource, or the id of another. */
function setting(deprecation: string, name: string): Signature {
  return {
    deprecation,
    kind: 'terraform',
    pattern: new RegExp(
      String.raw`(?:^|[\s{,])"?(?:setting_id"?\s*[=:]\s*"(?=${name}")|(?=${name}"?\s*[=:{]))(${name})`,
      'gu',
    ),
    context: near(/cloudflare_zone_settings?(?:_override)?\b/u),
  };
}

/** Matches a Pulumi resource: a class of its library, or a type in YAML. */
function pulumi(deprecation: string, names: string): Signature {
  return call(deprecation, String.raw`\bcloudflare(?:\.|:(?:index/\w+:)?)(${names})\b`);
}

function call(deprecation: string, pattern: string): Signature {
  return { deprecation, kind: 'call', pattern: new RegExp(pattern, 'giu'), context: SERVICE };
}
