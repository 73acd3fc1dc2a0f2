import { assertNever } from '../data/index.ts';
import { showBytes } from '../expression/index.ts';
import { phaseFacts } from '../model/index.ts';
import { textOf } from './compile.ts';
import type { HeaderChange } from './headers.ts';
import type { Effect, HeaderEffect, PreparedRule, PreparedRuleset } from './prepared.ts';
import { addSkip, ENDED, MATCHED, verdict } from './trace.ts';
import type { SimulatedVerdict, TraceEnd, TraceState } from './trace.ts';

/** A rule that matches, with its effect, which is not to execute a ruleset. */
export interface Acting {
  readonly rule: PreparedRule;
  readonly ruleset: PreparedRuleset;
  readonly effect: Exclude<Effect, { readonly kind: 'execute' }>;
}

/** Does what a matching rule says (api.md 4.3, 5), and returns its verdict. */
export function act(way: TraceState, acting: Acting): SimulatedVerdict {
  const { rule, ruleset } = acting;
  const { limit } = rule;
  if (limit === undefined || way.assumed.get(rule) === true) {
    return perform(way, acting);
  }
  if (way.recorded === undefined) {
    return isAbove(way, limit)
      ? perform(way, acting)
      : verdict('counted', countText(way.scenario.count, limit));
  }
  const answer = way.recorded.exceeds(rule, ruleset);
  if (answer === undefined) {
    way.open.push(rule);
    return UNCOUNTED;
  }
  return answer ? perform(way, acting) : COUNTED;
}

const COUNTED = verdict('counted', 'acts above its limit');
const UNCOUNTED: SimulatedVerdict = {
  ...verdict('undecided', 'how many requests it has counted is not known'),
  isMet: true,
};

function isAbove({ scenario: { count } }: TraceState, limit: number): boolean {
  return count !== undefined && count > limit;
}

function countText(count: number | undefined, limit: number): string {
  return `acts above ${limit} in its period${count === undefined ? '' : `, this is number ${count}`}`;
}

/** The status of a response that asks to solve a challenge. */
const CHALLENGE_STATUS = 403;

function perform(way: TraceState, acting: Acting): SimulatedVerdict {
  const { rule, ruleset, effect } = acting;
  switch (effect.kind) {
    case 'block':
      return endAt(way, { rule, ruleset, status: effect.status, location: null });
    case 'challenge':
      if (way.scenario.request.challengeSolved) {
        way.solved ??= { rule, ruleset, status: CHALLENGE_STATUS, location: null };
        return { ...MATCHED, why: 'its challenge is solved' };
      }
      return endAt(way, { rule, ruleset, status: CHALLENGE_STATUS, location: null });
    case 'redirect':
      return redirect(way, acting, effect);
    case 'error-page':
      return serveError(way, { rule, ruleset, status: effect.status, location: null });
    case 'skip':
      way.skips = addSkip(way.skips, effect.skip, acting);
      for (const product of effect.skip.products) {
        way.products.add(product);
      }
      return MATCHED;
    case 'rewrite-url':
      way.path = effect.path === undefined ? way.path : (textOf(effect.path, way.values) ?? way.path);
      way.query = effect.query === undefined ? way.query : (textOf(effect.query, way.values) ?? way.query);
      return MATCHED;
    case 'rewrite-headers':
      way.headers.push(...effect.headers.flatMap((header) => headerChange(header, way)));
      return MATCHED;
    case 'settings':
      for (const [name, value] of effect.settings) {
        way.settings.set(`${ruleset.phase} ${name}`, { phase: ruleset.phase, value, rule: rule.name });
      }
      return MATCHED;
    case 'note':
      return MATCHED;
    case 'opaque':
      return leaveToService(way, { rule, ruleset }, () => effect.why);
    default:
      return assertNever(effect);
  }
}

/**
 * Takes what came of a rule whose work only the service knows, where the scenario has it. Whatever such a rule does, in an assumption it ends
 * the request.
 */
export function leaveToService(
  way: TraceState,
  { rule, ruleset }: Pick<Acting, 'rule' | 'ruleset'>,
  why: () => string,
): SimulatedVerdict {
  if (way.recorded === undefined) {
    return verdict('opaque', why());
  }
  const result = way.assumed.get(rule) === true ? 'blocked' : way.recorded.opaque(rule, ruleset);
  if (result === undefined) {
    way.open.push(rule);
    return OPAQUE;
  }
  return result === 'passed'
    ? MATCHED
    : endAt(way, { rule, ruleset, status: null, location: null, opaque: result });
}

const OPAQUE: SimulatedVerdict = {
  ...verdict('opaque', 'what comes of it is known to the service only'),
  isMet: true,
};

/** Returns the change of a header. Setting a header to a missing or empty value removes it; adding such a value does nothing. */
function headerChange(
  { name, operation, value }: HeaderEffect,
  { values }: TraceState,
): readonly HeaderChange[] {
  const text = operation === 'remove' ? '' : (textOf(value, values) ?? '');
  if (text !== '') {
    return [{ name, operation, value: text }];
  }
  return operation === 'add' ? [] : [{ name, operation: 'remove', value: '' }];
}

/** Ends the request; in a response phase, ends only the phase. */
function endAt(way: TraceState, end: TraceEnd): SimulatedVerdict {
  if (phaseFacts(end.ruleset.phase)?.stage === 'response') {
    way.phaseEnd = end.rule.name;
  } else {
    way.end = end;
  }
  return ENDED;
}

/** The lowest status that an error page replaces, whatever its rule matches (vendor's docs, "Custom Errors"). */
const LEAST_ERROR = 400;

const UNANSWERED: SimulatedVerdict = {
  ...verdict('undecided', 'it is for errors, and whether the answer is one is not known'),
  isMet: true,
};

function serveError(way: TraceState, page: TraceEnd): SimulatedVerdict {
  if (way.recorded?.hasStatus === false && way.assumed.get(page.rule) !== true) {
    way.open.push(page.rule);
    return UNANSWERED;
  }
  const status =
    way.recorded?.hasStatus === false ? LEAST_ERROR : (way.state.response?.status ?? LEAST_ERROR);
  if (status < LEAST_ERROR) {
    return { ...MATCHED, why: `it is for errors, and the answer is none: ${status}` };
  }
  way.errorPage = page;
  way.phaseEnd = page.rule.name;
  return ENDED;
}

function redirect(
  way: TraceState,
  { rule, ruleset }: Acting,
  { target, status, preservesQuery }: Extract<Effect, { readonly kind: 'redirect' }>,
): SimulatedVerdict {
  const text = textOf(target, way.values);
  if (text === undefined || text === '') {
    return { ...MATCHED, why: 'it has nowhere to lead to: its target has no value' };
  }
  const location = preservesQuery ? withQuery(text, way.state.request.url.query) : text;
  return endAt(way, { rule, ruleset, status, location: showBytes(location) });
}

/** Adds a query to a URL, before the fragment. */
function withQuery(url: string, query: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/su.exec(url) ?? [];
  return query === '' ? url : `${address}${address.includes('?') ? '&' : '?'}${query}${fragment}`;
}
