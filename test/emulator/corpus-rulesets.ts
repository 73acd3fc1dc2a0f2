import type { Bench, RulesetView } from './bench.ts';
import { account, shop } from './bench.ts';
import { corpusFiles } from './corpus-folder.ts';

/** A ruleset of the corpus. */
export interface CorpusFile {
  readonly _form: string;
  readonly _type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Rule = Readonly<Record<string, unknown>>;

/** Where a payload without a phase belongs, by the action of its first rule. */
const phaseOf: Readonly<Record<string, string>> = {
  compress_response: 'http_response_compression',
  set_config: 'http_config_settings',
  serve_error: 'http_custom_errors',
  route: 'http_request_origin',
  rewrite: 'http_request_late_transform',
  execute: 'http_request_firewall_managed',
  skip: 'http_request_firewall_managed',
  block: 'http_request_firewall_custom',
  js_challenge: 'http_request_firewall_custom',
};

/** Payloads whose first action does not tell the phase. */
const phaseByNumber: Readonly<Record<string, string>> = {
  '0278': 'ddos_l7',
  '0280': 'ddos_l7',
  '0312': 'http_request_transform',
  '0334': 'ddos_l7',
};

/** The id that replaces the placeholder of a managed ruleset, by phase. */
const managedOf: Readonly<Record<string, string>> = {
  ddos_l4: '3b64149bfa6e4220bbbc2bd6db589552',
  ddos_l7: '4d21379b4f9f4bb088e0729962c8b3cf',
  http_request_firewall_managed: 'efb7b8c949ac4650a09736fc376e9aee',
};

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The rulesets of the corpus by their numbers. */
export function corpusRulesets(): readonly (readonly [number: string, file: CorpusFile])[] {
  return corpusFiles('corpus/rulesets').flatMap(([name, content]) => {
    const file = content as CorpusFile;
    return file._type === 'ruleset' || file._type === 'cloudflare_ruleset'
      ? [[name.slice(0, 4), file] as const]
      : [];
  });
}

/** The scope that a corpus ruleset goes to. */
export function scopeOfCorpus({ body }: CorpusFile): string {
  const [rule] = (Array.isArray(body['rules']) ? body['rules'] : []) as readonly Rule[];
  const kind = text(body['kind']) || 'zone';
  return kind === 'root' ||
    'account_id' in body ||
    (kind === 'custom' && 'exposed_credential_check' in (rule ?? {}))
    ? account
    : shop;
}

/** Sends a corpus ruleset to a seeded service, after deleting the entry point that the seed has for its phase. */
export async function loadCorpusRuleset(bench: Pick<Bench, 'call' | 'ok'>, number: string, file: CorpusFile) {
  const { body } = file;
  const rules = (Array.isArray(body['rules']) ? body['rules'] : []) as readonly Rule[];
  const kind = text(body['kind']) || 'zone';
  const scope = scopeOfCorpus(file);
  const phase = text(body['phase']) || (phaseByNumber[number] ?? phaseOf[text(rules[0]?.['action'])] ?? '');
  for (const own of await bench.ok<readonly RulesetView[]>('GET', `${scope}/rulesets`)) {
    if (own.phase === phase && own.kind === (scope === shop ? 'zone' : 'root')) {
      await bench.ok('DELETE', `${scope}/rulesets/${own.id}`);
    }
  }
  const {
    terraform_type: _t,
    zone_id: _z,
    account_id: _a,
    zoneId: _i,
    zone: _n,
    zoneRef: _r,
    ...rest
  } = body;
  const { id: _id, version: _v, last_updated: _l, source: _s, __meta: _m, ...said } = rest;
  const sent = {
    name: 'default',
    ...said,
    kind,
    phase,
    ...(Array.isArray(body['rules']) ? { rules: rules.filter(isDefined).map(withoutIds) } : {}),
  };
  return bench.call('POST', `${scope}/rulesets`, fillPlaceholders(sent, phase));
}

/** An entry with only an id keeps an existing rule, and here none exists. */
function isDefined(rule: Rule): boolean {
  return Object.keys(rule).some((key) => key !== 'id');
}

/** The rule as a client would send it to create it. */
function withoutIds({ id: _id, version: _version, last_updated: _time, ...rule }: Rule): Rule {
  return rule;
}

/** Documents write `<MANAGED_RULESET_ID>`, `<RULE_ID_1>` and the like. */
function fillPlaceholders(value: unknown, phase: string): string {
  let count = 0;
  return JSON.stringify(value)
    .replaceAll(/<[A-Z_]*RULESET_ID>/gu, managedOf[phase] ?? '')
    .replaceAll(/<[A-Z_]*RULE_ID[A-Z_0-9]*>/gu, () => {
      count += 1;
      return count.toString(16).padStart(32, '0');
    });
}
