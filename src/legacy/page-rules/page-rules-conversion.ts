import type { JsonObject } from '../../data/index.ts';
import { quoteText } from '../../expression/index.ts';
import type { LiveRule, RuleContent } from '../../model/index.ts';
import { ruleQuota } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { MAX_EXPRESSION_LENGTH } from '../conversion.ts';
import type { PageRule } from './page-rule.ts';
import { pageRuleName } from './page-rule.ts';
import type { PagePattern } from './page-pattern.ts';
import { isWithin, mayMeet, readPattern, wildcard } from './page-pattern.ts';
import type {
  CarriedActions,
  LostAction,
  PageRuleZone,
  PageRedirect,
  SettingsPhase,
} from './page-rule-settings.ts';
import { PAGE_RULE_PHASES, SETTINGS_PHASES, carryActions } from './page-rule-settings.ts';

/** Returns the `ref` for a rule that takes over from a page rule. */
export function pageRuleRef(id: string, part = ''): string {
  return `page-rule-${id}${part === '' ? '' : `-${part}`}`;
}

/** A rule that takes over from a page rule in a phase. */
export interface RuleOfPage {
  readonly phase: string;
  readonly ref: string;
  readonly content: RuleContent;
  /** What to say above it in a file. */
  readonly comments: readonly string[];
}

/** What became of one page rule. */
export type ConvertedPageRule =
  | {
      readonly kind: 'converted';
      readonly old: PageRule;
      readonly rules: readonly RuleOfPage[];
      /** What no rule takes over; empty when all of the page rule is. */
      readonly lost: readonly LostAction[];
      readonly notes: readonly string[];
    }
  /** An earlier one matches all of its URLs, so nothing takes over from it. */
  | { readonly kind: 'idle'; readonly old: PageRule; readonly by: PageRule }
  | { readonly kind: 'left'; readonly old: PageRule; readonly reason: string };

/** The rules of a phase, those that live there already included, in their order. */
export interface ConvertedPagePhase {
  readonly phase: string;
  readonly made: readonly RuleOfPage[];
  readonly existing: readonly LiveRule[];
  /** Whether the converted rules stand before the others: where a later rule wins, as rules win over page rules; or behind, where the first one ends the request. */
  readonly place: 'first' | 'last';
}

/** How a zone's page rules become rules. */
export interface PageRulesConversion {
  readonly kind: 'converted';
  /** In the order in which the service tries them: the highest priority first. */
  readonly rules: readonly ConvertedPageRule[];
  /** The phases that get rules, in the order in which they run. */
  readonly phases: readonly ConvertedPagePhase[];
  readonly warnings: readonly string[];
}

/** The conversion of a zone's page rules, or that there are none. */
export type PageRulesResult = { readonly kind: 'nothing' } | PageRulesConversion;

/** What is read of a zone for a conversion. */
export interface PageRulesInput {
  readonly old: readonly PageRule[];
  /** The rules of an entry point; empty when there is none. */
  readonly live: (phase: string) => readonly LiveRule[];
  readonly zone: PageRuleZone;
  readonly plan?: string | undefined;
}

/** The phase that can change a URL between the new redirects and the old ones. */
export const URL_REWRITES = 'http_request_transform';

/** Returns page rules in the order in which the service tries them: the highest priority first, else as listed. */
export function inPriority(rules: readonly PageRule[]): readonly PageRule[] {
  return rules.toSorted((a, b) => b.priority - a.priority);
}

/**
 * Converts the page rules of a zone. Only the first page rule that matches acts, and of rules all; so in each phase a rule leaves out the patterns of
 * earlier page rules, except those that end the request there (redirects), those that provably match no URL of it, and those whose own rule, which
 * comes later, sets all that it sets. Pure.
 */
export function convertPageRules(input: PageRulesInput): PageRulesResult {
  if (input.old.length === 0) {
    return { kind: 'nothing' };
  }
  const before: Earlier[] = [];
  const rules: ConvertedPageRule[] = [];
  let unread: PageRule | undefined;
  for (const old of inPriority(input.old)) {
    const made: MadeRule =
      unread === undefined
        ? convertPageRule(old, before, input.zone)
        : left(old, `“${pageRuleName(unread)}” comes first, and which URLs it matches is not known`);
    rules.push(made.rule);
    if (made.earlier === 'unread') {
      unread ??= old;
    } else if (made.earlier !== null) {
      before.push(made.earlier);
    }
  }
  const refs = new Set(
    rules.flatMap((rule) => (rule.kind === 'converted' ? rule.rules.map(({ ref }) => ref) : [])),
  );
  const phases = Object.entries(PAGE_RULE_PHASES).flatMap(([part, phase]): readonly ConvertedPagePhase[] => {
    const ofPhase = rules.map((rule) =>
      rule.kind === 'converted' ? rule.rules.filter((one) => one.phase === phase) : [],
    );
    const place = part === 'redirect' ? 'last' : 'first';
    // The first redirect ends the request; of settings the last one stays.
    const made = (part === 'redirect' ? ofPhase : ofPhase.toReversed()).flat();
    const existing = input.live(phase).filter(({ ref }) => !refs.has(ref));
    return made.length === 0 ? [] : [{ phase, made, existing, place }];
  });
  return { kind: 'converted', rules, phases, warnings: warningsOf(input, rules, phases) };
}

/** Returns the rules of a phase after a conversion, in their order. */
export function placedPageRules<Rule>(
  { place, made, existing }: ConvertedPagePhase,
  as: { readonly made: (rule: RuleOfPage) => Rule; readonly existing: (rule: LiveRule) => Rule },
): readonly Rule[] {
  const ours = made.map((rule) => as.made(rule));
  const others = existing.map((rule) => as.existing(rule));
  return place === 'first' ? [...ours, ...others] : [...others, ...ours];
}

/** An active page rule that is tried before others, and what its rules do for all URLs that it matches first. */
interface Earlier {
  readonly pattern: PagePattern;
  readonly old: PageRule;
  readonly redirect: PageRedirect['kind'] | null;
  readonly settings: Readonly<Record<SettingsPhase, readonly string[]>>;
}

interface MadeRule {
  readonly rule: ConvertedPageRule;
  /** Null for a page rule that never acts; `unread` where nobody can tell on which URLs an active one acts. */
  readonly earlier: Earlier | 'unread' | null;
}

function left(old: PageRule, reason: string, earlier: MadeRule['earlier'] = null): MadeRule {
  return { rule: { kind: 'left', old, reason }, earlier };
}

const NO_SETTINGS: Earlier['settings'] = { config: [], origin: [], cache: [] };

function convertPageRule(old: PageRule, before: readonly Earlier[], zone: PageRuleZone): MadeRule {
  const unread = old.active ? 'unread' : null;
  const [url = ''] = old.urls;
  const read = old.urls.length === 1 ? readPattern(url) : null;
  if (read === null) {
    return left(old, `it has ${counted(old.urls.length, 'URL pattern')}, and one is expected`, unread);
  }
  if (read.kind === 'unread') {
    return left(old, read.reason, unread);
  }
  const { pattern } = read;
  const covering = before.find(
    (earlier) =>
      isWithin(pattern, earlier.pattern) ||
      earlier.pattern.conditions.every((one) => pattern.conditions.includes(one)),
  );
  if (covering !== undefined) {
    return { rule: { kind: 'idle', old, by: covering.old }, earlier: null };
  }
  const carried = carryActions(old, zone);
  const unsure = { pattern, old, redirect: null, settings: NO_SETTINGS };
  const target = carried.redirect === null ? null : redirectTargets(carried.redirect, pattern);
  if (target?.kind === 'lost') {
    return left(old, target.reason, old.active ? unsure : null);
  }
  const rules = [
    ...(carried.redirect === null || target === null
      ? []
      : redirectRules({ old, pattern, before }, carried.redirect, target.targets)),
    ...SETTINGS_PHASES.flatMap((part) => settingsRules({ old, pattern, before }, part, carried)),
  ];
  const tooLong = rules.find(({ content }) => content.expression.length > MAX_EXPRESSION_LENGTH);
  if (tooLong !== undefined) {
    return left(
      old,
      `its condition, which leaves out earlier patterns, has ${tooLong.content.expression.length} characters; at most ${MAX_EXPRESSION_LENGTH} are allowed`,
      old.active ? unsure : null,
    );
  }
  const names = (part: SettingsPhase): readonly string[] => Object.keys(carried.settings[part]);
  const notes = [...carried.notes, ...(old.active ? [] : ['disabled, since the page rule is'])];
  return {
    rule: {
      kind: 'converted',
      old,
      rules,
      lost: carried.lost,
      notes,
    },
    earlier: old.active
      ? {
          ...unsure,
          redirect: carried.redirect?.kind ?? null,
          settings: { config: names('config'), origin: names('origin'), cache: names('cache') },
        }
      : null,
  };
}

/** A page rule that becomes rules, and those before it. */
interface Making {
  readonly old: PageRule;
  readonly pattern: PagePattern;
  readonly before: readonly Earlier[];
}

function contentOf(
  { old, pattern }: Making,
  {
    action,
    parameters,
    conditions,
  }: { readonly action: string; readonly parameters: JsonObject; readonly conditions: readonly string[] },
): RuleContent {
  return {
    action,
    expression: conditions.length === 0 ? 'true' : conditions.join(' and '),
    description: `Page rule ${pattern.text}`,
    enabled: old.active,
    action_parameters: parameters,
  };
}

/** Returns the conditions of a pattern without those of earlier ones that have to be left out. */
function conditionsOf(
  { pattern, before }: Making,
  isLeftOut: (earlier: Earlier) => boolean,
): readonly string[] {
  const others = before.filter((earlier) => isLeftOut(earlier) && mayMeet(pattern, earlier.pattern));
  const exclusions = others.map((earlier) => {
    const rest = earlier.pattern.conditions.filter((one) => !pattern.conditions.includes(one));
    return rest.length === 1 ? `not ${rest.join('')}` : `not (${rest.join(' and ')})`;
  });
  // Disjunctions bring their own parentheses, and `not ssl` becomes `not not ssl`, which nobody writes.
  return [...pattern.conditions, ...exclusions.map((one) => (one === 'not not ssl' ? 'ssl' : one))];
}

function commentsOf({ active }: PageRule): readonly string[] {
  return active ? [] : ['disabled, since the page rule is'];
}

function settingsRules(
  making: Making,
  part: SettingsPhase,
  { settings, cookies }: CarriedActions,
): readonly RuleOfPage[] {
  const { id } = making.old;
  const phase = PAGE_RULE_PHASES[part];
  const action = part === 'config' ? 'set_config' : part === 'origin' ? 'route' : 'set_cache_settings';
  const rule = (ref: string, parameters: JsonObject, condition: readonly string[]): RuleOfPage => {
    const names = Object.keys(parameters);
    const conditions = conditionsOf(
      making,
      (earlier) =>
        earlier.redirect !== 'forward' && !names.every((name) => earlier.settings[part].includes(name)),
    );
    return {
      phase,
      ref,
      comments: commentsOf(making.old),
      content: contentOf(making, { action, parameters, conditions: [...conditions, ...condition] }),
    };
  };
  return [
    ...(Object.keys(settings[part]).length === 0 ? [] : [rule(pageRuleRef(id), settings[part], [])]),
    ...(part === 'cache'
      ? cookies.map(({ name, condition, cache }) => rule(pageRuleRef(id, name), { cache }, [condition]))
      : []),
  ];
}

/** Where a redirect leads: one target, or one for each form of URL that the pattern matches. */
type RedirectTargets =
  | { readonly kind: 'targets'; readonly targets: readonly RedirectTarget[] }
  | { readonly kind: 'lost'; readonly reason: string };

interface RedirectTarget {
  readonly target: JsonObject;
  /** The fit that this target is for; null where it is for all. */
  readonly condition: string | null;
}

function redirectTargets(redirect: PageRedirect, pattern: PagePattern): RedirectTargets {
  if (redirect.kind === 'to-https') {
    const expression = 'concat("https://", http.host, http.request.uri)';
    return { kind: 'targets', targets: [{ target: { expression }, condition: null }] };
  }
  const pieces = piecesOf(redirect.url);
  const captures = pieces.flatMap((piece) => (typeof piece === 'number' ? [piece] : []));
  if (captures.length === 0) {
    return { kind: 'targets', targets: [{ target: { value: pieces.join('') }, condition: null }] };
  }
  const unknown = captures.find((number) => number < 1 || number > pattern.stars);
  if (unknown !== undefined) {
    return lostTarget(`its target has $${unknown}, and its pattern ${counted(pattern.stars, 'star')}`);
  }
  const { fits, offset } = pattern;
  if (pattern.text.includes('**')) {
    return lostTarget('which part of a URL each of two stars in a row stands for is not documented');
  }
  if (captures.length > MOST_REFERENCES || Math.max(...captures) + offset > MOST_REFERENCES) {
    return lostTarget(`its target has references beyond the ${MOST_REFERENCES} that a redirect takes`);
  }
  const whole = wholeTarget(pieces, pattern);
  if (whole !== null) {
    return { kind: 'targets', targets: [{ target: { expression: whole }, condition: null }] };
  }
  const replacement = quoteText(
    pieces
      .map((piece) => (typeof piece === 'number' ? `\${${piece + offset}}` : piece.replaceAll('$', '$$$$')))
      .join(''),
  );
  return {
    kind: 'targets',
    targets: fits.map(({ field, pattern: stars, condition }) => ({
      target: { expression: `wildcard_replace(${field}, ${wildcard(stars)}, ${replacement})` },
      condition: fits.length === 1 ? null : condition,
    })),
  };
}

/** Returns the target that only puts another host, or a text, before the whole path and query; null for any other. */
function wholeTarget(pieces: readonly (string | number)[], { fits }: PagePattern): string | null {
  const at = pieces.indexOf(1);
  const before = pieces.slice(0, at).join('');
  const after = pieces.slice(at + 1);
  const isWhole =
    fits.every(({ field, pattern }) => field === 'http.request.uri' && pattern === '/*') &&
    before.endsWith('/') &&
    !after.some((piece) => typeof piece === 'number');
  const tail = after.join('');
  return isWhole
    ? `concat(${[quoteText(before.slice(0, -1)), 'http.request.uri', ...(tail === '' ? [] : [quoteText(tail)])].join(', ')})`
    : null;
}

/** Most references to stars in the target of a redirect (rules-language.md 4.3). */
const MOST_REFERENCES = 8;

function lostTarget(reason: string): RedirectTargets {
  return { kind: 'lost', reason };
}

/** Splits a target into texts and the numbers of stars: `$1`; `\$` is a dollar sign. */
function piecesOf(url: string): readonly (string | number)[] {
  return [...url.matchAll(/\\\$|\$(\d)|[^\\$]+|[\\$]/gu)].map(([whole, number]) =>
    number === undefined ? (whole === String.raw`\$` ? '$' : whole) : Number(number),
  );
}

function redirectRules(
  making: Making,
  redirect: PageRedirect,
  targets: readonly RedirectTarget[],
): readonly RuleOfPage[] {
  const { id } = making.old;
  const conditions = conditionsOf(
    making,
    (earlier) =>
      earlier.redirect !== 'forward' && !(earlier.redirect === 'to-https' && redirect.kind === 'to-https'),
  );
  const onlyHttp = redirect.kind === 'to-https' && !conditions.includes('not ssl') ? ['not ssl'] : [];
  return targets.map(({ target, condition }, index) => ({
    phase: PAGE_RULE_PHASES.redirect,
    ref: pageRuleRef(id, index === 0 ? '' : 'query'),
    comments: commentsOf(making.old),
    content: contentOf(making, {
      action: 'redirect',
      parameters: {
        from_value: {
          target_url: target,
          status_code: redirect.kind === 'to-https' ? 301 : redirect.status,
        },
      },
      conditions: [...conditions, ...onlyHttp].map((one) =>
        condition !== null && one === making.pattern.anyFit ? condition : one,
      ),
    }),
  }));
}

function warningsOf(
  { old, live, plan }: PageRulesInput,
  rules: readonly ConvertedPageRule[],
  phases: readonly ConvertedPagePhase[],
): readonly string[] {
  const active = old.filter((rule) => rule.active);
  const twice = active.find((one) =>
    active.some((other) => other !== one && other.priority === one.priority),
  );
  const rewrites = live(URL_REWRITES).filter(({ content }) => content.enabled);
  return [
    ...phases.flatMap(({ phase, made, existing }) => {
      const quota = ruleQuota(phase, 'zone', plan);
      const total = made.length + existing.length;
      return quota !== undefined && total > quota.limit
        ? [
            `${phase} would have ${counted(total, 'rule')}, and the plan level of the zone has room for ${quota.limit}`,
          ]
        : [];
    }),
    ...(twice === undefined
      ? []
      : [
          `several page rules have the priority ${twice.priority}: taken in the order in which the service lists them`,
        ]),
    ...(rewrites.length > 0 && rules.some((rule) => rule.kind === 'converted')
      ? [
          `the zone has ${counted(rewrites.length, 'URL rewrite')}: redirects see a URL before it is rewritten, all other rules after`,
        ]
      : []),
  ];
}
