import { planNeeds, usesRegex } from '../expression/index.ts';
import type { JsonObject } from '../data/index.ts';
import { objectOf, repeatsOf, textsIn } from '../data/index.ts';
import type { PhaseFacts, PlanLevel, RuleContent } from '../model/index.ts';
import {
  expressionMode,
  expressionsIn,
  contentToWire,
  PHASES,
  PLAN_LEVELS,
  actionKind,
  planName,
  readOverrides,
  executedReference,
  onlyLogs,
  readCacheSettings,
  wellKnownRuleset,
} from '../model/index.ts';
import { duration, oneLine, someNames } from '../text/index.ts';

/** A rule as it will be, and the plan level of its zone. */
export interface FeatureUse {
  readonly content: RuleContent;
  readonly parameters: JsonObject;
  readonly ratelimit: JsonObject;
  /** Undefined for a phase that this version does not know. */
  readonly phase: PhaseFacts | undefined;
  readonly level: PlanLevel;
}

/** The keys and positions that lead to a value in a rule. */
type RulePath = readonly (string | number)[];

/** A feature that not every plan level includes. */
interface Feature {
  readonly name: string;
  /** What the feature requires, in words; add-ons are not known here. */
  readonly needs: string;
  readonly included: readonly PlanLevel[];
  /** The whole text, where it depends on how much the rule uses. */
  readonly says?: (use: FeatureUse) => string;
  readonly uses: (use: FeatureUse) => boolean;
  /** Where in the rule it stands; the rule itself unless given. */
  readonly at?: RulePath | ((use: FeatureUse) => RulePath);
}

const ENTERPRISE = { needs: 'the Enterprise plan', included: ['enterprise'] } as const;
const BUSINESS = { needs: 'the Business plan', included: ['business', 'enterprise'] } as const;

/** The longest times of a rate limit in seconds, by plan level (api.md 8.3). */
const LONGEST = {
  free: { period: 10, mitigation: 10 },
  pro: { period: 60, mitigation: 3600 },
  business: { period: 600, mitigation: 86_400 },
  enterprise: { period: 65_535, mitigation: Infinity },
} as const;
/** A feature that higher levels include more of: its text says how much. */
const BY_LEVEL = { needs: '', included: [] } as const;
const ADVANCED_DDOS = {
  needs: 'the Enterprise plan with advanced DDoS protection',
  included: ['enterprise'],
} as const;

const COLO = 'cf.colo.id';

/** The characteristics that rate limits may use besides the data centre, and how many of them (api.md 8.3). */
const COUNTED: Readonly<Record<PlanLevel, { readonly most: number; readonly by?: readonly string[] }>> = {
  free: { most: 1, by: ['ip.src'] },
  pro: { most: 1, by: ['ip.src'] },
  business: { most: 2, by: ['ip.src', 'cf.unique_visitor_id'] },
  enterprise: { most: 4 },
};

/** The shortest edge TTL that a rule may set, in seconds (api.md 5.11). */
const SHORTEST_EDGE_TTL: Readonly<Record<PlanLevel, number>> = {
  free: 7200,
  pro: 3600,
  business: 1,
  enterprise: 1,
};

/** The features that the service refuses by plan level, according to its documentation (api.md 1.6, 4.2, 5.3, 5.7, 5.11, 8.1, 8.3). */
const FEATURES: readonly Feature[] = [
  {
    name: 'regular expressions (matches)',
    needs: 'the Business plan, or WAF Advanced',
    included: BUSINESS.included,
    uses: ({ content, phase }) => phase?.limitsRate !== true && regexIn(content) !== undefined,
    at: ({ content }) => regexIn(content) ?? [],
  },
  {
    name: 'regular expressions (matches)',
    needs: 'Advanced Rate Limiting',
    // An Enterprise zone may or may not have it; that is not known here.
    included: ['enterprise'],
    uses: ({ content, phase }) => phase?.limitsRate === true && regexIn(content) !== undefined,
    at: ({ content }) => regexIn(content) ?? [],
  },
  {
    name: 'the action log',
    ...ENTERPRISE,
    uses: ({ content }) => onlyLogs(content.action),
    at: ['action'],
  },
  {
    name: 'payload logging (matched_data)',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      executedReference(content) !== undefined && parameters['matched_data'] !== undefined,
    at: ['action_parameters', 'matched_data'],
  },
  {
    name: 'another host header, SNI or origin host',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      content.action === 'route' &&
      [parameters['host_header'], parameters['sni'], objectOf(parameters['origin'])['host']].some(
        (value) => value !== undefined,
      ),
    at: ['action_parameters'],
  },
  {
    name: 'a custom cache key',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      content.action === 'set_cache_settings' && readCacheSettings(parameters).customKey !== undefined,
    at: ['action_parameters', 'cache_key', 'custom_key'],
  },
  {
    name: 'a counting expression of its own',
    ...BUSINESS,
    uses: ({ content, ratelimit: { counting_expression: counting } }) =>
      typeof counting === 'string' && counting !== '' && counting !== content.expression,
    at: ['ratelimit', 'counting_expression'],
  },
  {
    name: 'a long counting period',
    ...BY_LEVEL,
    says: ({ ratelimit: { period }, level }) =>
      `a counting period of ${inTime(period)}, ${needed((one) => Number(period) <= LONGEST[one].period)} (at most ${inTime(LONGEST[level].period)} here)`,
    uses: ({ ratelimit: { period }, level }) => typeof period === 'number' && period > LONGEST[level].period,
    at: ['ratelimit', 'period'],
  },
  {
    name: 'a long mitigation timeout',
    ...BY_LEVEL,
    says: ({ ratelimit: { mitigation_timeout: timeout }, level }) =>
      `a mitigation timeout of ${inTime(timeout)}, ${needed((one) => Number(timeout) <= LONGEST[one].mitigation)} (at most ${inTime(LONGEST[level].mitigation)} here)`,
    uses: ({ ratelimit: { mitigation_timeout: timeout }, level }) =>
      typeof timeout === 'number' && timeout > LONGEST[level].mitigation,
    at: ['ratelimit', 'mitigation_timeout'],
  },
  {
    name: 'a characteristic that it counts by',
    ...BY_LEVEL,
    says: ({ ratelimit, level }) => {
      const names = countedBy(ratelimit).filter((name) => COUNTED[level].by?.includes(name) === false);
      const fits = (one: PlanLevel): boolean =>
        names.every((name) => COUNTED[one].by?.includes(name) !== false);
      return `the characteristic ${someNames(names.map(oneLine), names.length)}, ${needed(fits)}`;
    },
    uses: ({ ratelimit, level }) =>
      countedBy(ratelimit).some((name) => COUNTED[level].by?.includes(name) === false),
    at: ['ratelimit', 'characteristics'],
  },
  {
    name: 'many characteristics',
    ...BY_LEVEL,
    says: ({ ratelimit, level }) => {
      const { length } = countedBy(ratelimit);
      return `a count by ${length} characteristics besides the data centre, ${needed((one) => length <= COUNTED[one].most)} (at most ${COUNTED[level].most} here)`;
    },
    uses: ({ ratelimit, level }) => countedBy(ratelimit).length > COUNTED[level].most,
    at: ['ratelimit', 'characteristics'],
  },
  {
    name: 'a mitigation timeout after a challenge',
    ...ENTERPRISE,
    uses: ({ content, ratelimit: { mitigation_timeout: timeout } }) =>
      isChallenge(content) && typeof timeout === 'number' && timeout > 0,
    at: ['ratelimit', 'mitigation_timeout'],
  },
  {
    name: 'a mitigation timeout of 0, which slows down and does not block',
    ...ENTERPRISE,
    uses: ({ content, ratelimit: { mitigation_timeout: timeout } }) => !isChallenge(content) && timeout === 0,
    at: ['ratelimit', 'mitigation_timeout'],
  },
  {
    name: 'the default mitigation timeout of 0, which slows down and does not block',
    ...ENTERPRISE,
    // api.md 5.17 and 8.3 together; that the service judges the default like a stated 0 is assumed.
    uses: ({ content, ratelimit: { mitigation_timeout: timeout } }) =>
      content.ratelimit !== undefined && !isChallenge(content) && timeout === undefined,
    at: ['ratelimit'],
  },
  {
    name: 'a score instead of a number of requests',
    ...ENTERPRISE,
    uses: ({ ratelimit }) => ratelimit['score_per_period'] !== undefined,
    at: ['ratelimit', 'score_per_period'],
  },
  {
    name: 'a short edge TTL',
    ...BY_LEVEL,
    says: ({ parameters, level }) => {
      const { edgeSeconds: seconds } = readCacheSettings(parameters);
      return `an edge TTL of ${inTime(seconds)}, ${needed((one) => Number(seconds) >= SHORTEST_EDGE_TTL[one])} (at least ${inTime(SHORTEST_EDGE_TTL[level])} here)`;
    },
    uses: ({ parameters, level }) => {
      const { edgeSeconds: seconds } = readCacheSettings(parameters);
      return seconds !== undefined && seconds < SHORTEST_EDGE_TTL[level];
    },
    at: ['action_parameters', 'edge_ttl', 'default'],
  },
  {
    name: 'a managed ruleset other than the free one',
    needs: 'the Pro plan',
    included: ['pro', 'business', 'enterprise'],
    uses: ({ content, phase }) =>
      phase?.freeRuleset !== undefined &&
      // Files may say its name.
      ![undefined, phase.freeRuleset, wellKnownRuleset(phase.freeRuleset)].includes(
        executedReference(content),
      ),
    at: ['action_parameters', 'id'],
  },
  ...PHASES.flatMap(({ name, enterpriseFeature }): readonly Feature[] =>
    enterpriseFeature === undefined
      ? []
      : [{ name: enterpriseFeature, ...ENTERPRISE, uses: ({ phase }) => phase?.name === name }],
  ),
  {
    name: 'an expression other than true',
    ...ADVANCED_DDOS,
    uses: ({ content, phase }) => phase?.advancedBy !== undefined && content.expression.trim() !== 'true',
    at: ['expression'],
  },
  {
    name: 'an override with the action log',
    ...ADVANCED_DDOS,
    uses: ({ parameters, phase }) =>
      phase?.advancedBy !== undefined && logs(objectOf(parameters['overrides'])),
    at: ['action_parameters', 'overrides'],
  },
];

interface HeldText {
  readonly path: RulePath;
  readonly text: string;
  readonly mode: 'filter' | 'value';
}

/** Every expression of a rule but its characteristics, which have features of their own. */
function textsOf(content: RuleContent): readonly HeldText[] {
  return expressionsIn(contentToWire(content)).flatMap(({ path, text, role }): readonly HeldText[] =>
    role === 'characteristic' ? [] : [{ path, text, mode: expressionMode(role) }],
  );
}

/** Returns where the first condition with a regular expression stands; undefined if none has one. */
function regexIn(content: RuleContent): RulePath | undefined {
  return textsOf(content).find(({ text, mode }) => mode === 'filter' && usesRegex(text))?.path;
}

function countedBy({ characteristics: names }: JsonObject): readonly string[] {
  return textsIn(names).filter((name) => name !== COLO);
}

function isChallenge({ action }: RuleContent): boolean {
  return actionKind(action) === 'challenge';
}

/** Whether an override at any level sets the action to `log`. */
function logs(overrides: JsonObject): boolean {
  const { ruleset, categories, rules } = readOverrides(overrides);
  return [ruleset, ...[...categories.values()].map(({ values }) => values), ...rules.values()].some(
    ({ action }) => onlyLogs(action),
  );
}

function inTime(seconds: unknown): string {
  return typeof seconds === 'number' ? duration(seconds) : `${String(seconds)} seconds`;
}

/** Says which plan has room for it. */
function needed(fits: (level: PlanLevel) => boolean): string {
  const level = PLAN_LEVELS.find(fits);
  return level === undefined ? 'more than any plan allows' : `which needs the ${planName(level)} plan`;
}

/** A feature that a rule uses and its plan level does not include. */
interface Lack {
  readonly name: string;
  /** What it is, and which plan includes it. */
  readonly text: string;
  /** Where in the rule it stands; empty for the rule itself. */
  readonly path: RulePath;
  /** The part of the text there, in UTF-16 units. */
  readonly stretch?: { readonly start: number; readonly end: number };
}

/** Returns the features that a rule uses and its plan level does not include. */
export function lacks(use: FeatureUse): readonly Lack[] {
  const { content, level } = use;
  return [
    ...FEATURES.filter(({ included, uses }) => !included.includes(level) && uses(use)).map(
      ({ name, needs, says, at = [] }): Lack => ({
        name,
        text: says?.(use) ?? `${name}, which needs ${needs}`,
        path: typeof at === 'function' ? at(use) : at,
      }),
    ),
    // Enterprise has every field; its add-ons are not known.
    ...(level === 'enterprise' ? [] : lackingNames(textsOf(content), level)),
  ];
}

function lackingNames(texts: readonly HeldText[], level: PlanLevel): readonly Lack[] {
  const all = texts.flatMap(({ path, text, mode }) =>
    planNeeds(text, level, mode).map(({ says, ...stretch }): Lack => ({
      name: says,
      text: says,
      path,
      stretch,
    })),
  );
  return [...repeatsOf(all, ({ name }) => name).firsts.values()];
}
