import { actionsWith } from './actions.ts';
import type { ActionKind } from './actions.ts';
import type { ScopeKind } from './scope.ts';

/** The side of an exchange that a phase works on. */
export type PhaseStage = 'network' | 'request' | 'response';

/** Where rules of a phase stand: in the entry point of a zone or account, or in a custom ruleset of either (api.md 3.1). */
export type RuleSite = 'zone' | 'account' | 'zoneCustom' | 'accountCustom';

/**
 * A group of fields and functions that not every phase has. The tables in `src/expression/data` say which group each of them is in; all others are
 * in every phase (`rules-language.md` 4.1).
 */
export type FieldGroup =
  | 'response'
  | 'answered'
  | 'scored'
  | 'split'
  | 'response-error'
  | 'packet'
  | 'transform'
  | 'header-transform'
  | 'rewrite'
  | 'rewrite-redirect'
  | 'url-rewrite-redirect'
  | 'transform-custom-error'
  | 'transform-custom-ratelimit'
  | 'custom-ratelimit'
  | 'custom-ratelimit-header'
  | 'body'
  | 'jwt';

/** Limits by plan level, in the order of `PLAN_LEVELS`. */
export type LimitByPlan = readonly [free: number, pro: number, business: number, enterprise: number];

/** Most rules of a phase, counted over its entry point and the custom rulesets that it deploys (api.md 4.2, 8.1). */
interface RuleLimits {
  readonly zone: LimitByPlan;
  /** Of a zone with Pro Plus, where it has more than with Pro. */
  readonly proPlus?: number;
  /** Of an Enterprise zone with an add-on. */
  readonly extended?: { readonly limit: number; readonly by: string };
  readonly account?: number;
}

/** The parameters of an action that a phase takes: these alone, or all but these. */
type TakenParameters = { readonly only: readonly string[] } | { readonly without: readonly string[] };

/** What the service retires in favour of a phase. As long as a zone has it, it acts beside the phase's rules. */
export type PhasePredecessor = 'firewall-rules' | 'rate-limits' | 'waf';

/** Every fact about a phase. Nothing else knows a phase by name: code asks its row for what it needs to know. */
export interface PhaseFacts {
  readonly name: string;
  /** The product, by its name on the service's pages. */
  readonly product: string;
  /** What its rules are, with their actions, for editors. */
  readonly summary: string;
  readonly stage: PhaseStage;
  /** The actions that its rules may have. It has entry points and custom rulesets only where it has actions (api.md 4.2, 5.1). */
  readonly actions: Readonly<Partial<Record<RuleSite, readonly string[]>>>;
  /** By action, where it does not take all parameters (api.md 4.4, 5.3 to 5.6, 5.11). */
  readonly parameters?: Readonly<Record<string, TakenParameters>>;
  /** The permission groups that the service asks for (api.md 11.2). */
  readonly permissions: { readonly zone?: string; readonly account?: string };
  readonly limits?: RuleLimits;
  /** The groups of fields that it has (`rules-language.md` 4.1). */
  readonly fields?: readonly FieldGroup[];
  /** Groups that every phase has but this one. */
  readonly withoutFields?: readonly FieldGroup[];
  /** Groups that elsewhere only computed values may use. */
  readonly fieldsInConditions?: readonly FieldGroup[];
  /** Who writes its rules, if not this interface: for messages (api.md 4.1, 4.2). */
  readonly writtenElsewhere?: string;
  /** The actions that overrides of managed rulesets may give; absent where that is not known (api.md 5.3). */
  readonly overrideActions?: readonly string[];
  /** Set if its managed rules always run: rules only adjust them, by sensitivity, and each for other requests (api.md 4.4, 5.3). */
  readonly isAlwaysOn?: true;
  /** The only managed ruleset of free zones (api.md 4.2, 8.1). */
  readonly freeRuleset?: string;
  /** Set if exceptions, in this phase and in others, may name its rulesets and rules (api.md 5.4). */
  readonly hasExceptions?: true;
  /** Set if its rules limit a rate (api.md 3.4). */
  readonly limitsRate?: true;
  /** Set if an account's rules that execute or skip have to end with the clause for Enterprise zones (api.md 4.4). */
  readonly needsEnterpriseClause?: true;
  /** What the phase is, if only the Enterprise plan includes it (api.md 4.2). */
  readonly enterpriseFeature?: string;
  /** The setting of a zone that is the same state as the entry point (`settings.ts`): only one of them may be declared. */
  readonly setting?: string;
  /** The add-on without which its rules match every request and overrides cannot log (api.md 1.6, 5.3). */
  readonly advancedBy?: string;
  /** What `rewrite` changes (api.md 5.5). */
  readonly rewrites?: 'url' | 'request-headers' | 'response-headers';
  /** Set if visitors see what its rules are given: headers, pages, redirect targets. */
  readonly isShownToVisitors?: true;
  /** The status of a block without a response of its own, and the most bytes of a response of its own, where that is limited (api.md 5.2). */
  readonly block?: { readonly status: number; readonly mostBytes: number };
  /** Set if its rules can end a request, skip others, or change what later rules see; unset too if that does not depend on whether it has rules. */
  readonly decides?: true;
  /** Set if only one rule for all requests is supported (api.md 4.2). */
  readonly isOneRule?: true;
  readonly predecessor?: PhasePredecessor;
  /** What the service's logs call what acts in it (vendor's docs, "Security fields" of Logpush). */
  readonly securitySources?: readonly string[];
  /** The kinds of scopes that can have an entry point of it, and custom rulesets of it: those for which it has actions. */
  readonly entrypoints: readonly ScopeKind[];
  readonly custom: readonly ScopeKind[];
}

const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'];
const FIREWALL = ['block', ...CHALLENGES, 'log'];
const EXECUTE = ['execute'];
const REWRITE = ['rewrite'];
/** Only the managed rules of the WAF say to whoever holds a key what they matched (api.md 5.3). */
const PLAIN_EXECUTE = { execute: { without: ['matched_data'] } };
const STRIP = ['strip_etags', 'strip_last_modified', 'strip_set_cookie'];

const TRAFFIC = { zone: [10, 25, 50, 300], account: 1000 } as const satisfies RuleLimits;

const WAF = { zone: 'Zone WAF', account: 'Account WAF' };
const TRANSFORM = { zone: 'Zone Transform Rules', account: 'Transform Rules' };
const CACHE = { zone: 'Cache Settings' };
const MAGIC = { account: 'Magic Firewall' };

const RESPONSE_FIELDS = ['response', 'answered', 'split'] as const;
const TRANSFORM_FIELDS = [
  'transform',
  'rewrite',
  'rewrite-redirect',
  'transform-custom-error',
  'transform-custom-ratelimit',
] as const;
const RATE_FIELDS = [
  'transform-custom-ratelimit',
  'custom-ratelimit',
  'custom-ratelimit-header',
  'body',
] as const;

/** All phases in the order in which an exchange goes through them (api.md 4.2, 4.3). */
const TABLE: readonly Omit<PhaseFacts, 'entrypoints' | 'custom'>[] = [
  {
    name: 'ddos_l4',
    product: 'Network-layer DDoS',
    summary: 'Overrides of the network-layer DDoS managed ruleset (execute).',
    stage: 'network',
    actions: { account: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: { account: 'L4 DDoS Managed Ruleset' },
    fields: ['packet'],
    overrideActions: ['block', 'log'],
    isAlwaysOn: true,
  },
  {
    name: 'magic_transit',
    product: 'Magic Firewall',
    summary: 'Magic Firewall rules (block, skip, execute).',
    stage: 'network',
    actions: { account: ['block', 'skip', 'execute'], accountCustom: ['block', 'skip'] },
    parameters: { ...PLAIN_EXECUTE, skip: { only: ['ruleset'] } },
    permissions: MAGIC,
    fields: ['packet'],
  },
  {
    name: 'magic_transit_managed',
    product: 'Magic Firewall managed rules',
    summary: 'Magic Firewall managed rulesets (execute).',
    stage: 'network',
    actions: { account: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: MAGIC,
    fields: ['packet'],
  },
  {
    name: 'magic_transit_ratelimit',
    product: 'Magic rate limiting',
    summary: 'Magic rate limiting (block, log).',
    stage: 'network',
    actions: { account: ['block', 'log'] },
    permissions: MAGIC,
    fields: ['packet'],
    limitsRate: true,
  },
  {
    name: 'magic_transit_ids_managed',
    product: 'Intrusion detection',
    summary: 'Intrusion detection (execute).',
    stage: 'network',
    actions: { account: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: MAGIC,
    fields: ['packet'],
    overrideActions: ['log'],
  },
  {
    name: 'http_request_sanitize',
    product: 'URL normalization',
    summary: 'URL normalization (execute of the normalization ruleset).',
    stage: 'request',
    actions: { zone: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: { zone: 'Sanitize' },
    setting: 'url_normalization',
  },
  {
    name: 'http_request_dynamic_redirect',
    product: 'Single redirects',
    summary: 'Single redirects (redirect with from_value).',
    stage: 'request',
    actions: { zone: ['redirect'] },
    parameters: { redirect: { only: ['from_value'] } },
    permissions: { zone: 'Dynamic URL Redirects' },
    limits: TRAFFIC,
    fields: ['rewrite-redirect', 'url-rewrite-redirect'],
    isShownToVisitors: true,
    decides: true,
  },
  {
    name: 'http_request_transform',
    product: 'URL rewrites',
    summary: 'URL rewrites (rewrite with uri).',
    stage: 'request',
    actions: { zone: REWRITE, account: REWRITE },
    parameters: { rewrite: { only: ['uri'] } },
    permissions: TRANSFORM,
    limits: TRAFFIC,
    fields: [...TRANSFORM_FIELDS, 'url-rewrite-redirect'],
    withoutFields: ['scored'],
    rewrites: 'url',
    decides: true,
  },
  {
    name: 'http_config_settings',
    product: 'Configuration rules',
    summary: 'Configuration rules (set_config).',
    stage: 'request',
    actions: { zone: ['set_config'] },
    permissions: { zone: 'Config Settings', account: 'Select Configuration' },
    limits: TRAFFIC,
  },
  {
    name: 'http_request_origin',
    product: 'Origin rules',
    summary: 'Origin rules (route).',
    stage: 'request',
    actions: { zone: ['route'] },
    permissions: { zone: 'Origin' },
    limits: TRAFFIC,
  },
  {
    name: 'ddos_l7',
    securitySources: ['l7ddos'],
    product: 'HTTP DDoS',
    summary: 'Overrides of the HTTP DDoS managed ruleset (execute).',
    stage: 'request',
    actions: { zone: EXECUTE, account: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: { zone: 'HTTP DDoS Managed Ruleset', account: 'Account Rulesets' },
    limits: { zone: [1, 1, 1, 1], extended: { limit: 10, by: 'advanced DDoS protection' } },
    overrideActions: ['block', 'challenge', 'managed_challenge', 'log'],
    isAlwaysOn: true,
    advancedBy: 'the Enterprise plan with advanced DDoS protection',
  },
  {
    name: 'http_request_firewall_custom',
    securitySources: ['firewallCustom', 'firewallRules'],
    product: 'WAF custom rules',
    summary: 'WAF custom rules (block, challenges, log, skip, execute; only execute at account level).',
    stage: 'request',
    actions: {
      zone: [...FIREWALL, 'skip', 'execute'],
      account: EXECUTE,
      zoneCustom: [...FIREWALL, 'skip'],
      accountCustom: [...FIREWALL, 'skip', 'rewrite'],
    },
    parameters: { ...PLAIN_EXECUTE, rewrite: { only: ['headers'] } },
    permissions: WAF,
    limits: { zone: [5, 20, 100, 1000], proPlus: 40, account: 1000 },
    fields: [...RATE_FIELDS, 'transform-custom-error'],
    needsEnterpriseClause: true,
    decides: true,
    predecessor: 'firewall-rules',
  },
  {
    name: 'http_ratelimit',
    securitySources: ['rateLimit'],
    product: 'Rate limiting rules',
    summary:
      'Rate limiting rules (block, challenges, log, each with ratelimit; only execute at account level).',
    stage: 'request',
    actions: { zone: FIREWALL, account: EXECUTE, accountCustom: FIREWALL },
    parameters: PLAIN_EXECUTE,
    permissions: WAF,
    limits: {
      zone: [1, 2, 5, 5],
      extended: { limit: 100, by: 'the application security package' },
      account: 1000,
    },
    fields: RATE_FIELDS,
    limitsRate: true,
    needsEnterpriseClause: true,
    block: { status: 429, mostBytes: 30 * 1024 },
    decides: true,
    predecessor: 'rate-limits',
  },
  {
    name: 'http_request_firewall_managed',
    securitySources: ['firewallManaged', 'waf'],
    product: 'WAF managed rules',
    summary: 'WAF managed rulesets and their exceptions (execute, skip).',
    stage: 'request',
    actions: { zone: ['execute', 'skip'], account: ['execute', 'skip'], accountCustom: ['skip'] },
    parameters: { skip: { only: ['ruleset', 'rulesets', 'rules'] } },
    permissions: WAF,
    fields: ['body'],
    overrideActions: FIREWALL,
    freeRuleset: '77454fe2d30c4220b5701f6fdfb893ba',
    hasExceptions: true,
    needsEnterpriseClause: true,
    decides: true,
    predecessor: 'waf',
  },
  {
    name: 'http_request_sbfm',
    securitySources: ['botFight', 'botManagement'],
    product: 'Super Bot Fight Mode',
    summary: 'Super Bot Fight Mode; the bot settings write these rules.',
    stage: 'request',
    actions: { zone: [] },
    permissions: { zone: 'Bot Management' },
    setting: 'bot_management',
    writtenElsewhere: 'the bot settings write its rules, not this interface',
    decides: true,
  },
  {
    name: 'http_request_redirect',
    product: 'Bulk redirects',
    summary: 'Bulk redirects (redirect with from_list).',
    stage: 'request',
    actions: { account: ['redirect'] },
    parameters: { redirect: { only: ['from_list'] } },
    permissions: { account: 'Mass URL Redirects' },
    decides: true,
  },
  {
    name: 'http_request_late_transform',
    product: 'Request header transforms',
    summary: 'Request header changes (rewrite with headers).',
    stage: 'request',
    actions: { zone: REWRITE, account: REWRITE },
    parameters: { rewrite: { only: ['headers'] } },
    permissions: TRANSFORM,
    limits: TRAFFIC,
    fields: [...TRANSFORM_FIELDS, 'header-transform', 'custom-ratelimit-header', 'body'],
    rewrites: 'request-headers',
  },
  {
    name: 'http_request_cache_settings',
    product: 'Cache rules',
    summary: 'Cache rules (set_cache_settings).',
    stage: 'request',
    actions: { zone: ['set_cache_settings'] },
    parameters: { set_cache_settings: { without: STRIP } },
    permissions: CACHE,
    limits: TRAFFIC,
  },
  {
    name: 'http_response_cache_settings',
    product: 'Cache response rules',
    summary: 'Cache response rules (set_cache_control, set_cache_tags, set_cache_settings).',
    stage: 'response',
    actions: { zone: ['set_cache_control', 'set_cache_tags', 'set_cache_settings'] },
    parameters: { set_cache_settings: { only: STRIP } },
    permissions: CACHE,
    limits: TRAFFIC,
    // Where a function's own page and the product's page differ, the product's page says more: these rules use functions of all kinds.
    fields: [...RESPONSE_FIELDS, 'rewrite-redirect'],
    fieldsInConditions: ['rewrite-redirect'],
  },
  {
    name: 'http_custom_errors',
    product: 'Custom errors',
    summary: 'Custom errors (serve_error).',
    stage: 'response',
    actions: { zone: ['serve_error'], account: ['serve_error'] },
    permissions: { zone: 'Custom Errors', account: 'Custom Error Rules' },
    limits: { zone: [0, 25, 50, 300], account: 1000 },
    fields: [...RESPONSE_FIELDS, 'response-error', 'transform-custom-error', 'body'],
    isShownToVisitors: true,
  },
  {
    name: 'http_response_headers_transform',
    product: 'Response header transforms',
    summary: 'Response header changes (rewrite with headers).',
    stage: 'response',
    actions: { zone: REWRITE, account: REWRITE },
    parameters: { rewrite: { only: ['headers'] } },
    permissions: TRANSFORM,
    limits: TRAFFIC,
    fields: [...RESPONSE_FIELDS, 'response-error', ...TRANSFORM_FIELDS, 'header-transform'],
    rewrites: 'response-headers',
    isShownToVisitors: true,
  },
  {
    name: 'http_response_compression',
    product: 'Compression rules',
    summary: 'Compression rules (compress_response).',
    stage: 'response',
    actions: { zone: ['compress_response'] },
    permissions: { zone: 'Response Compression' },
    limits: TRAFFIC,
    fields: RESPONSE_FIELDS,
  },
  {
    name: 'http_response_firewall_managed',
    product: 'Sensitive data detection',
    summary: 'Sensitive data detection (execute).',
    stage: 'response',
    actions: { zone: EXECUTE, account: EXECUTE },
    parameters: PLAIN_EXECUTE,
    permissions: WAF,
    fields: RESPONSE_FIELDS,
    overrideActions: ['block', 'log'],
    needsEnterpriseClause: true,
    enterpriseFeature: 'sensitive data detection',
  },
  {
    name: 'http_log_custom_fields',
    product: 'Custom log fields',
    summary: 'Custom log fields (log_custom_field).',
    stage: 'response',
    actions: { zone: ['log_custom_field'] },
    permissions: { zone: 'Logs', account: 'Logs' },
    fields: RESPONSE_FIELDS,
    isOneRule: true,
  },
];

const SCOPES = ['zone', 'account'] as const;

/** Every phase, in order of execution. */
export const PHASES: readonly PhaseFacts[] = TABLE.map((row) => ({
  ...row,
  entrypoints: SCOPES.filter((kind) => row.actions[kind] !== undefined),
  custom: SCOPES.filter((kind) => row.actions[`${kind}Custom`] !== undefined),
}));

const ORDER: ReadonlyMap<string, number> = new Map(PHASES.map((phase, index) => [phase.name, index]));

/** Returns the facts of a phase; undefined if this version does not know it. */
export function phaseFacts(name: string | undefined): PhaseFacts | undefined {
  return PHASES[ORDER.get(name ?? '') ?? -1];
}

/** Returns a phase's position in the order of execution; unknown phases come last. */
export function phaseOrder(name: string): number {
  return ORDER.get(name) ?? PHASES.length;
}

/** Returns the name of the phase that took the place of what the service retires. */
export function phaseAfter(predecessor: PhasePredecessor): string {
  return PHASES.find((phase) => phase.predecessor === predecessor)?.name ?? '';
}

/** Returns the actions that rules may have there; undefined if the phase is not known, or has no rules there that anybody could write. */
export function actionsIn(phase: string, site: RuleSite): readonly string[] | undefined {
  const facts = phaseFacts(phase);
  return facts?.writtenElsewhere === undefined ? facts?.actions[site] : undefined;
}

/** Whether a phase takes a parameter of an action. */
export function takesParameter({ parameters = {} }: PhaseFacts, action: string, name: string): boolean {
  const taken = parameters[action];
  return taken === undefined || ('only' in taken ? taken.only.includes(name) : !taken.without.includes(name));
}

/** Returns the phases in which some rules may have an action, with a parameter of it. */
export function phasesTaking(action: string, parameter?: string): readonly string[] {
  return PHASES.filter(
    (phase) =>
      Object.values(phase.actions).some((actions) => actions.includes(action)) &&
      (parameter === undefined || takesParameter(phase, action, parameter)),
  ).map(({ name }) => name);
}

/** Returns the phases in which some rules may have an action of a kind, with a parameter of it. */
export function phasesOfKind(kind: ActionKind, parameter?: string): readonly string[] {
  const taking = new Set(
    actionsWith((action) => action.kind === kind).flatMap((action) => phasesTaking(action, parameter)),
  );
  return PHASES.flatMap(({ name }) => (taking.has(name) ? [name] : []));
}

/** Whether the managed rules of a phase, those against DDoS, always run, and rules of the phase only adjust them (api.md 4.4, 5.3). */
export function isAlwaysOn({ phase }: { readonly phase: string }): boolean {
  return phaseFacts(phase)?.isAlwaysOn === true;
}
