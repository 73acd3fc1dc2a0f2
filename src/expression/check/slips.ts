import type { ParseError } from '../language/parse-error.ts';
import { parseIpSetItem } from '../values/ip-set-item.ts';
import { parseIpAddress } from '../values/ip.ts';
import { LITERAL_SLIPS } from './literal-slips.ts';
import type { Recogniser, Slip } from './slip.ts';

/** Returns the slip behind a parse error when it is a known one (`rules-language.md` 8). */
export function recogniseSlip(error: ParseError, bytes: string): Slip | undefined {
  for (const recognise of RECOGNISERS) {
    const slip = recognise(error, bytes);
    if (slip !== undefined) {
      return slip;
    }
  }
  return undefined;
}

function tab({ span }: ParseError, bytes: string): Slip | undefined {
  const start = span.start + (/^[ \r\n]*/u.exec(bytes.slice(span.start))?.[0].length ?? 0);
  return bytes.charAt(start) === '\t'
    ? {
        code: 'expression/tab',
        message: 'there is a TAB here',
        fix: { span: { start, end: start + 1 }, replacement: ' ' },
      }
    : undefined;
}

/** What editors of HTML put in the place of operators and quotes. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);
const ENTITY = /&(?:amp|lt|gt|quot|nbsp|#34|#39);/gu;

function htmlEntity({ span }: ParseError, bytes: string): Slip | undefined {
  // The parser may have read the & as an operator.
  const from = bytes.charAt(span.start - 1) === '&' ? span.start - 1 : span.start;
  const [, space = '', written = ''] =
    /^(\s*)((?:&(?:amp|lt|gt|quot|nbsp|#34|#39);)+)/u.exec(bytes.slice(from)) ?? [];
  if (written === '') {
    return undefined;
  }
  const meant = written.replaceAll(ENTITY, (entity) => ENTITIES.get(entity) ?? '');
  const start = from + space.length;
  const advice = {
    code: 'expression/syntax',
    message: `\`${written}\` is HTML, and not \`${meant}\``,
    hint: `write \`${meant}\`; the text was probably copied from a web page`,
  } as const;
  return /^[&<>]+$/u.test(meant)
    ? { ...advice, fix: { span: { start, end: start + written.length }, replacement: meant } }
    : advice;
}

/** Escapes of other languages for characters that are written by their number here. */
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\\r', '\\x0d'],
  ['\\n', '\\x0a'],
  ['\\t', '\\x09'],
]);

function controlEscape({ kind, span }: ParseError, bytes: string): Slip | undefined {
  const start = span.start - 1;
  const [written = ''] = /^(?:\\[rnt])+/u.exec(bytes.slice(start)) ?? [];
  if (kind !== 'InvalidCharacterEscape' || written === '') {
    return undefined;
  }
  const meant = written.replaceAll(/\\./gu, (escape) => CONTROLS.get(escape) ?? escape);
  return {
    code: 'expression/syntax',
    message: `\`${written}\` means nothing in a text: characters that cannot be seen are written by their number`,
    hint: `write \`${meant}\`; only regular expressions know \`${written}\``,
    fix: { span: { start, end: start + written.length }, replacement: meant },
  };
}

function upperCaseOperator({ span }: ParseError, bytes: string): Slip | undefined {
  const found = /^(\s*)(AND|OR|XOR|NOT|EQ|NE|LT|LE|GT|GE|IN|CONTAINS|MATCHES)\b/u.exec(
    bytes.slice(span.start),
  );
  if (found === null) {
    return undefined;
  }
  const [, space = '', word = ''] = found;
  const start = span.start + space.length;
  const replacement = word.toLowerCase();
  const hint = `operators are in lower case: ${replacement}`;
  return { code: 'expression/syntax', hint, fix: { span: { start, end: start + word.length }, replacement } };
}

function comma({ span }: ParseError, bytes: string): Slip | undefined {
  const inSet = bytes.charAt(span.start) === ',' && /\{[^{}]*$/u.test(bytes.slice(0, span.start));
  const replacement = bytes.charAt(span.start + 1) === ' ' ? '' : ' ';
  return inSet
    ? {
        code: 'expression/set-comma',
        message: 'items of a set are separated by spaces, not commas',
        fix: { span: { start: span.start, end: span.start + 1 }, replacement },
      }
    : undefined;
}

function quotedAddress({ message, span }: ParseError, bytes: string): Slip | undefined {
  const quoted = /^"([0-9a-fA-F:./]+)"/u.exec(bytes.slice(span.start));
  const [whole = '', address = ''] = quoted ?? [];
  if (message !== 'expected IP address character' || quoted === null) {
    return undefined;
  }
  const fix = { span: { start: span.start, end: span.start + whole.length }, replacement: address };
  return { code: 'expression/quoted-address', ...(parseIpAddress(address) === undefined ? {} : { fix }) };
}

function network({ kind, span }: ParseError, bytes: string): Slip | undefined {
  const text = bytes.slice(span.start, span.end);
  const operator = /(?:eq|==) *$/u.exec(bytes.slice(0, span.start));
  if (kind !== 'ParseNetwork' || !text.includes('/') || operator === null) {
    return undefined;
  }
  const fix = { span: { start: operator.index, end: span.end }, replacement: `in {${text}}` };
  return parseIpSetItem(text).ok
    ? { code: 'expression/network-comparison', hint: `networks belong in sets: in {${text}}`, fix }
    : { code: 'expression/network-comparison' };
}

function singleEqualSign({ message, span }: ParseError, bytes: string): Slip | undefined {
  const [, next] =
    message === 'expected ComparisonOp' ? (/^=(~?)(?!=)/u.exec(bytes.slice(span.start)) ?? []) : [];
  if (next === undefined) {
    return undefined;
  }
  const replacement = next === '~' ? '~' : '==';
  return {
    code: 'expression/syntax',
    hint: next === '~' ? 'write matches or ~' : 'write == or eq',
    fix: { span: { start: span.start, end: span.start + 1 + next.length }, replacement },
  };
}

/** A field with its indexes, or a closing parenthesis, right before an operator. */
const BARE = /(?:(?:^|[\s(!])([a-z][\w.]*(?:\["[^"]*"\]|\[\d+\])*)|\))\s*$/u;

function comparedBool({ kind, span }: ParseError, bytes: string): Slip | undefined {
  const rest = bytes.slice(span.start);
  const bare = BARE.exec(bytes.slice(Math.max(0, span.start - 100), span.start));
  if (
    kind !== 'EOF' ||
    bare === null ||
    !/^ *(?:[!=<>~]|(?:eq|ne|in|is|contains|matches|wildcard)\b)/u.test(rest)
  ) {
    return undefined;
  }
  const message = `${bare[1] ?? 'what stands before this'} is a condition by itself, and nothing is compared with it`;
  const hint = 'write it alone, or with not in front of it';
  const [same] = /^ *(?:==?|eq|is) +true\b/u.exec(rest) ?? [];
  const fix =
    same === undefined
      ? {}
      : { fix: { span: { start: span.start, end: span.start + same.length }, replacement: '' } };
  return { code: 'expression/type', message, hint, ...fix };
}

const RECOGNISERS: readonly Recogniser[] = [
  htmlEntity,
  controlEscape,
  tab,
  upperCaseOperator,
  comma,
  quotedAddress,
  network,
  singleEqualSign,
  comparedBool,
  ...LITERAL_SLIPS,
];
