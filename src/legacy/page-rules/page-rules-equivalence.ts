import { canonicalJson } from '../../data/index.ts';
import { encodeBytes } from '../../expression/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { prepareScope, simulate, splitUrl } from '../../simulate/index.ts';
import type { PreparedZone, Scenario, SimulatedRule, Url } from '../../simulate/index.ts';
import { GENERATED_EVALUATION } from '../clause-values.ts';
import type { Equivalence, RequestOutcome } from '../conversion.ts';
import { GENERATED_ZONE } from '../generated-request.ts';
import type { PageRule } from './page-rule.ts';
import type { PageRuleZone } from './page-rule-settings.ts';
import { PAGE_RULE_PHASES, SETTINGS_PHASES, carryActions } from './page-rule-settings.ts';
import type { ConvertedPageRule, PageRulesConversion } from './page-rules-conversion.ts';
import { pageRuleRef } from './page-rules-conversion.ts';

/** A request to a zone with page rules. */
export interface PageRequest {
  readonly url: string;
  readonly cookie: string;
}

/** The page rules of a zone, the highest priority first, each with whether rules take over from it. */
type OldPageRules = readonly {
  readonly rule: PageRule;
  readonly isConverted: boolean;
  readonly match: ReturnType<typeof pageMatcher>;
}[];

/**
 * Compares what page rules do with what the new rules do, for URLs at and around every boundary of every pattern. What the conversion leaves out is
 * left out on both sides.
 */
export function checkPageRules(
  { rules, phases }: Pick<PageRulesConversion, 'rules' | 'phases'>,
  zone: PageRuleZone,
): Equivalence {
  const world = rules.map((one) => ({
    rule: one.old,
    isConverted: one.kind === 'converted',
    match: pageMatcher(one.old.urls[0] ?? ''),
  }));
  const joined = zoneWith(phases.map(({ phase, made }) => ({ phase, rules: made })));
  const requests = requestsAround(rules);
  const met = new Set<SimulatedRule>();
  const passed = new Set<SimulatedRule>();
  const differences = requests.flatMap((request) => {
    const scenario = scenarioOf(request);
    if (scenario === undefined) {
      return [];
    }
    const before = oldOutcome(world, scenario, zone);
    const { outcome: after, matched, missed } = newOutcome(joined, scenario);
    for (const rule of matched) {
      met.add(rule);
    }
    for (const rule of missed) {
      passed.add(rule);
    }
    return isSame(before, after)
      ? []
      : [{ kind: 'outcome' as const, request: { ...request }, before, after }];
  });
  const active = phases.flatMap(({ made }) => made).filter(({ content }) => content.enabled);
  const missed = active.filter(
    (rule) => !met.has(rule) || (rule.content.expression !== 'true' && !passed.has(rule)),
  );
  return {
    requests: requests.length,
    coverage: {
      clauses: active.length,
      exercised: active.length - missed.length,
      missed: missed.map(({ ref, content }) => ({ name: ref, text: content.expression })),
    },
    differences,
  };
}

function isSame(one: RequestOutcome, other: RequestOutcome): boolean {
  return (
    one.end?.action === other.end?.action &&
    canonicalJson([...(one.settings ?? [])]) === canonicalJson([...(other.settings ?? [])])
  );
}

/**
 * What page rules do (api.md 9.7 and the vendor's documentation of page rules): the first that matches acts, and no other. Written without
 * expressions, because the conversion is judged by it.
 */
function oldOutcome(
  world: OldPageRules,
  { request: { url, headers } }: Scenario,
  zone: PageRuleZone,
): RequestOutcome {
  const found = world.find(({ rule, match }) => rule.active && match(url) !== null);
  if (found === undefined || !found.isConverted) {
    return { end: null, acted: [], skipped: [], settings: [] };
  }
  const { rule, match } = found;
  const { redirect, settings, cookies } = carryActions(rule, zone);
  const ref = pageRuleRef(rule.id);
  if (redirect?.kind === 'forward') {
    return ended(redirect.status, filled(redirect.url, match(url) ?? []), ref);
  }
  if (redirect?.kind === 'to-https' && url.scheme === 'http') {
    const query = url.query === '' ? '' : `?${url.query}`;
    return ended(301, `https://${url.host}${url.path}${query}`, ref);
  }
  const cookie = headers.map(({ value }) => value).join('; ');
  const onCookie = (id: string): boolean =>
    rule.actions.some(
      (action) =>
        action.id === id && typeof action.value === 'string' && new RegExp(action.value, 'u').test(cookie),
    );
  const isCarried = (cache: boolean): boolean => cookies.some((one) => one.cache === cache);
  // Caching on a cookie wins over bypassing on one.
  const cache =
    isCarried(true) && onCookie('cache_on_cookie')
      ? { cache: true }
      : isCarried(false) && onCookie('bypass_cache_on_cookie')
        ? { cache: false }
        : {};
  const values = { ...settings, cache: { ...settings.cache, ...cache } };
  return {
    end: null,
    acted: [],
    skipped: [],
    settings: SETTINGS_PHASES.flatMap((part) =>
      Object.entries(values[part]).map(([name, value]) => `${name} = ${canonicalJson(value)}`),
    ).toSorted(),
  };
}

function ended(status: number, location: string, rule: string): RequestOutcome {
  return { end: { action: `${status} to ${location}`, rule }, acted: [], skipped: [], settings: [] };
}

/** Returns what the stars of a pattern stand for in a URL, each as short as those before it allow; null when the URL does not match. */
function pageMatcher(pattern: string): (url: Url) => readonly string[] | null {
  const [, wanted, rest = ''] = /^(?:([a-z*]*):\/\/)?(.*)$/isu.exec(pattern) ?? [];
  const [, name = '', ofPort, tail = ''] = /^([^/:]*)(?::(\d+))?(.*)$/su.exec(rest) ?? [];
  const start = wanted === undefined ? '' : `${wanted}://`;
  const isWholeHost = tail === '' && !/[*?]/u.test(name);
  const form = `${start}${name}${isWholeHost ? '/' : tail}`;
  const regex = new RegExp(
    `^${form
      .split('*')
      .map((run) => run.replaceAll(/[$()+.?[\\\]^{|}]/gu, String.raw`\$&`))
      .join('(.*?)')}$`,
    'isu',
  );
  return ({ scheme, host, port, path, query }) => {
    if (ofPort !== undefined && Number(ofPort) !== port) {
      return null;
    }
    const subject = `${wanted === undefined ? '' : `${scheme}://`}${host}${path}`;
    const subjects = [
      query === '' ? subject : `${subject}?${query}`,
      ...(form.includes('?') ? [] : [subject]),
    ];
    for (const one of subjects) {
      const found = regex.exec(one);
      if (found !== null) {
        return found.slice(1);
      }
    }
    return null;
  };
}

function filled(target: string, captures: readonly string[]): string {
  return target.replaceAll(/\\\$|\$(\d)/gu, (whole, number: string | undefined) =>
    number === undefined ? whole.slice(1) : (captures[Number(number) - 1] ?? ''),
  );
}

interface NewOutcome {
  readonly outcome: RequestOutcome;
  readonly matched: readonly SimulatedRule[];
  readonly missed: readonly SimulatedRule[];
}

/** What the new rules do, by the simulation of their phases. */
function newOutcome(zone: PreparedZone, scenario: Scenario): NewOutcome {
  const { entries, end, settings } = simulate(zone, scenario);
  const verdicts = entries.flatMap(({ ruleset, verdicts: all }) =>
    all.flatMap(({ kind }, index) => {
      const rule = ruleset.rules[index]?.rule;
      return rule === undefined ? [] : [{ kind, rule }];
    }),
  );
  return {
    outcome: {
      end:
        end === undefined ? null : { action: `${end.status} to ${end.location ?? ''}`, rule: end.rule.name },
      acted: [],
      skipped: [],
      settings:
        end === undefined
          ? [...settings]
              .map(([key, { value }]) => `${key.split(' ')[1] ?? ''} = ${canonicalJson(value)}`)
              .toSorted()
          : [],
    },
    matched: verdicts.flatMap(({ kind, rule }) => (kind === 'matched' ? [rule] : [])),
    missed: verdicts.flatMap(({ kind, rule }) => (kind === 'missed' ? [rule] : [])),
  };
}

function zoneWith(
  phases: readonly {
    readonly phase: string;
    readonly rules: readonly { readonly ref: string; readonly content: RuleContent }[];
  }[],
): PreparedZone {
  return {
    zone: GENERATED_ZONE,
    scopes: [
      prepareScope(
        {
          scope: { kind: 'zone', name: GENERATED_ZONE.name },
          rulesets: Object.values(PAGE_RULE_PHASES).map((phase) => ({
            address: { kind: 'entrypoint' as const, phase },
            rules: phases.find((one) => one.phase === phase)?.rules ?? [],
          })),
        },
        GENERATED_EVALUATION,
      ),
    ],
    source: 'files',
  };
}

function scenarioOf({ url, cookie }: PageRequest): Scenario | undefined {
  const split = splitUrl(encodeBytes(url), GENERATED_ZONE.name);
  return split === undefined
    ? undefined
    : {
        request: {
          url: split,
          method: 'GET',
          headers: cookie === '' ? [] : [{ name: 'cookie', value: encodeBytes(cookie) }],
          fields: new Map(),
          challengeSolved: false,
        },
      };
}

/** Most requests that are tried for one zone. */
const MAX_REQUESTS = 4000;

/** What a star stands for in made-up URLs. */
const FILLINGS = ['', 'x', 'X/y', 'x?z=1'];

/** Returns URLs at and around each pattern, with the cookies that its page rule names, and where two patterns meet. */
function requestsAround(rules: readonly ConvertedPageRule[]): readonly PageRequest[] {
  const patterns = rules.map(({ old }) => ({
    pattern: withoutScheme(old.urls[0] ?? ''),
    cookies: cookiesOf(old),
  }));
  const single = inTurns(
    patterns.map(({ pattern, cookies }) =>
      FILLINGS.flatMap((filling) => around(pattern.replaceAll('*', filling))).flatMap((url) =>
        ['', ...cookies].map((cookie) => ({ url, cookie })),
      ),
    ),
  );
  const pairs = patterns.flatMap(({ pattern }, index) =>
    patterns
      .filter((_, other) => other !== index)
      .flatMap((other) => {
        const inner = other.pattern.replaceAll('*', 'x');
        const path = inner.slice(inner.indexOf('/') + 1);
        return [inner, path].map((filling) => ({ url: pattern.replaceAll('*', filling), cookie: '' }));
      }),
  );
  const requests = [...single, ...pairs].filter(({ url }) => !/^[/?]|^$/u.test(url));
  const all = requests.flatMap(({ url, cookie }) =>
    ['https://', 'http://'].map((scheme) => ({ url: `${scheme}${url}`, cookie })),
  );
  return [...new Map(all.map((one) => [`${one.url} ${one.cookie}`, one])).values()].slice(0, MAX_REQUESTS);
}

/** Takes the first of each list, then the second of each, so that what comes first has some of all. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function withoutScheme(pattern: string): string {
  return pattern.replace(/^[a-z*]*:\/\//iu, '');
}

function around(url: string): readonly string[] {
  const [head = url] = url.split('?', 1);
  const slash = head.indexOf('/');
  const host = slash < 0 ? head : head.slice(0, slash);
  const path = slash < 0 ? '/' : url.slice(slash);
  return [
    `${host}${path}`,
    `${host}${path.toUpperCase()}`,
    `${host}${path}x`,
    `${host}${path.slice(0, -1)}`,
    `${host}/x${path}`,
    `${host}${path}${path.includes('?') ? '&' : '?'}q=1`,
    `${host}/?u=${host}${path}`,
    `x${host}${path}`,
    `x.${host}${path}`,
    `${host}x${path}`,
    `x.example/${host}${path}`,
    `${host.replace(/:\d+$/u, '')}${path}`,
  ];
}

function cookiesOf({ actions }: PageRule): readonly string[] {
  return actions.flatMap(({ id, value }) =>
    (id === 'bypass_cache_on_cookie' || id === 'cache_on_cookie') && typeof value === 'string'
      ? value.split('|').map((one) => `a=b; ${one.replaceAll('.*', 'x')}=1`)
      : [],
  );
}
