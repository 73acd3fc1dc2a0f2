import { phaseFacts, actionKind } from '../../model/index.ts';
import type {
  IpLiteral,
  IpRangeItem,
  IntLiteral,
  IntRangeItem,
  Argument,
  FunctionCall,
} from '../language/ast.ts';
import { parseIpSetItem } from '../values/ip-set-item.ts';
import { formatIpAddress } from '../../data/index.ts';
import type { IpRange } from '../../data/index.ts';
import { addressesOf, plainField, integersOf } from '../language/field-tests.ts';
import { printIntRange } from '../print/print-literal.ts';
import { isCollection, typeName } from '../values/type.ts';
import { FIELDS, FUNCTIONS } from '../language/catalogue.ts';
import type { ValueRule } from '../language/catalogue.ts';
import { regexProblem } from '../regex/regex-problem.ts';
import { showBytes } from '../language/source-bytes.ts';
import { parseWildcard } from '../values/wildcard.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** Networks that no request from the Internet comes from, in ascending order; networks for documentation are left out. */
const RESERVED: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::1', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

const RANGES: readonly { readonly range: IpRange; readonly use: string }[] = RESERVED.flatMap(
  ([text, use]) => {
    const parsed = parseIpSetItem(text);
    return parsed.ok ? [{ range: parsed.range, use }] : [];
  },
);

/** A set takes addresses of fewer than four parts and fills them with zeros (`rules-language.md` 1.3). */
const SHORT = /^\d+(?:\.\d+){0,2}$/u;

/** Reports addresses that are probably a mistake: short ones, and private or reserved ones as the source of a request. */
export function checkAddresses({ comparisons, context }: CheckSubject, report: Report): void {
  const isOfRequests = context.phase === undefined || context.phase.startsWith('http_');
  for (const comparison of comparisons) {
    const isSource = isOfRequests && plainField(comparison.left) === 'ip.src';
    for (const literal of addressesOf(comparison)) {
      const range = rangeOf(literal);
      if (SHORT.test(literal.text)) {
        const address = formatIpAddress({ family: range.family, value: range.first });
        const message = `${literal.text} is the address ${address}`;
        report('expression/short-address', { message, span: literal.span });
      }
      const use = isSource ? reservedFor(range) : undefined;
      if (use !== undefined) {
        const message = `${literal.text} is ${use}: no request comes from there`;
        report('expression/reserved-address', { message, span: literal.span });
      }
    }
  }
}

function rangeOf(literal: IpLiteral | IpRangeItem): IpRange {
  if (literal.kind === 'ip-range') {
    return literal.range;
  }
  const { family, value } = literal.value;
  return { family, first: value, last: value };
}

/**
 * Returns what the reserved network that contains the range is used for. The networks do not overlap, so only the last one that begins at
 * or before the range can contain it.
 */
function reservedFor({ family, first, last }: IpRange): string | undefined {
  const nearest = RANGES.findLast(({ range }) => range.family === family && range.first <= first);
  return nearest !== undefined && last <= nearest.range.last ? nearest.use : undefined;
}

type Integers = readonly (IntLiteral | IntRangeItem)[];

const OCTAL = /(?:^|\.\.)0[0-7]/u;

/** Reports numbers with a leading 0, which are read as octal, and `1-2`, which is 1 and -2 (`rules-language.md` 1.3). */
export function checkNumbers({ comparisons, calls }: CheckSubject, report: Report): void {
  for (const comparison of comparisons) {
    const integers = integersOf(comparison);
    hyphenRanges(integers, report);
    octals(integers, report);
  }
  for (const { arguments: given } of calls) {
    octals(
      given.filter((argument) => argument.kind === 'int'),
      report,
    );
  }
}

function octals(literals: Integers, report: Report): void {
  for (const literal of literals) {
    const { text, span } = literal;
    if (OCTAL.test(text)) {
      const replacement = literal.kind === 'int' ? String(literal.value) : printIntRange(literal);
      report('expression/octal', {
        message: `${text} is octal: ${replacement}`,
        span,
        fix: { span, replacement },
      });
    }
  }
}

function hyphenRanges(items: Integers, report: Report): void {
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && before.span.end >= item.span.start && item.text.startsWith('-')) {
      report('expression/hyphen-range', {
        message: `${before.text}${item.text} is two numbers, ${before.text} and ${item.text}`,
        span: { start: before.span.start, end: item.span.end },
        hint: `ranges have two dots: ${before.text}..${item.text.slice(1)}`,
      });
    }
  }
}

/** Types that the service writes as a text in headers; the vendor's own tests use them so. */
const WRITTEN: ReadonlySet<string> = new Set(['Ip', 'Int']);
const REWRITES_HEADERS: ReadonlySet<string | undefined> = new Set(['request-headers', 'response-headers']);

/** Checks the type of a computed value, what rate limits count by, and where an account's apply (`rules-language.md` 4.1, `api.md` 8.3). */
export function checkValues({ tree, context, fields, comparisons }: CheckSubject, report: Report): void {
  const phase = phaseFacts(context.phase);
  if (tree.mode === 'value') {
    const wanted = context.valueType ?? 'Bytes';
    const actual = typeName(tree.root.type);
    if (actual !== wanted && !(WRITTEN.has(actual) && REWRITES_HEADERS.has(phase?.rewrites))) {
      const message = `a value of type ${wanted} belongs here, not ${actual}`;
      const scalar = wanted === 'Bytes' && !isCollection(tree.root.type);
      report('expression/value-type', {
        message,
        span: tree.root.span,
        // Cache tags are known to need a list (api.md 5.13); of a single value only the usual type is known.
        ...(wanted === 'Array<Bytes>' ? { severity: 'error' } : {}),
        ...(scalar ? {} : { hint: 'choose a value of that type' }),
      });
    }
  }
  const response = fields.find(({ name }) => FIELDS.get(name)?.place === 'response');
  const list = comparisons.find(({ right }) => right.kind === 'list');
  if (
    context.isScope === true &&
    phase?.limitsRate === true &&
    phase.actions.account?.some((action) => actionKind(action) === 'execute') === true
  ) {
    for (const { span } of [response, list?.right].filter((part) => part !== undefined)) {
      const message = 'the scope of account rate limits may use neither fields of the response nor lists';
      const hint = 'put this condition into the rules of the custom ruleset, which may';
      report('expression/place', { message, hint, span, severity: 'error' });
    }
  }
  if (context.use !== 'counting') {
    return;
  }
  if (response !== undefined && list !== undefined) {
    const message = 'a counting expression may not use both fields of the response and lists';
    report('expression/place', { message, span: list.right.span });
  }
  if (context.plan === 'free' || context.plan === 'pro') {
    const message = 'a counting expression of its own needs the Business plan or above';
    report('expression/plan', { message, span: tree.root.span });
  }
}

const MOST_REFERENCES = 8;

/** Reports argument values that a function does not accept, beyond those that the parser itself refuses. */
export function checkArgumentValues({ calls }: CheckSubject, report: Report): void {
  for (const call of calls) {
    const { name, arguments: given } = call;
    checkSubstring(call, report);
    const values = FUNCTIONS.get(name)?.values ?? [];
    for (const [index, argument] of given.entries()) {
      const rule = values[index];
      const problem = rule === undefined ? undefined : problemOf(rule, argument);
      if (problem !== undefined) {
        report('expression/argument-value', { message: `${name}(): ${problem}`, span: argument.span });
      }
    }
  }
}

function problemOf(rule: ValueRule, argument: Argument): string | undefined {
  if (rule.kind === 'fields') {
    const name = argument.kind === 'operand' ? plainField(argument) : undefined;
    return name !== undefined && rule.fields.includes(name)
      ? undefined
      : `takes only ${rule.fields.join(' or ')}`;
  }
  return argument.kind === 'bytes' ? problemOfText(rule, argument.value) : undefined;
}

function problemOfText(
  rule: Exclude<ValueRule, { readonly kind: 'fields' }>,
  value: string,
): string | undefined {
  switch (rule.kind) {
    case 'letters': {
      const wrong = Array.from(showBytes(value)).find((letter) => !rule.letters.includes(letter));
      return wrong === undefined
        ? undefined
        : `no option ${wrong}; there are ${Array.from(rule.letters).join(', ')}`;
    }
    case 'regex':
      return regexProblem(value)?.split('\n').at(-1);
    case 'wildcard': {
      const parsed = parseWildcard(value);
      return parsed.ok ? undefined : parsed.message;
    }
    case 'references':
      return problemOfReplacement(value);
    default:
      return rule satisfies never;
  }
}

/** `${1}` to `${8}` refer to groups or stars, at most eight of them; `$$` is a dollar sign. */
function problemOfReplacement(value: string): string | undefined {
  const references = [...value.matchAll(/\$\$|\$\{(\d+)\}/g)].flatMap(([, number]) =>
    number === undefined ? [] : [number],
  );
  const wrong = references.find((number) => Number(number) < 1 || Number(number) > MOST_REFERENCES);
  if (wrong !== undefined) {
    return `references are \${1} to \${${MOST_REFERENCES}}, not \${${wrong}}`;
  }
  return references.length > MOST_REFERENCES
    ? `has ${references.length} references, at most ${MOST_REFERENCES} are allowed`
    : undefined;
}

/** Reports `substring` with an end that is not after its start: the result is always empty. */
function checkSubstring({ name, span, arguments: [, from, until] }: FunctionCall, report: Report): void {
  if (name !== 'substring' || from?.kind !== 'int' || until?.kind !== 'int') {
    return;
  }
  const isSameSide = from.value < 0n === until.value < 0n;
  if (isSameSide && until.value <= from.value) {
    report('expression/argument-value', {
      message: `substring(): ${until.value} is not after ${from.value}, so the result is always empty`,
      severity: 'warning',
      hint: 'its arguments are where the part starts and where it ends, not its length',
      span,
    });
  }
}
