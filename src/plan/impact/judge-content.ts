import { assertNever, jsonEqual, listOf, groupBy } from '../../data/index.ts';
import type { RuleChange, RuleContent } from '../../model/index.ts';
import {
  withCurrentNames,
  currentName,
  excludes,
  implies,
  neutralFrom,
  splitWindow,
} from '../../expression/index.ts';
import {
  phaseFacts,
  DEFAULT_MITIGATION_TIMEOUT,
  strengthOf,
  actionFacts,
  readCacheSettings,
} from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { duration } from '../../text/index.ts';
import { compareExpressions } from '../compare/compare-rules.ts';
import { compareCounting } from './counting-effects.ts';
import {
  compareSecurityEffects,
  isDoubtfulReach,
  sharedDirection,
  securityEffectsOf,
} from './rule-effects.ts';
import type { SecurityEffects } from './rule-effects.ts';
import { isOfFiles } from './caching-effects.ts';
import { treeOf, conditionIn, moment, timeSpans, whenText } from './conditions.ts';
import type { EffectContext, SecurityImpact, EffectDirection } from './security-effect.ts';
import { SAME, together, unproven, byDepth, byHeight, stronger, weaker } from './security-effect.ts';

/** What a rule does for which requests. */
interface ReachingEffect {
  readonly direction: EffectDirection;
  readonly action: string;
  /** Whether it is not known if the rule does harm; then it is not known of more requests either. */
  readonly isDoubtful?: boolean;
}

/**
 * Judges a changed condition by the rule's role: a protecting rule should not narrow, a permitting one not widen. What is proven is said as a fact;
 * without a proof either way the rule may do less.
 */
function compareReach(before: string, after: string, effect: ReachingEffect): SecurityImpact {
  const { direction } = effect;
  if (direction === 'none' || compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const spans = timeSpans([before, after]);
  const verdicts = spans.map((span) =>
    compareThen(conditionIn(span, before), conditionIn(span, after), { ...effect, direction }),
  );
  return together(
    [...groupBy(verdicts.entries(), ([, verdict]) => JSON.stringify(verdict)).values()].map((alike) => {
      const [, verdict] = alike[0] ?? [0, SAME];
      const when = whenText(
        alike.flatMap(([index]) => spans[index] ?? []),
        spans,
      );
      return verdict.kind === 'same' ? SAME : { ...verdict, reason: `${verdict.reason}${when}` };
    }),
  );
}

/** Compares conditions in which nothing depends on the time any more. */
function compareThen(
  before: string,
  after: string,
  {
    direction,
    action,
    isDoubtful = false,
  }: ReachingEffect & { readonly direction: Exclude<EffectDirection, 'none'> },
): SecurityImpact {
  if (compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const one = treeOf(before);
  const other = treeOf(after);
  const wider = one !== undefined && other !== undefined && implies(one, other);
  const narrower = one !== undefined && other !== undefined && implies(other, one);
  if (wider && narrower) {
    return SAME;
  }
  const apart = (): boolean => one !== undefined && other !== undefined && excludes(one, other);
  const lowered = isDoubtful ? unproven : weaker;
  const [does, may] = doingOf(action);
  switch (direction) {
    case 'protects':
      return wider
        ? stronger('applies to more requests')
        : narrower
          ? lowered('applies to fewer requests')
          : apart()
            ? lowered('no longer applies to what it applied to')
            : unproven('may apply to fewer requests');
    case 'permits':
      return narrower
        ? stronger(does('fewer'))
        : wider
          ? lowered(does('more'))
          : apart()
            ? lowered(does('other'))
            : unproven(`may ${may('more')}`);
    case 'both':
      return unproven(does(wider ? 'more' : narrower ? 'fewer' : 'other'));
    default:
      return assertNever(direction);
  }
}

/** What a rule does to the requests that it applies to, as a clause and after `may`. */
type Doing = readonly [does: (which: string) => string, may: (which: string) => string];

function doing(one: string, many: string, rest = ''): Doing {
  return [(which) => `${one} ${which} requests${rest}`, (which) => `${many} ${which} requests${rest}`];
}

const APPLIES = doing('applies to', 'apply to');

function doingOf(action: string): Doing {
  const verbs = actionFacts(action)?.verbs;
  return verbs === undefined ? APPLIES : doing(...verbs);
}

const COMPARED = [
  'requests_per_period',
  'score_per_period',
  'period',
  'mitigation_timeout',
  'characteristics',
  'counting_expression',
  'mitigation_expression',
  'requests_to_origin',
] as const;

const DEFAULTS: JsonObject = { mitigation_timeout: DEFAULT_MITIGATION_TIMEOUT };

/** Compares the limits of two rate limiting rules (api.md 3.4). */
function compareRatelimits(before: RuleContent, after: RuleContent): SecurityImpact {
  const old = before.ratelimit;
  const now = after.ratelimit;
  if (old === undefined || now === undefined) {
    return old === now
      ? SAME
      : now === undefined
        ? stronger('stops every request, not only many')
        : together([weaker('stops only many requests'), compareCounting(before, after)]);
  }
  return together([
    compareCounting(before, after),
    // A rule that acts after fewer requests protects more.
    compareNumber('requests_per_period', old, now, (had, has) =>
      has < had ? stronger(allowed(now, old)) : weaker(allowed(now, old)),
    ),
    compareNumber('score_per_period', old, now, byDepth),
    // A longer period counts more requests, and a longer timeout stops longer.
    compareNumber('period', old, now, byHeight),
    compareNumber('mitigation_timeout', { ...DEFAULTS, ...old }, { ...DEFAULTS, ...now }, byHeight),
    compareCharacteristics(old['characteristics'], now['characteristics']),
    compareReach(counted(before), counted(after), { direction: 'protects', action: after.action }),
    compareOrigin(old, now),
    compareRest(old, now),
  ]);
}

/** Says how many requests a limit allows, and how many the one before it did. */
function allowed(now: JsonObject, old: JsonObject): string {
  const [after, before] = [now, old].map(({ requests_per_period: requests, period }) => ({
    requests: JSON.stringify(requests),
    time: typeof period === 'number' ? ` in ${duration(period)}` : '',
  }));
  const time = after?.time === before?.time ? '' : before?.time;
  const what = after?.requests === '1' ? 'request' : 'requests';
  return `allows ${after?.requests} ${what}${after?.time} instead of ${before?.requests}${time}`;
}

function compareNumber(
  key: string,
  { [key]: before }: JsonObject,
  { [key]: after }: JsonObject,
  compare: typeof byHeight,
): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  return typeof before === 'number' && typeof after === 'number'
    ? compare(before, after, key)
    : unproven(`changes ${key}`);
}

/** Compares characteristics; with fewer of them, more requests share one counter. */
function compareCharacteristics(before: JsonValue | undefined, after: JsonValue | undefined): SecurityImpact {
  const old = namesOf(before);
  const now = namesOf(after);
  if (now.some((item) => !old.includes(item))) {
    return unproven('counts by other characteristics');
  }
  return old.length === now.length ? SAME : stronger('counts by fewer characteristics');
}

/**
 * Returns the characteristics, under their current names if that means the same: it does if `cf.colo.id` is one, as each HTTP rate limit also
 * counts by data centre.
 */
function namesOf(characteristics: JsonValue | undefined): readonly JsonValue[] {
  const names = listOf(characteristics);
  return names.includes('cf.colo.id')
    ? names.map((name) => (typeof name === 'string' ? currentName(name) : name))
    : names;
}

function counted(content: RuleContent): string {
  const counting = content.ratelimit?.['counting_expression'];
  return typeof counting === 'string' && counting !== '' ? counting : content.expression;
}

function compareOrigin(before: JsonObject, after: JsonObject): SecurityImpact {
  const old = before['requests_to_origin'] === true;
  const now = after['requests_to_origin'] === true;
  return old === now
    ? SAME
    : now
      ? weaker('counts only requests to the origin')
      : stronger('counts cached answers too');
}

function compareRest(before: JsonObject, after: JsonObject): SecurityImpact {
  const rest = (limit: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(limit).filter(([key]) => !COMPARED.some((known) => known === key)));
  return jsonEqual(rest(before), rest(after)) ? SAME : unproven('changes other rate limit parameters');
}

const NOTHING: SecurityEffects = new Map();

/** Judges what a change does to protection by the rule's content alone, wherever the rule stands. */
export function judgeContent(change: RuleChange, context: EffectContext): SecurityImpact {
  switch (change.kind) {
    case 'add':
      return judgeAdded(change.content, context);
    case 'patch':
      return judgeChanged(change.before, change.content, context);
    case 'delete':
      return judgeRemoved(change.before, context);
    case 'move':
      return SAME;
    default:
      return assertNever(change);
  }
}

/** Judges what a new rule does to protection. A rule that is not enabled does nothing. */
export function judgeAdded(content: RuleContent, context: EffectContext): SecurityImpact {
  const impact = content.enabled
    ? together([
        compareSecurityEffects(NOTHING, securityEffectsOf(content, context)),
        compareCounting(null, content),
      ])
    : SAME;
  return impact.kind === 'same' ? SAME : { ...impact, reason: `${impact.reason}${whileActive(content)}` };
}

/** Says when a rule with a window is active, as ` from … until …`; an empty text for one without. */
function whileActive({ expression }: RuleContent): string {
  const { from, until } = splitWindow(expression)?.window ?? {};
  const second = (one: number | undefined): bigint | undefined =>
    one === undefined ? undefined : BigInt(one);
  return from === undefined && until === undefined
    ? ''
    : whenText([{ from: second(from), until: second(until) }], []);
}

/** Judges what the deletion of a rule does to protection. Once its window has ended that is nothing, which a plan, having no clock, says beside it. */
export function judgeRemoved(content: RuleContent, context: EffectContext): SecurityImpact {
  if (!content.enabled) {
    return SAME;
  }
  const impact = compareSecurityEffects(securityEffectsOf(content, context), NOTHING);
  const until = neutralFrom(content);
  return until === undefined || impact.kind === 'same'
    ? impact
    : { ...impact, reason: `${impact.reason}; neutral from ${moment(BigInt(until))} on` };
}

/** Judges what new content of a rule does to protection. */
export function judgeChanged(old: RuleContent, now: RuleContent, context: EffectContext): SecurityImpact {
  const [before, after] = [current(old, context.phase), current(context.lists?.(now) ?? now, context.phase)];
  if (!before.enabled || !after.enabled) {
    return before.enabled
      ? switched('off', judgeRemoved(before, context))
      : switched('on', judgeAdded(after, context));
  }
  const [had, has] = [securityEffectsOf(before, context), securityEffectsOf(after, context)];
  const shared = sharedDirection(had, has);
  return together([
    compareSecurityEffects(had, has),
    before.expression === after.expression
      ? SAME
      : compareReach(before.expression, after.expression, {
          direction: shared === 'permits' && [before, after].every(cachesOnlyFiles) ? 'none' : shared,
          action: after.action,
          isDoubtful: isDoubtfulReach(had, has),
        }),
    strengthOf(before.action) === undefined || strengthOf(after.action) === undefined
      ? SAME
      : compareRatelimits(before, after),
    jsonEqual(before.exposed_credential_check, after.exposed_credential_check)
      ? SAME
      : unproven('checks exposed credentials in another way'),
  ]);
}

/** Whether a rule caches files, and only such as the service caches anyway: for which of them it does that matters to nobody. */
function cachesOnlyFiles({ action, action_parameters: parameters = {}, expression }: RuleContent): boolean {
  return (
    action === 'set_cache_settings' && readCacheSettings(parameters).caches === true && isOfFiles(expression)
  );
}

/** Replaces former field names in a rule's conditions by the current ones, since the name alone changes nothing; only in phases that we know. */
function current(content: RuleContent, phase: string): RuleContent {
  if (phaseFacts(phase) === undefined) {
    return content;
  }
  const { ratelimit } = content;
  const counting = ratelimit?.['counting_expression'];
  const expression = withCurrentNames(content.expression, phase);
  if (typeof counting !== 'string') {
    return expression === content.expression ? content : { ...content, expression };
  }
  return {
    ...content,
    expression,
    ratelimit: { ...ratelimit, counting_expression: withCurrentNames(counting, phase) },
  };
}

/**
 * Words the verdict on a rule that is enabled or disabled, which has the effect of adding or deleting it. Why disabling weakens is left out,
 * since it is obvious.
 */
function switched(to: 'on' | 'off', verdict: SecurityImpact): SecurityImpact {
  if (verdict.kind === 'same') {
    return SAME;
  }
  const why = to === 'on' && verdict.kind === 'weaker' ? `, and ${verdict.reason}` : '';
  return { ...verdict, reason: `is switched ${to}${why}` };
}
