import type {
  Span,
  FunctionCall,
  Combination,
  Comparison,
  Field,
  Not,
  Operand,
  Quantifier,
  Tree,
} from '../language/ast.ts';
import type { Scheme } from '../language/catalogue.ts';
import type { Use } from '../language/expression-place.ts';
import type { TextTest } from '../language/field-tests.ts';

/** The weight of a finding: the service refuses the expression, it is probably not what was meant, or it could be written better. */
export type CheckSeverity = 'error' | 'warning' | 'info';

/** The facts of a code: its usual severity and hint (`rules-language.md` 4, 8). */
export interface CodeFacts {
  readonly severity: CheckSeverity;
  /** What findings of this code are about, for the table of codes. */
  readonly title: string;
  readonly hint?: string;
}

const TABLE = {
  'expression/syntax': { severity: 'error', title: 'the text does not parse' },
  'expression/blank': {
    severity: 'error',
    title: 'there is no expression',
    hint: 'write true to match everything',
  },
  'expression/unknown-field': { severity: 'error', title: 'no field has this name' },
  'expression/unknown-function': { severity: 'error', title: 'no function has this name' },
  'expression/type': { severity: 'error', title: 'types do not match' },
  'expression/arguments': { severity: 'error', title: 'a call has wrong arguments' },
  'expression/regex-syntax': { severity: 'error', title: 'a regular expression is refused' },
  'expression/wildcard-syntax': { severity: 'error', title: 'a wildcard pattern is refused' },
  'expression/too-deep': { severity: 'error', title: 'the expression is nested too deep' },
  'expression/tab': {
    severity: 'error',
    title: 'a TAB is between tokens',
    hint: 'use spaces: between tokens the service takes space, CR and LF only',
  },
  'expression/set-comma': {
    severity: 'error',
    title: 'items of a set are separated by commas',
    hint: 'separate them by spaces',
  },
  'expression/quoted-address': {
    severity: 'error',
    title: 'an IP address is quoted',
    hint: 'write the address without quotes',
  },
  'expression/network-comparison': {
    severity: 'error',
    title: 'a network is compared with eq',
    hint: 'networks belong in sets: in {192.0.2.0/24}',
  },
  'expression/reversed-range': { severity: 'error', title: 'a range ends before it starts' },
  'expression/too-long': { severity: 'error', title: 'the expression has more than 4,096 characters' },
  'expression/too-many-regexes': { severity: 'error', title: 'more than 64 regular expressions' },
  'expression/repeated-replace': {
    severity: 'error',
    title: 'a replacing function is used twice, or inside another',
    hint: 'regex_replace and wildcard_replace can be used once in an expression, and not inside one another',
  },
  'expression/argument-value': {
    severity: 'error',
    title: 'an argument has a value that the function does not accept',
  },
  'expression/plan': { severity: 'warning', title: 'the plan does not have this' },
  'expression/place': { severity: 'warning', title: 'a field or function cannot be used here' },
  'expression/value-type': {
    severity: 'warning',
    title: 'a value is not a string',
    hint: 'wrap it in to_string(...)',
  },
  'expression/deprecated-field': { severity: 'warning', title: 'a field is deprecated' },
  'expression/constant-field': { severity: 'warning', title: 'a field always has the same value' },
  'expression/list-name': { severity: 'warning', title: 'no list can have this name' },
  'expression/unknown-list': { severity: 'warning', title: 'no list has this name' },
  'expression/list-field': { severity: 'warning', title: 'this field cannot be looked up in lists' },
  'expression/header-case': {
    severity: 'warning',
    title: 'a header name has upper-case letters, so it never matches',
    hint: 'names in this map are in lower case',
  },
  'expression/value-case': { severity: 'warning', title: 'a value is never spelled like this' },
  'expression/impossible-value': { severity: 'warning', title: 'a field never has this value' },
  'expression/path-slash': {
    severity: 'warning',
    title: 'a path does not start with a slash',
    hint: 'paths start with /',
  },
  'expression/regex-in-text': {
    severity: 'warning',
    title: 'a text looks like a regular expression',
    hint: 'use matches for regular expressions',
  },
  'expression/wildcard-in-text': {
    severity: 'warning',
    title: 'a text looks like a wildcard pattern',
  },
  'expression/look-alike': {
    severity: 'warning',
    title: 'a text has letters that look like others, or invisible characters',
    hint: 'retype the text; if it is intended, suppress this with a comment that says so',
  },
  'expression/reserved-address': {
    severity: 'warning',
    title: 'an address is private or reserved and never the source of a request',
  },
  'expression/short-address': {
    severity: 'warning',
    title: 'an address in a set has fewer than four parts',
    hint: 'write the address, or the network with its length; AS numbers are compared with ip.src.asnum',
  },
  'expression/hyphen-range': {
    severity: 'warning',
    title: 'a range of numbers is written with a hyphen, which makes it two numbers',
  },
  'expression/empty-set': { severity: 'warning', title: 'a set is empty and never matches' },
  'expression/single-item-set': { severity: 'info', title: 'a set has one item' },
  'expression/duplicate-item': { severity: 'warning', title: 'a set has the same item twice' },
  'expression/covered-item': { severity: 'info', title: 'an item of a set is covered by another' },
  'expression/octal': { severity: 'warning', title: 'a number with a leading 0 is octal' },
  'expression/plain-regex': { severity: 'info', title: 'a regular expression is a plain text' },
  'expression/unescaped-dot': {
    severity: 'info',
    title: 'a dot in a pattern for host names matches any character',
    hint: 'write \\. for a dot',
  },
  'expression/quoted-regex': {
    severity: 'info',
    title: 'a quoted regular expression has backslashes',
    hint: 'its escaping differs from that of strings: use the raw form',
  },
  'expression/never-true': {
    severity: 'warning',
    title: 'tests of one field that no request can meet together',
  },
  'expression/always-true': {
    severity: 'warning',
    title: 'tests of one field, of which every request meets at least one',
  },
  'expression/mixed-operators': { severity: 'info', title: 'and, xor and or are mixed without parentheses' },
  'expression/double-negation': { severity: 'info', title: 'a condition is negated twice' },
  'expression/repeated-clause': { severity: 'info', title: 'a clause is there twice' },
  'expression/missing-value': { severity: 'info', title: 'a test depends on how a missing value counts' },
  'expression/mixed-arrays': {
    severity: 'warning',
    title: '[*] is used on different arrays',
    hint: 'the service allows it several times only on one array',
  },
  'expression/map-order': { severity: 'warning', title: 'a result depends on the order of a map' },
  'expression/characteristic': { severity: 'warning', title: 'a rate limit cannot count by this' },
} as const;

/** The code of a finding about an expression. */
export type Code = keyof typeof TABLE;

/** The facts of every code. */
export const CODES: Readonly<Record<Code, CodeFacts>> = TABLE;

/** A replacement for the bytes of a span that keeps what was meant, or states it. */
export interface Fix {
  readonly span: Span;
  readonly replacement: string;
}

/** A remark about one place of an expression. */
export interface Finding {
  readonly code: Code;
  readonly severity: CheckSeverity;
  readonly message: string;
  /** Byte offsets in the text. */
  readonly span: Span;
  readonly hint?: string;
  /** `guess`: the hint is a name like the one that is there, which may be a new one. `unclosed`: something that is opened here is never closed. */
  readonly kind?: 'guess' | 'unclosed';
  /** Set only where it is safe to apply without review. */
  readonly fix?: Fix;
}

/** What a check says about one place; severity and hint come from the table of codes unless given here. */
export type FindingText = Pick<Finding, 'message' | 'span'> &
  Partial<Pick<Finding, 'severity' | 'hint' | 'kind' | 'fix'>>;

/** Receives each finding of a check. */
export type Report = (code: Code, remark: FindingText) => void;

/** Makes a finding with the usual severity and hint of its code. */
export function finding(code: Code, remark: FindingText): Finding {
  const { severity, hint } = CODES[code];
  return { code, severity, ...(hint === undefined ? {} : { hint }), ...remark };
}

/** What is known of the place where an expression stands; what is unknown is not checked. */
export interface CheckContext {
  /** What the text is for: a rule's filter (the default), a computed value, or what a rate limit counts. */
  readonly use?: Use;
  /** The phase of the ruleset. */
  readonly phase?: string;
  readonly level?: 'zone' | 'account';
  /** Whether the rule stands in an entry point of an account: there it only deploys a ruleset, and its condition is the scope of it. */
  readonly isScope?: boolean;
  readonly plan?: 'free' | 'pro' | 'business' | 'enterprise';
  /** The names of the lists that exist, without `$`. */
  readonly lists?: ReadonlySet<string>;
  /** The type that a value must have: a string, or a list of strings (for cache tags); a string by default. */
  readonly valueType?: 'Bytes' | 'Array<Bytes>';
  /** The only functions that may be called, and not inside one another; any function when absent. */
  readonly functions?: ReadonlySet<string>;
  /** Fields and functions to use instead of the service's. */
  readonly scheme?: Scheme;
}

/** An expression that parsed, with its parts in the order in which they stand. */
export interface CheckSubject {
  readonly text: string;
  readonly tree: Tree;
  readonly context: CheckContext;
  readonly combinations: readonly Combination[];
  readonly negations: readonly Not[];
  readonly quantifiers: readonly Quantifier[];
  readonly comparisons: readonly Comparison[];
  readonly operands: readonly Operand[];
  readonly fields: readonly Field[];
  readonly calls: readonly FunctionCall[];
  /** The tests of fields against fixed texts. */
  readonly texts: readonly TextTest[];
}

/** A check: reports what it finds in an expression, in any order. */
export type ExpressionCheck = (subject: CheckSubject, report: Report) => void;
