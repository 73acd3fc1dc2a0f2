import {
  checkExpression as lint,
  formatParseError,
  parseExpression,
  refusedParts,
  typeName,
  utf16Offsets,
  usesRegex,
} from '../../expression/index.ts';
import type { ZonePlanLevel } from '../records/directory-record.ts';

/** An expression of a rule, with what decides whether the service would accept it. */
export interface ExpressionQuestion {
  readonly text: string;
  /** `filter` for conditions, `value` for what a rewrite or redirect computes. */
  readonly mode: 'filter' | 'value';
  /** The field that holds the expression; error texts name it. */
  readonly field: string;
  readonly phase: string;
  readonly plan: ZonePlanLevel;
}

/** What is wrong with an expression: the service's code, if known, and its message. */
export interface ExpressionFault {
  readonly code?: number;
  readonly message: string;
  /** Set when the text stops making sense at a name that is unknown here; a newer service may know it. */
  readonly atUnknownName?: true;
}

/** Returns why the service would refuse an expression, or undefined when it would accept the expression. */
export type CheckExpression = (question: ExpressionQuestion) => ExpressionFault | undefined;

const LONGEST = 4096;

/** Checks only what needs no parser: the expression must not be blank, nor longer than 4096 characters (api.md 1.6, 8.2). */
export const checkExpressionSize: CheckExpression = ({ text, field }) => {
  if (text.trim() === '') {
    return {
      code: 20125,
      message: `'${text}' is not a valid value for ${field} because the expression cannot be blank`,
    };
  }
  const size = Array.from(text).length;
  return size > LONGEST
    ? { code: 20127, message: `expression size ${size} exceeded maximum ${LONGEST}` }
    : undefined;
};

/**
 * Checks the size, the syntax, what may be used in the field and phase, and whether the plan includes the fields,
 * functions and operators (api.md 1.6, rules-language.md 3 and 4).
 */
export const checkExpression: CheckExpression = (question) =>
  checkExpressionSize(question) ?? contentFault(question) ?? entitlementFault(question);

/** The fields that locate the credentials in a request; only `CREDENTIAL_FUNCTIONS` may be called there (api.md 3.2). */
const CREDENTIALS: ReadonlySet<string> = new Set(['username_expression', 'password_expression']);
const CREDENTIAL_FUNCTIONS: ReadonlySet<string> = new Set([
  'upper',
  'lower',
  'url_decode',
  'lookup_json_string',
]);

function contentFault({ text, mode, field, phase }: ExpressionQuestion): ExpressionFault | undefined {
  const parsed = parseExpression(text, { mode });
  if (!parsed.ok) {
    const reason = `could not parse filter expression: ${formatParseError(text, parsed.error)}`;
    const atUnknownName = parsed.error.kind === 'UnknownIdentifier';
    return { ...refused(text, field, reason), ...(atUnknownName ? { atUnknownName } : {}) };
  }
  const { tree } = parsed;
  const [part] = refusedParts(text, tree, {
    phase,
    use: field === 'counting_expression' ? 'counting' : mode,
    ...(CREDENTIALS.has(field) ? { functions: CREDENTIAL_FUNCTIONS } : {}),
  });
  if (part !== undefined) {
    return refused(text, field, part.message);
  }
  // The only values computed in this phase are cache tags, which are a list (api.md 5.13).
  return tree.mode === 'value' &&
    phase === 'http_response_cache_settings' &&
    typeName(tree.root.type) !== 'Array<Bytes>'
    ? refused(text, field, `expected value of type Array<Bytes>, but got ${typeName(tree.root.type)}`)
    : undefined;
}

/** Makes the fault of a refused expression. The code is known for texts that do not parse, and assumed for all others. */
function refused(text: string, field: string, reason: string): ExpressionFault {
  return { code: 20127, message: `'${text}' is not a valid value for ${field} because ${reason}` };
}

const RATE_LIMITS = 'http_ratelimit';

function entitlementFault({ text, mode, phase, plan }: ExpressionQuestion): ExpressionFault | undefined {
  // The largest plan includes everything.
  if (plan === 'enterprise') {
    return undefined;
  }
  // In all other phases, a Business plan includes regular expressions (api.md 8.1).
  if (phase === RATE_LIMITS && mode === 'filter' && usesRegex(text)) {
    return lacks('operator Matches', 'an Advanced Rate Limiting plan');
  }
  const lacking = lint(text, { use: mode, plan }).findings.find(({ code }) => code === 'expression/plan');
  if (lacking === undefined) {
    return undefined;
  }
  const offsets = utf16Offsets(text);
  const used = text.slice(offsets(lacking.span.start), offsets(lacking.span.end));
  return /^(?:matches|~)$/u.test(used)
    ? lacks('operator Matches', 'a Business plan or a WAF Advanced plan')
    : lacks(
        `field ${used}`,
        phase === RATE_LIMITS ? 'an higher Advanced Rate Limiting plan' : 'a higher plan',
      );
}

function lacks(what: string, need: string): ExpressionFault {
  return { message: `not entitled: the use of ${what} is not allowed, ${need} is required` };
}
