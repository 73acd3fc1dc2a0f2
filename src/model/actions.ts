import { isJsonObject, objectOf, memoiseWeakly } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import type { RuleContent } from './rule.ts';

/** What kind of thing an action does with a request that its rule matches (api.md 4.3, 5.1). */
export type ActionKind =
  | 'block'
  | 'challenge'
  | 'redirect'
  | 'error-page'
  | 'skip'
  | 'execute'
  | 'rewrite'
  | 'settings'
  | 'note'
  | 'page-change';

/** Every fact about an action. What its parameters may be stands in the schemas; what they do to security, in `plan/impact`. */
export interface ActionFacts {
  readonly name: string;
  readonly kind: ActionKind;
  /** How firmly it stops requests, from 0 (it only logs) to 4; absent for actions that are not for that. */
  readonly strength?: number;
  /** What a rule with it does, before and after the word `requests`; and how that is said after `may`. */
  readonly verbs?: readonly [does: string, mayDo: string, rest?: string];
  /** Whether it may go with `exposed_credential_check` (api.md 3.2). */
  readonly checksCredentials?: true;
  /** Whether no phase is documented for it, so that the service decides. */
  readonly isInNoPhase?: true;
}

const SOLVED = ['challenges', 'challenge'] as const;

/** All actions that rules of files can have (api.md 5.1). */
const ACTIONS: readonly ActionFacts[] = [
  { name: 'rewrite', kind: 'rewrite', verbs: ['rewrites', 'rewrite'], checksCredentials: true },
  { name: 'log', kind: 'note', strength: 0, checksCredentials: true },
  { name: 'block', kind: 'block', strength: 4, verbs: ['blocks', 'block'], checksCredentials: true },
  { name: 'js_challenge', kind: 'challenge', strength: 1, verbs: SOLVED, checksCredentials: true },
  { name: 'challenge', kind: 'challenge', strength: 3, verbs: SOLVED, checksCredentials: true },
  { name: 'managed_challenge', kind: 'challenge', strength: 2, verbs: SOLVED },
  { name: 'skip', kind: 'skip', verbs: ['lets', 'let', ' past'] },
  { name: 'execute', kind: 'execute' },
  { name: 'redirect', kind: 'redirect', verbs: ['redirects', 'redirect'] },
  { name: 'serve_error', kind: 'error-page' },
  { name: 'route', kind: 'settings', verbs: ['routes', 'route'] },
  { name: 'set_config', kind: 'settings' },
  {
    name: 'set_cache_settings',
    kind: 'settings',
    verbs: ['lets the cache answer', 'let the cache answer'],
  },
  { name: 'set_cache_control', kind: 'settings' },
  { name: 'set_cache_tags', kind: 'settings' },
  { name: 'compress_response', kind: 'settings' },
  { name: 'log_custom_field', kind: 'note' },
  // In managed rulesets only, where it adds to a score.
  { name: 'score', kind: 'note' },
  { name: 'transform_response_html', kind: 'page-change', isInNoPhase: true },
];

const BY_NAME: ReadonlyMap<unknown, ActionFacts> = new Map(ACTIONS.map((action) => [action.name, action]));

/** Returns the facts of an action; undefined if this version does not know it. The service may have newer ones, about which nothing can be proven. */
export function actionFacts(name: unknown): ActionFacts | undefined {
  return BY_NAME.get(name);
}

/** Whether this version knows what an action does. */
export function isKnownAction(action: string): boolean {
  return BY_NAME.has(action);
}

/** Returns the kind of an action; undefined if the action is not known. */
export function actionKind(action: unknown): ActionKind | undefined {
  return BY_NAME.get(action)?.kind;
}

/** The actions that some other fact holds for. */
export function actionsWith(holds: (action: ActionFacts) => boolean): readonly string[] {
  return ACTIONS.filter(holds).map(({ name }) => name);
}

/** Returns the strength of an action, from 0 (log) to 4 (block); undefined for actions that are not for stopping requests. */
export function strengthOf(action: string): number | undefined {
  return BY_NAME.get(action)?.strength;
}

/** Whether an action stops requests, and with them the evaluation of its phase (api.md 4.3). */
export function stopsRequests(action: unknown): boolean {
  return (BY_NAME.get(action)?.strength ?? 0) > 0;
}

const TERMINATING: ReadonlySet<ActionKind | undefined> = new Set([
  'block',
  'challenge',
  'redirect',
  'error-page',
]);

/** Whether an action ends evaluation (api.md 4.3): for good, or, as challenges do, until somebody has solved one. */
export function isTerminating(action: unknown): boolean {
  return TERMINATING.has(actionKind(action));
}

/** Whether an action decides which rules run next. */
export function directsRules(action: unknown): boolean {
  const kind = actionKind(action);
  return kind === 'skip' || kind === 'execute';
}

/** The rule fields that `actsOnEveryMatch` reads; the rule may be declared in a file or live. */
interface Conditions {
  readonly action_parameters?: unknown;
  readonly ratelimit?: unknown;
  readonly exposed_credential_check?: unknown;
}

/**
 * Whether a rule acts on every request that its expression matches. A rate limit acts only on requests above the limit, a credential check only
 * on leaked credentials, and a redirect by list only on URLs in the list.
 */
export function actsOnEveryMatch(rule: Conditions): boolean {
  const { action_parameters: parameters, ratelimit, exposed_credential_check: credentials } = rule;
  const byList = isJsonObject(parameters) && parameters['from_list'] !== undefined;
  return ratelimit === undefined && credentials === undefined && !byList;
}

type Deciding = Pick<RuleContent, 'action' | 'action_parameters'>;

/**
 * Whether among matching rules with this action the last one decides, rather than the first: each setting, header and URL part by itself
 * (api.md 4.3).
 */
export function lastDecides(action: string): boolean {
  const kind = actionKind(action);
  return kind === 'rewrite' || kind === 'settings';
}

/** The parts that a rule decides if it is the last to match, as paths: `ssl`, `headers/x-frame-options`, `uri/path`. */
export const decidedParts = memoiseWeakly(
  (content: Deciding): ReadonlySet<string> => new Set(partsOf(content)),
);

function partsOf({ action, action_parameters: parameters = {} }: Deciding): readonly string[] {
  if (!lastDecides(action)) {
    return [];
  }
  const within = (key: string): readonly string[] =>
    Object.keys(objectOf(parameters[key])).map((part) => partOf(key, part));
  return actionKind(action) === 'rewrite'
    ? [...within('headers'), ...within('uri')]
    : Object.keys(parameters);
}

/** Returns the rule reduced to the parameters that decide the given parts. */
export function onlyParts<Rule extends Deciding>(rule: Rule, parts: ReadonlySet<string>): Rule {
  if (decidedParts(rule).size === parts.size) {
    return rule;
  }
  const { action, action_parameters: parameters = {} } = rule;
  const pick = (object: JsonObject, nameOf: (key: string) => string): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([key]) => parts.has(nameOf(key))));
  const picked =
    actionKind(action) === 'rewrite'
      ? Object.fromEntries(
          Object.entries(parameters).flatMap(([key, value]) =>
            isJsonObject(value) ? [[key, pick(value, (part) => partOf(key, part))]] : [],
          ),
        )
      : pick(parameters, (key) => key);
  return { ...rule, action_parameters: picked };
}

/** Lower-cased, since header names are case-insensitive. */
function partOf(key: string, part: string): string {
  return `${key}/${part.toLowerCase()}`;
}
