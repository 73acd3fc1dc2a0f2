import { usesRegex } from '../../expression/uses-regex.ts';
import type { JsonObject } from '../../model/json.ts';
import { objectOf } from '../../model/json.ts';
import type { GuardFinding, Step } from '../../model/plan.ts';
import type { PlanLevel } from '../../model/plan-level.ts';
import { planLevelOf } from '../../model/plan-level.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Scope } from '../../model/scope.ts';
import { someNames } from '../../model/some-names.ts';

/** A rule as it will be, and what its zone has bought. */
interface Use {
  readonly content: RuleContent;
  readonly parameters: JsonObject;
  readonly ratelimit: JsonObject;
  readonly phase: string;
  readonly level: PlanLevel;
}

/** Something that not every plan level includes. */
interface Feature {
  readonly name: string;
  /** What it takes, in words; what is bought on top is not known here. */
  readonly needs: string;
  readonly included: readonly PlanLevel[];
  readonly uses: (use: Use) => boolean;
}

const ENTERPRISE = { needs: 'Enterprise', included: ['enterprise'] } as const;
const BUSINESS = { needs: 'Business', included: ['business', 'enterprise'] } as const;

/** The longest times of a rate limit in seconds, by plan level (api.md 8.3). */
const LONGEST = {
  free: { period: 10, mitigation: 10 },
  pro: { period: 60, mitigation: 3600 },
  business: { period: 600, mitigation: 86_400 },
  enterprise: { period: 65_535, mitigation: Infinity },
} as const;
const HIGHER = { needs: 'a higher plan', included: [] } as const;

/** What the service refuses by plan level, as its documentation says (api.md 1.6, 4.2, 5.3, 5.7, 5.11, 8.1, 8.3). */
const FEATURES: readonly Feature[] = [
  {
    name: 'regular expressions (matches)',
    needs: 'Business or WAF Advanced',
    included: BUSINESS.included,
    uses: ({ content, phase }) => phase !== 'http_ratelimit' && usesRegex(content.expression),
  },
  {
    name: 'regular expressions (matches)',
    needs: 'Advanced Rate Limiting',
    // Enterprise has it or has it not; that is not known here.
    included: ['enterprise'],
    uses: ({ content, phase }) => phase === 'http_ratelimit' && usesRegex(content.expression),
  },
  { name: 'the action log', ...ENTERPRISE, uses: ({ content }) => content.action === 'log' },
  {
    name: 'payload logging (matched_data)',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      content.action === 'execute' && parameters['matched_data'] !== undefined,
  },
  {
    name: 'another host header, SNI or origin host',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      content.action === 'route' &&
      [parameters['host_header'], parameters['sni'], objectOf(parameters['origin'])['host']].some(
        (value) => value !== undefined,
      ),
  },
  {
    name: 'a custom cache key',
    ...ENTERPRISE,
    uses: ({ content, parameters }) =>
      content.action === 'set_cache_settings' &&
      objectOf(parameters['cache_key'])['custom_key'] !== undefined,
  },
  {
    name: 'a counting expression of its own',
    ...BUSINESS,
    uses: ({ content, ratelimit: { counting_expression: counting } }) =>
      typeof counting === 'string' && counting !== '' && counting !== content.expression,
  },
  {
    name: 'a counting period this long',
    ...HIGHER,
    uses: ({ ratelimit: { period }, level }) => typeof period === 'number' && period > LONGEST[level].period,
  },
  {
    name: 'a mitigation timeout this long',
    ...HIGHER,
    uses: ({ ratelimit: { mitigation_timeout: timeout }, level }) =>
      typeof timeout === 'number' && timeout > LONGEST[level].mitigation,
  },
];

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/**
 * What rules of a plan use that the plan level of their zone does not include: with what was bought on top the
 * service may take it, so that it only warns. Nothing where the level is not known.
 */
export function checkEntitlements(steps: readonly Step[], scope: Scope): readonly GuardFinding[] {
  const level = levelOf(scope);
  return level === undefined ? [] : steps.flatMap((step) => stepFindings(step, level));
}

function levelOf({ kind, plan }: Scope): PlanLevel | undefined {
  return kind === 'zone' ? planLevelOf(plan) : undefined;
}

function stepFindings(step: Step, level: PlanLevel): readonly GuardFinding[] {
  const found = new Map<Feature, string[]>();
  for (const change of step.changes) {
    if (change.kind !== 'add' && change.kind !== 'patch') {
      continue;
    }
    const now = useOf(change.content, step, level);
    // What lives already is taken: it was bought.
    const before = change.kind === 'patch' ? useOf(change.before, step, level) : null;
    for (const feature of FEATURES) {
      const { included, uses } = feature;
      if (!included.includes(level) && uses(now) && !(before !== null && uses(before))) {
        found.set(feature, [...(found.get(feature) ?? []), change.ref]);
      }
    }
  }
  return [...found].map(([{ name, needs }, refs]): GuardFinding => {
    const [rule] = refs;
    const who = someNames(refs, MOST_NAMED);
    return {
      kind: 'quota',
      effect: 'warn',
      step: step.id,
      ...(refs.length === 1 && rule !== undefined ? { rule } : {}),
      message: `${step.id}: ${who} ${refs.length === 1 ? 'uses' : 'use'} ${name}, which takes ${needs}; the zone is on the plan ${level}. The service decides`,
    };
  });
}

function useOf(content: RuleContent, { target: { phase } }: Step, level: PlanLevel): Use {
  const { action_parameters: parameters = {}, ratelimit = {} } = content;
  return { content, parameters, ratelimit, phase, level };
}
