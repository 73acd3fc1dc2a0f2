import { compileFilter, listsFromJson, parseExpression } from '../../expression/index.ts';
import type { EvaluationContext, Values } from '../../expression/index.ts';
import { isObject, listAt, objectAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Account, Zone } from '../records/directory-record.ts';
import { listAsOf } from '../records/list-record.ts';
import { latest } from '../records/ruleset-record.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import type { Store } from '../store/store.ts';

/** What became of a request: the status, where it is sent if it is redirected, and the security events that it left. */
export interface RuledRequest {
  readonly status: number;
  /** Whether no rule answered it, so that it reached the origin. */
  readonly passed: boolean;
  readonly location?: string;
  readonly events: readonly { readonly rule: string; readonly action: string }[];
}

/** Runs requests through the live rules of a zone. */
export type RunRules = (values: Values) => RuledRequest;

/** The phases whose rules can answer a request, in their order (api.md 4.3). The rules of other phases change nothing here. */
const ANSWERING = [
  'http_request_sanitize',
  'http_request_dynamic_redirect',
  'ddos_l7',
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_request_sbfm',
  'http_request_redirect',
];

const CHALLENGES = new Set(['challenge', 'js_challenge', 'managed_challenge']);

/**
 * Prepares the rules that are live in a zone at a moment: those of its account before its own. What nobody here can know counts as not met: rate
 * limits are never exceeded, and rules of managed rulesets match nothing.
 */
export function liveRules(store: Store, zone: Zone, now: number): RunRules {
  const account = store.rulesets.group(`accounts/${zone.account}`);
  const own = store.rulesets.group(`zones/${zone.id}`);
  const context = { inList: listsOf(store, zone.account, now) };
  const prepared = new Map<StoredRuleset, readonly CompiledRule[]>();
  const rulesOf = (ruleset: StoredRuleset): readonly CompiledRule[] => {
    const rules = prepared.get(ruleset) ?? latest(ruleset).rules.flatMap((rule) => prepare(rule, context));
    prepared.set(ruleset, rules);
    return rules;
  };
  const entries = ANSWERING.flatMap((phase) =>
    [account, own].flatMap((some) => some.filter((one) => one.kind !== 'custom' && one.phase === phase)),
  );
  const custom = new Map([...account, ...own].map((ruleset) => [ruleset.id, ruleset]));
  return (values) => walk(entries, { rulesOf, custom, values });
}

interface CompiledRule {
  readonly rule: StoredRule;
  readonly matches: (values: Values) => boolean;
}

function prepare(rule: StoredRule, context: EvaluationContext): readonly CompiledRule[] {
  const { enabled, expression, ratelimit, exposed_credential_check: credentials } = rule.definition;
  if (!enabled || expression === undefined || ratelimit !== undefined || credentials !== undefined) {
    return [];
  }
  const parsed = parseExpression(expression, { mode: 'filter' });
  const compiled =
    parsed.ok && parsed.tree.mode === 'filter' ? compileFilter(parsed.tree.root, { context }) : undefined;
  return compiled?.ok === true ? [{ rule, matches: compiled.evaluate }] : [];
}

function listsOf(
  store: Store,
  account: Account['id'],
  now: number,
): NonNullable<EvaluationContext['inList']> {
  const byType: Record<'Ip' | 'Int' | 'Bytes', Record<string, unknown[]>> = { Ip: {}, Int: {}, Bytes: {} };
  for (const list of store.lists.group(account)) {
    const { name, kind, items } = listAsOf(list, now);
    const values = items.flatMap(({ value }) =>
      Object.values(value).map((one) => (isObject(one) ? textAt(one, 'url_hostname') : one)),
    );
    if (kind !== 'redirect') {
      byType[kind === 'ip' ? 'Ip' : kind === 'asn' ? 'Int' : 'Bytes'][name] = values;
    }
  }
  const read = listsFromJson(byType);
  return read.ok ? read.contains : () => false;
}

interface RequestWalk {
  readonly rulesOf: (ruleset: StoredRuleset) => readonly CompiledRule[];
  readonly custom: ReadonlyMap<string, StoredRuleset>;
  readonly values: Values;
}

/** What rules on the way said so far. */
interface WalkState {
  readonly events: { rule: string; action: string }[];
  /** With the level: `zone http_ratelimit`. */
  readonly skippedPhases: Set<string>;
  readonly skippedRulesets: Set<string>;
  readonly skippedRules: Set<string>;
}

function walk(entries: readonly StoredRuleset[], way: RequestWalk): RuledRequest {
  const state: WalkState = {
    events: [],
    skippedPhases: new Set(),
    skippedRulesets: new Set(),
    skippedRules: new Set(),
  };
  for (const entry of entries) {
    const answer = walkRules(entry, way, state);
    if (answer !== undefined) {
      return answer;
    }
  }
  return { status: 200, passed: true, events: state.events };
}

function walkRules(ruleset: StoredRuleset, way: RequestWalk, state: WalkState): RuledRequest | undefined {
  if (state.skippedRulesets.has(ruleset.id)) {
    return undefined;
  }
  for (const { rule, matches } of way.rulesOf(ruleset)) {
    if (state.skippedPhases.has(`${levelOf(ruleset)} ${ruleset.phase}`)) {
      return undefined;
    }
    if (state.skippedRules.has(rule.id) || !matches(way.values)) {
      continue;
    }
    const { action, action_parameters: parameters = {}, logging } = rule.definition;
    if (action === 'execute') {
      const target = way.custom.get(textAt(parameters, 'id') ?? '');
      const answer = target === undefined ? undefined : walkRules(target, way, state);
      if (answer !== undefined) {
        return answer;
      }
      continue;
    }
    const answer = answerOf(action, parameters);
    if (
      answer?.kind === 'security' ||
      ((action === 'log' || action === 'skip') && logging?.['enabled'] !== false)
    ) {
      state.events.push({ rule: rule.id, action });
    }
    if (answer !== undefined) {
      const { status, location } = answer;
      return { status, passed: false, events: state.events, ...(location === undefined ? {} : { location }) };
    }
    if (action === 'skip' && addSkips(parameters, ruleset, state)) {
      return undefined;
    }
  }
  return undefined;
}

/** What a rule answers; undefined for actions after which the request goes on. */
function answerOf(
  action: string,
  parameters: WireObject,
):
  | {
      readonly kind: 'security' | 'redirect';
      readonly status: number;
      readonly location?: string | undefined;
    }
  | undefined {
  if (CHALLENGES.has(action)) {
    return { kind: 'security', status: 403 };
  }
  if (action === 'block') {
    const status = objectAt(parameters, 'response')?.['status_code'];
    return { kind: 'security', status: typeof status === 'number' ? status : 403 };
  }
  const value = action === 'redirect' ? objectAt(parameters, 'from_value') : undefined;
  if (value === undefined) {
    return undefined;
  }
  const status = value['status_code'];
  return {
    kind: 'redirect',
    status: typeof status === 'number' ? status : 302,
    location: textAt(objectAt(value, 'target_url') ?? {}, 'value'),
  };
}

function levelOf({ owner }: StoredRuleset): 'zone' | 'account' {
  return owner.startsWith('zones/') ? 'zone' : 'account';
}

/** Notes what a skip rule skips; returns whether the rest of its own ruleset is among it. An account skips phases of its zones too (api.md 5.4). */
function addSkips(parameters: WireObject, ruleset: StoredRuleset, state: WalkState): boolean {
  for (const phase of textsAt(parameters, 'phases')) {
    state.skippedPhases.add(`zone ${phase}`);
    state.skippedPhases.add(`${levelOf(ruleset)} ${phase}`);
  }
  textsAt(parameters, 'rulesets').forEach((id) => state.skippedRulesets.add(id));
  for (const rules of Object.values(objectAt(parameters, 'rules') ?? {})) {
    listAt({ rules }, 'rules').forEach((id) => state.skippedRules.add(String(id)));
  }
  return textAt(parameters, 'ruleset') === 'current';
}
