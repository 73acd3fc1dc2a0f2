import { phaseFacts, phasesOfKind } from '../../model/index.ts';
import { FIELDS, FUNCTIONS } from '../language/catalogue.ts';
import { hasPlace, inConditionsOf, isNetworkPhase, PLACES } from '../language/expression-place.ts';
import type { ListName, Operand, FunctionCall, Span } from '../language/ast.ts';
import { plainField } from '../language/field-tests.ts';
import type { ExpressionPlace } from '../language/expression-place.ts';
import type { PlanNeed } from '../language/catalogue.ts';
import type { Report, CheckSubject, CheckContext } from './check-finding.ts';

/** Fields that the service has removed (api.md 12.3). */
const REMOVED = /^http\.request\.jwt\.claims\.exp\.sec(?:\.|$)/u;

/** Reports fields that are deprecated, removed or constant (`rules-language.md` 4.2). */
export function checkNames({ fields, context }: CheckSubject, report: Report): void {
  // In network phases `ip.geoip.country` matches source or destination: no single field means the same.
  const isNetwork = context.phase !== undefined && isNetworkPhase(context.phase);
  for (const { name, span } of fields) {
    const replacement = FIELDS.get(name)?.replacement;
    const fix = isNetwork || replacement === undefined ? {} : { fix: { span, replacement } };
    if (name === 'ip.addr') {
      report('expression/unknown-field', {
        message: 'the service has no field ip.addr',
        span,
        hint: 'use ip.src',
        ...fix,
      });
    } else if (replacement !== undefined) {
      const message = `${name} is the old name of ${replacement}`;
      report('expression/deprecated-field', { message, span, hint: `use ${replacement}`, ...fix });
    } else if (REMOVED.test(name)) {
      report('expression/deprecated-field', {
        message: `the service has removed ${name}`,
        span,
        hint: 'is_jwt_valid() refuses tokens that have expired',
      });
    } else if (name === 'cf.threat_score') {
      report('expression/constant-field', { message: 'cf.threat_score is always 0', span });
    }
  }
}

/** The managed lists, which the service itself keeps; all hold addresses (`rules-language.md` 4). */
export const MANAGED_LISTS: readonly string[] = [
  'cf.anonymizer',
  'cf.botnetcc',
  'cf.malware',
  'cf.open_proxies',
  'cf.vpn',
];

const OWN_NAME = /^[a-z0-9_]{1,50}$/u;
const FIELDS_WITH_LISTS: Readonly<Record<string, readonly string[]>> = {
  Bytes: ['http.host'],
  Int: ['ip.src.asnum', 'ip.geoip.asnum'],
};

/** The field that bulk redirects look up in a list of redirects (api.md 5.6). */
export const REDIRECT_FIELD = 'http.request.full_uri';

const LISTED_REDIRECTS = phasesOfKind('redirect', 'from_list');

/** Whether a name, without `$`, is that of a managed list. */
export function isManagedList(name: string): boolean {
  return name.startsWith('cf.');
}

/** Reports list names that are impossible or unknown, and operands that have no lists (`rules-language.md` 1.3, 4). */
export function checkLists({ comparisons, context }: CheckSubject, report: Report): void {
  for (const { left, right } of comparisons) {
    if (right.kind === 'list') {
      checkList({ left, list: right, context }, report);
    }
  }
}

interface ListTest {
  readonly left: Operand;
  readonly list: ListName;
  readonly context: CheckContext;
}

function checkList({ left, list, context }: ListTest, report: Report): void {
  const { name, span } = list;
  const { lists: known, phase } = context;
  const isManaged = isManagedList(name);
  const field = plainField(left);
  if (!isManaged && !OWN_NAME.test(name)) {
    const hint = 'names have up to 50 lower-case letters, digits and underscores';
    report('expression/list-name', { message: `no list can be called $${name}`, span, hint });
  } else if (isManaged ? !MANAGED_LISTS.includes(name) : known !== undefined && !known.has(name)) {
    const hint = isManaged
      ? `managed lists are $${MANAGED_LISTS.join(', $')}`
      : 'an unknown list never matches';
    report('expression/unknown-list', { message: `there is no list $${name}`, span, hint });
  }
  if (!isManaged && field === REDIRECT_FIELD && (phase === undefined || LISTED_REDIRECTS.includes(phase))) {
    return;
  }
  const fields = isManaged && left.type.kind !== 'Ip' ? [] : FIELDS_WITH_LISTS[left.type.kind];
  if (fields !== undefined && (field === undefined || !fields.includes(field))) {
    const hint = isManaged
      ? 'managed lists hold addresses, as ip.src is one'
      : 'lists hold addresses, host names (for http.host) or AS numbers (for ip.src.asnum)';
    report('expression/list-field', {
      message: `${field ?? 'this value'} cannot be looked up in a ${isManaged ? 'managed ' : ''}list`,
      span: left.span,
      hint,
    });
  }
}

/**
 * Reports fields and functions outside their places (`rules-language.md` 4.1). Fields of the response and of packets are errors elsewhere.
 * The other places are documented by product, and changelogs show some of them used more widely: those are warnings.
 */
export function checkPlaces(subject: CheckSubject, report: Report): void {
  const { fields, calls, context } = subject;
  for (const { name, span } of fields) {
    const place = FIELDS.get(name)?.place;
    if (place !== undefined) {
      checkPlace(context, { name, span, place }, report);
    }
  }
  checkNestedConcat(subject, report);
  for (const { name, span } of calls) {
    checkCall(subject, { name, span }, report);
    const place = FUNCTIONS.get(name)?.place;
    if (place !== undefined) {
      const named = { start: span.start, end: span.start + name.length };
      checkPlace(context, { name: `${name}()`, span: named, place }, report);
    }
  }
}

/** Checks a call where only the functions in `context.functions` are allowed, and none inside another. */
function checkCall(
  { calls, context: { functions } }: CheckSubject,
  { name, span }: Pick<FunctionCall, 'name' | 'span'>,
  report: Report,
): void {
  if (functions === undefined) {
    return;
  }
  const hint = `allowed here: ${[...functions].map((one) => `${one}()`).join(', ')}, each of a field`;
  if (!functions.has(name)) {
    report('expression/place', { message: `${name}() cannot be used here`, span, severity: 'error', hint });
  } else if (
    calls.some((call) => call.span !== span && call.span.start <= span.start && call.span.end >= span.end)
  ) {
    const message = `${name}() cannot be used inside of another function here`;
    report('expression/place', { message, span, severity: 'error', hint });
  }
}

interface PlacedName {
  readonly name: string;
  readonly span: Span;
  readonly place: ExpressionPlace;
}

function checkPlace(context: CheckContext, { name, span, place }: PlacedName, report: Report): void {
  const { where, isCertain = false } = PLACES[place];
  const severity = isCertain ? 'error' : 'warning';
  const hint = `it belongs in ${where}`;
  if (isElsewhere(context, place)) {
    const message = `${name} does not belong in ${place === 'account' ? 'a zone' : context.phase}`;
    report('expression/place', { message, span, severity, hint });
  } else if (isNoValue(context, place)) {
    const message = `${name} belongs in computed values, not in conditions`;
    report('expression/place', { message, span, severity, hint });
  }
}

/** Whether a condition has what only computed values can have. */
function isNoValue({ phase, use }: CheckContext, place: ExpressionPlace): boolean {
  const isCondition = use !== 'value' && !(place !== 'account' && inConditionsOf(phase, place));
  return PLACES[place].valueOnly === true && isCondition;
}

/** Whether a field or function belongs where the context says, as far as the service's documentation tells. */
export function belongsIn(context: CheckContext, place: ExpressionPlace | undefined): boolean {
  return place === undefined || (!isElsewhere(context, place) && !isNoValue(context, place));
}

function isElsewhere({ phase, level, use }: CheckContext, place: ExpressionPlace): boolean {
  if (place === 'account') {
    return level === 'zone';
  }
  const isCounting = PLACES[place].counting === true && use === 'counting';
  return phase !== undefined && !isCounting && !hasPlace(phase, place);
}

/** Reports `concat` within `concat` in values of URL rewrites, of which the service's documentation knows only the outermost. */
function checkNestedConcat({ calls, context }: CheckSubject, report: Report): void {
  if (phaseFacts(context.phase)?.rewrites !== 'url' || context.use !== 'value') {
    return;
  }
  const joins = calls.filter(({ name }) => name === 'concat');
  for (const { span } of joins) {
    if (joins.some((outer) => outer.span.start < span.start && span.end < outer.span.end)) {
      report('expression/place', {
        message: 'concat() inside another concat() is not documented for URL rewrites',
        span: { start: span.start, end: span.start + 'concat'.length },
        hint: 'join all parts in one concat(...)',
      });
    }
  }
}

const LEVELS: readonly string[] = ['free', 'pro', 'business', 'enterprise'];
const NAMES: Readonly<Record<PlanNeed, string>> = {
  pro: 'the Pro plan or above',
  business: 'the Business plan or above',
  enterprise: 'the Enterprise plan',
  'add-on': 'the Enterprise plan with an add-on',
};

/** A field or function that the plan does not have. */
interface Lacking {
  /** The name as messages write it. */
  readonly name: string;
  readonly span: Span;
  readonly needs: string;
}

/** Returns the fields and functions of an expression that the plan does not have. */
export function lackingNames(
  { fields, calls }: Pick<CheckSubject, 'fields' | 'calls'>,
  plan: NonNullable<CheckContext['plan']>,
): readonly Lacking[] {
  return [
    ...fields.map(({ name, span }) => ({ name, span, need: FIELDS.get(name)?.plan })),
    ...calls.map(({ name, span }) => ({ name: `${name}()`, span, need: FUNCTIONS.get(name)?.plan })),
  ].flatMap(({ name, span, need }) => (lacks(plan, need) ? [{ name, span, needs: NAMES[need] }] : []));
}

/** Reports what the plan does not have: fields, functions, regular expressions (`rules-language.md` 4). */
export function checkPlans(subject: CheckSubject, report: Report): void {
  const { plan } = subject.context;
  if (plan === undefined) {
    return;
  }
  for (const { name, span, needs } of lackingNames(subject, plan)) {
    report('expression/plan', { message: `${name} needs ${needs}`, span });
  }
  for (const { operator, token } of subject.comparisons) {
    if (operator === 'matches' && lacks(plan, 'business')) {
      const message = `${token.text} needs ${NAMES.business}, or WAF Advanced`;
      report('expression/plan', { message, span: token.span });
    }
  }
}

function lacks(plan: string, need: PlanNeed | undefined): need is PlanNeed {
  return need !== undefined && LEVELS.indexOf(plan) < LEVELS.indexOf(need === 'add-on' ? 'enterprise' : need);
}
