import { assertNever } from '../../data/index.ts';
import { DEPRECATED_PARAMETERS } from '../../model/index.ts';
import type { RouteMethod, SourceSpan } from '../../model/index.ts';
import type { FileLine } from './requests-in-text.ts';
import { readRequests, spanOf } from './requests-in-text.ts';
import type { RouteMatch } from './deprecated-paths.ts';

/** What was matched: a request, one of its fields, a Terraform block, a call of a vendor's library, or a rule parameter. */
export type UseSign =
  | { readonly kind: 'route'; readonly method: RouteMethod | null; readonly path: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'terraform'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string };

/** A use of something that the service retires. It holds no text of the file, which may be secret. */
export interface DeprecationUse {
  /** Id of the row in the deprecation registry. */
  readonly deprecation: string;
  readonly sign: UseSign;
  readonly where: SourceSpan;
}

/** The uses in a file: the first of each kind with its place, and how many more there are. */
export interface FileUses {
  readonly uses: readonly DeprecationUse[];
  readonly more: number;
}

export interface ScanResult {
  readonly uses: readonly DeprecationUse[];
  /** Number of uses beyond the first of each kind in a file. */
  readonly more: number;
  readonly files: number;
  /** Number of files skipped because they are not text. */
  readonly binary: number;
  /** Files and folders that could not be read, and why. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}

/** What a file must contain besides a match for the match to count. */
type RequiredContext =
  /** Nothing: the pattern is specific to this service. */
  | { readonly kind: 'none' }
  /** The file names the service somewhere. */
  | { readonly kind: 'service' }
  /** A route of the same deprecation, or one of these words, within some lines. */
  | { readonly kind: 'near'; readonly words: RegExp | null };

/** A pattern for a deprecated use; its first group, or the whole match, is the name of what is used. */
interface Signature {
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
const SIGNATURES: readonly Signature[] = [...FIELDS, ...TERRAFORM, ...CALLS, ...PARAMETERS];

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

/** The scan of a file, line by line. */
export interface FileScan {
  /** Reads the next line or, with an offset, the next piece of the same line. */
  line(text: string, offset?: number): void;
  /** Returns the uses in the order of the file. To be called once, after the last line. */
  end(): FileUses;
}

/** Most lines between a match and its context. */
const MAX_DISTANCE = 30;

/** Most uses of one kind in one file that are reported with their places: a log of a million requests repeats itself. */
const MAX_PLACES_PER_KIND = 20;

/** Most uses of one kind that are kept until the end of the file shows whether their context is there. */
const MAX_PENDING_PER_KIND = 1000;

/** Prefilter: a line without one of these has no path of the registry. */
const PATH_ROOTS = /zones|accounts|organizations|radar|\buser\//u;

/** Prefilter: a line without one of these matches no signature, and is no context of one. */
const SIGNATURE_WORDS = new RegExp(
  [
    'cloudflare|dns_records|set_config|firewall|filters|waf|rate_?limits?',
    '_ns_by_default|default_nameservers|cname_flattening|zone_name|locked|error_chain|notification_email',
    'self_hosted_domains|audit_ssh|service[_-]key|threat_score|mirage|minify|brotli|mobile_redirect|server_side_exclude',
    'privacy_pass|security_level',
  ].join('|'),
  'iu',
);

/** How many uses of one kind there are that need a context of one kind. */
interface UseCount {
  readonly count: number;
  readonly context: RequiredContext['kind'];
}

interface PossibleUse {
  readonly use: DeprecationUse;
  readonly context: RequiredContext;
}

/**
 * Looks for uses of what the service is retiring in the text of a file of any kind: requests by their paths, fields, Terraform blocks, library
 * calls, rule parameters. A use that could also belong to another service counts only with its required context.
 */
export function scanFile(file: string): FileScan {
  const candidates: PossibleUse[] = [];
  const counts = new Map<string, UseCount>();
  const contexts = createContextIndex();
  let number = 0;
  const add = (use: DeprecationUse, context: RequiredContext): void => {
    const kind = `${kindOf(use)} ${context.kind}`;
    const count = (counts.get(kind)?.count ?? 0) + 1;
    counts.set(kind, { count, context: context.kind });
    if (count <= (context.kind === 'none' ? MAX_PLACES_PER_KIND : MAX_PENDING_PER_KIND)) {
      candidates.push({ use, context });
    }
  };
  const requests = readRequests({
    route: contexts.route,
    request: ({ match, method, where }) => {
      const sign: UseSign = { kind: 'route', method, path: match.route.path };
      add({ deprecation: match.row.id, sign, where }, { kind: match.common ? 'service' : 'none' });
    },
  });
  const readSignatures = (line: FileLine): void => {
    const { text } = line;
    for (const { deprecation, kind, pattern, context } of SIGNATURES) {
      for (const match of text.matchAll(pattern)) {
        const used = match[1] ?? match[0];
        const name = used.replaceAll(/^["'.\s]+|[({\s=:"']+$/gu, '');
        const start = match.index + match[0].indexOf(name);
        const where = spanOf(line, [start, start + name.length]);
        add({ deprecation, sign: { kind, name }, where }, context);
      }
    }
  };
  return {
    line(text, offset = 0) {
      number += offset === 0 ? 1 : 0;
      const line = { file, text, number, offset };
      requests.line(line, PATH_ROOTS.test(text));
      if (SIGNATURE_WORDS.test(text)) {
        contexts.line(text, number);
        readSignatures(line);
      }
    },
    end() {
      requests.end();
      return limited(
        candidates.filter(({ use, context }) => contexts.isMet(use, context)),
        counts,
      );
    },
  };
}

/** Indexes the lines of a file that can be the context of a match. */
function createContextIndex(): {
  readonly route: (match: RouteMatch, line: number) => void;
  readonly line: (text: string, number: number) => void;
  readonly isMet: (use: DeprecationUse, context: RequiredContext) => boolean;
} {
  const words = new Map<string, RegExp>(
    SIGNATURES.flatMap(({ context }) =>
      context.kind === 'near' && context.words !== null ? [[context.words.source, context.words]] : [],
    ),
  );
  const lines = new Map<string, number[]>();
  let service = false;
  const note = (key: string, line: number): void => {
    const known = lines.get(key) ?? [];
    known.push(line);
    lines.set(key, known);
  };
  const isNear = (key: string, line: number): boolean =>
    lines.get(key)?.some((other) => Math.abs(other - line) <= MAX_DISTANCE) === true;
  return {
    route: ({ row }, line) => {
      note(`route ${row.id}`, line);
    },
    line: (text, number) => {
      service ||= /cloudflare/iu.test(text);
      for (const [source, pattern] of words) {
        if (pattern.test(text)) {
          note(source, number);
        }
      }
    },
    isMet: ({ deprecation, where }, context) => {
      switch (context.kind) {
        case 'none':
          return true;
        case 'service':
          return service;
        case 'near':
          return (
            isNear(`route ${deprecation}`, where.start.line) ||
            (context.words !== null && isNear(context.words.source, where.start.line))
          );
        default:
          return assertNever(context);
      }
    },
  };
}

/** Returns the first uses of each kind, one for each place, in the order of the file, and how many more there are. */
function limited(candidates: readonly PossibleUse[], counts: ReadonlyMap<string, UseCount>): FileUses {
  const places = new Set<string>();
  const perKind = new Map<string, number>();
  let more = [...counts.values()].reduce(
    (sum, { count, context }) => sum + (context === 'none' ? Math.max(0, count - MAX_PLACES_PER_KIND) : 0),
    0,
  );
  const uses = candidates.flatMap(({ use }): readonly DeprecationUse[] => {
    const { line, column } = use.where.start;
    const place = `${use.deprecation} ${line}:${column}`;
    if (places.has(place)) {
      return [];
    }
    places.add(place);
    const kind = kindOf(use);
    const count = (perKind.get(kind) ?? 0) + 1;
    perKind.set(kind, count);
    more += count > MAX_PLACES_PER_KIND ? 1 : 0;
    return count > MAX_PLACES_PER_KIND ? [] : [use];
  });
  return {
    uses: uses.toSorted(
      ({ where: { start: a } }, { where: { start: b } }) => a.line - b.line || a.column - b.column,
    ),
    more,
  };
}

function kindOf({ deprecation, sign }: DeprecationUse): string {
  return `${deprecation} ${sign.kind === 'route' ? `${sign.method ?? ''} ${sign.path}` : sign.name}`;
}
