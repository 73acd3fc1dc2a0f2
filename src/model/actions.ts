import { isJsonObject, objectOf, memoiseWeakly } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import { headerKey } from './header-rewrites.ts';
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

/**
 * Every fact about an action. Nothing else knows an action by name: code asks its row for what it needs to know. What its parameters may be stands
 * in the schemas, under its name in camel case; what they do to security, in `plan/impact`.
 */
export interface ActionFacts {
  readonly name: string;
  /** What it does with a matching request, for editors. */
  readonly summary: string;
  readonly kind: ActionKind;
  /** How firmly it stops requests, from 0 (it only logs) to 4; absent for actions that are not for that. */
  readonly strength?: number;
  /** What a rule with it does, before and after the word `requests`; and how that is said after `may`. */
  readonly verbs?: readonly [does: string, mayDo: string, rest?: string];
  /** Whether it may go with `exposed_credential_check` (api.md 3.2). */
  readonly checksCredentials?: true;
  /** Whether a rule with it needs `action_parameters`. */
  readonly needsParameters?: true;
  /** Whether no phase is documented for it, so that the service decides. */
  readonly isInNoPhase?: true;
}

const SOLVED = ['challenges', 'challenge'] as const;

/** All actions that rules of files can have (api.md 5.1), in the order in which the schemas list them. */
export const ACTIONS: readonly ActionFacts[] = [
  {
    name: 'block',
    summary: 'Refuses the request.',
    kind: 'block',
    strength: 4,
    verbs: ['blocks', 'block'],
    checksCredentials: true,
  },
  {
    name: 'challenge',
    summary: 'Asks the visitor an interactive question.',
    kind: 'challenge',
    strength: 3,
    verbs: SOLVED,
    checksCredentials: true,
  },
  {
    name: 'js_challenge',
    summary: 'Lets the browser prove itself by JavaScript.',
    kind: 'challenge',
    strength: 1,
    verbs: SOLVED,
    checksCredentials: true,
  },
  {
    name: 'managed_challenge',
    summary: 'Lets the service choose the challenge.',
    kind: 'challenge',
    strength: 2,
    verbs: SOLVED,
  },
  {
    name: 'log',
    summary: 'Only writes to the log (Enterprise).',
    kind: 'note',
    strength: 0,
    checksCredentials: true,
  },
  {
    name: 'skip',
    summary: 'Passes by later rules, rulesets, phases or products.',
    kind: 'skip',
    verbs: ['lets', 'let', ' past'],
    needsParameters: true,
  },
  { name: 'execute', summary: 'Runs another ruleset.', kind: 'execute', needsParameters: true },
  {
    name: 'rewrite',
    summary: 'Changes path and query, or headers.',
    kind: 'rewrite',
    verbs: ['rewrites', 'rewrite'],
    checksCredentials: true,
    needsParameters: true,
  },
  {
    name: 'redirect',
    summary: 'Sends the visitor elsewhere.',
    kind: 'redirect',
    verbs: ['redirects', 'redirect'],
    needsParameters: true,
  },
  {
    name: 'route',
    summary: 'Changes the origin.',
    kind: 'settings',
    verbs: ['routes', 'route'],
    needsParameters: true,
  },
  {
    name: 'score',
    summary: 'Adds to the anomaly score (managed rulesets only).',
    kind: 'note',
    needsParameters: true,
  },
  { name: 'serve_error', summary: 'Serves an error page.', kind: 'error-page', needsParameters: true },
  { name: 'set_config', summary: 'Changes zone settings.', kind: 'settings', needsParameters: true },
  {
    name: 'set_cache_settings',
    summary: 'Changes what is cached, and how.',
    kind: 'settings',
    verbs: ['lets the cache answer', 'let the cache answer'],
    needsParameters: true,
  },
  {
    name: 'set_cache_control',
    summary: 'Changes the Cache-Control header.',
    kind: 'settings',
    needsParameters: true,
  },
  { name: 'set_cache_tags', summary: 'Changes cache tags.', kind: 'settings', needsParameters: true },
  {
    name: 'compress_response',
    summary: 'Chooses the compression.',
    kind: 'settings',
    needsParameters: true,
  },
  {
    name: 'log_custom_field',
    summary: 'Adds headers and cookies to the logs.',
    kind: 'note',
    needsParameters: true,
  },
  {
    name: 'transform_response_html',
    summary: 'Changes HTML answers (2026).',
    kind: 'page-change',
    isInNoPhase: true,
  },
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

/** The strength of the firmest action. */
export const FIRMEST = Math.max(...ACTIONS.map(({ strength = 0 }) => strength));

/** Whether an action is for stopping requests and yet only logs them. */
export function onlyLogs(action: unknown): boolean {
  return BY_NAME.get(action)?.strength === 0;
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

function partOf(key: string, part: string): string {
  return `${key}/${headerKey(part)}`;
}
