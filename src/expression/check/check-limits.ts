import type { FunctionCall } from '../language/ast.ts';
import { FUNCTIONS } from '../language/catalogue.ts';
import { printExpression } from '../print/print-expression.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { FindingText, Report, CheckSubject } from './check-finding.ts';

/** The maximum number of characters of an expression, counted in the text as it is sent. */
export const MOST_CHARACTERS = 4096;
const MOST_REGEXES = 64;

/** Reports exceeded limits of one expression (`rules-language.md` 4). */
export function checkLimits(subject: CheckSubject, report: Report): void {
  checkLength(subject, report);
  checkRegexCount(subject, report);
  checkReplacing(subject, report);
  for (const call of subject.calls) {
    checkArgumentCount(call, report);
    checkSlice(call, report);
  }
}

function checkArgumentCount({ name, span, arguments: given }: FunctionCall, report: Report): void {
  const most = FUNCTIONS.get(name)?.most;
  if (most !== undefined && given.length > most) {
    report('expression/arguments', {
      message: `${name}() takes at most ${most} arguments, not ${given.length}`,
      span,
    });
  }
}

const MOST_SLICED = 32n;
const LAST_OFFSET = 2040n;

/** Checks the offsets of `bit_slice`, which takes at most `MOST_SLICED` bits and none after `LAST_OFFSET`. */
function checkSlice({ name, span, arguments: [, from, until] }: FunctionCall, report: Report): void {
  if (name !== 'bit_slice' || from?.kind !== 'int' || until?.kind !== 'int') {
    return;
  }
  const isSound =
    from.value >= 0n &&
    from.value <= until.value &&
    until.value <= LAST_OFFSET &&
    until.value - from.value <= MOST_SLICED;
  if (!isSound) {
    report('expression/argument-value', {
      message: `bit_slice(): takes up to ${MOST_SLICED} bits, at offsets from 0 to ${LAST_OFFSET}`,
      span,
    });
  }
}

/** Returns the number of characters of a text that has too many, else null. A text with few enough UTF-16 units is not counted. */
export function charactersBeyondLimit(text: string): number | null {
  const length = text.length <= MOST_CHARACTERS ? 0 : Array.from(text).length;
  return length <= MOST_CHARACTERS ? null : length;
}

/** Returns the remark about a text that has too many characters; undefined for any other text. */
export function tooLong(text: string): Pick<FindingText, 'message' | 'span'> | undefined {
  const length = charactersBeyondLimit(text);
  return length === null
    ? undefined
    : {
        message: `expression size ${length} exceeded maximum ${MOST_CHARACTERS}`,
        span: { start: 0, end: encodeBytes(text).length },
      };
}

function checkLength({ text, tree }: CheckSubject, report: Report): void {
  const remark = tooLong(text);
  if (remark === undefined) {
    return;
  }
  const { span } = remark;
  const shorter = printExpression(tree);
  const fits = charactersBeyondLimit(shorter) === null;
  report('expression/too-long', {
    ...remark,
    hint: fits ? 'its canonical text is short enough' : 'split the rule, or move values to a list',
    ...(fits ? { fix: { span, replacement: shorter } } : {}),
  });
}

function checkRegexCount({ comparisons, calls, tree }: CheckSubject, report: Report): void {
  const inOperators = comparisons.filter(({ operator }) => operator === 'matches').length;
  const count = inOperators + calls.filter(({ name }) => name === 'regex_replace').length;
  if (count > MOST_REGEXES) {
    const message = `${count} regular expressions in one rule, at most ${MOST_REGEXES} are allowed`;
    report('expression/too-many-regexes', { message, span: tree.root.span });
  }
}

const REPLACING = ['regex_replace', 'wildcard_replace'];

function checkReplacing({ calls }: CheckSubject, report: Report): void {
  const replacing = calls.filter(({ name }) => REPLACING.includes(name));
  for (const name of REPLACING) {
    for (const { span } of replacing.filter((call) => call.name === name).slice(1)) {
      report('expression/repeated-replace', { message: `${name}() is used here a second time`, span });
    }
  }
  for (const outer of replacing) {
    const inner = replacing.find((call) => call.name !== outer.name && isInside(call, outer));
    if (inner !== undefined) {
      const message = `${inner.name}() is inside ${outer.name}()`;
      report('expression/repeated-replace', { message, span: inner.span });
    }
  }
}

function isInside(inner: FunctionCall, outer: FunctionCall): boolean {
  return inner !== outer && inner.span.start >= outer.span.start && inner.span.end <= outer.span.end;
}
