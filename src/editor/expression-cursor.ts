import { parseExpression } from '../expression/index.ts';
import type { Type } from '../expression/index.ts';

/** What may stand where the cursor is in an expression, which may be unfinished. */
export interface ExpressionCursor {
  /** `operand`: a field or call. `operator`: what compares `left`. `right`: what `left` is compared with. `joiner`: `and`, `or`, or the end. */
  readonly expects: 'operand' | 'operator' | 'right' | 'joiner' | 'set-item';
  /** Where the word at the cursor begins; the cursor itself where there is none. */
  readonly start: number;
  /** Whether the cursor is in a string, and where its first quotation mark is. */
  readonly string: number | undefined;
  /** The left side of the comparison, as written. */
  readonly left: string;
  /** The operator of the comparison. */
  readonly operator: string;
  /** The calls around the cursor, innermost last, and which of their arguments it is in. */
  readonly calls: readonly { readonly name: string; readonly argument: number }[];
}

interface Frame {
  readonly kind: 'group' | 'call' | 'quantifier' | 'index' | 'set';
  readonly name: string;
  readonly start: number;
  argument: number;
}

/** Strings, raw strings, variables, lists, words, signs; a string without its end runs on. */
const TOKENS =
  /r(#*)"[^]*?(?:"\1|$)|"(?:\\[^]|[^"\\])*(?:"|$)|\$\{[^}]*\}?|\$[\w.]*|[\w.]+(?:[:/][\w.:]+)*|[<>=!]=|&&|\|\||\^\^|[^\s]/gu;

const JOINERS: ReadonlySet<string> = new Set(['and', 'or', 'xor', '&&', '||', '^^']);
const NEGATIONS: ReadonlySet<string> = new Set(['not', '!']);
const IS_WORD = /^\$?\{?[\w.]/u;

/** Finds out what may stand at an offset of an expression, by what stands before it. Total, and linear in the length of the text. */
export function expressionCursor(text: string, at: number): ExpressionCursor {
  const reader = createReader();
  for (const match of text.slice(0, at).matchAll(TOKENS)) {
    const [token] = match;
    const start = match.index;
    const end = start + token.length;
    if (end === at && isOpenString(token)) {
      return { ...reader.state(), start: at, string: start + token.indexOf('"') };
    }
    if (end === at && (IS_WORD.test(token) || token.startsWith('$'))) {
      return { ...reader.state(), start, string: undefined };
    }
    reader.take(token, start, text);
  }
  return { ...reader.state(), start: at, string: undefined };
}

function isOpenString(token: string): boolean {
  const raw = /^r(#*)"/u.exec(token);
  if (raw !== null) {
    return token.length < raw[0].length + 1 || !token.endsWith(`"${raw[1] ?? ''}`);
  }
  return token.startsWith('"') && !/^"(?:\\[^]|[^"\\])*"$/u.test(token);
}

function createReader(): {
  readonly take: (token: string, start: number, text: string) => void;
  readonly state: () => Pick<ExpressionCursor, 'expects' | 'left' | 'operator' | 'calls'>;
} {
  const frames: Frame[] = [];
  let expects: ExpressionCursor['expects'] = 'operand';
  let leftStart = 0;
  let left = '';
  let operator = '';
  const close = (text: string, end: number): void => {
    const frame = frames.pop();
    if (frame?.kind === 'call' || frame?.kind === 'index') {
      leftStart = frame.start;
      left = text.slice(leftStart, end);
      expects = 'operator';
    } else {
      expects = 'joiner';
    }
  };
  const open = (kind: Frame['kind'], name: string, start: number): void => {
    frames.push({ kind, name, start, argument: 0 });
    expects = kind === 'set' ? 'set-item' : 'operand';
  };
  const takeOperand = (token: string, start: number): void => {
    if (token === '(') {
      open('group', '', start);
    } else if (!NEGATIONS.has(token)) {
      leftStart = start;
      left = token;
      expects = /^[A-Za-z]/u.test(token) && !/^r#*"/u.test(token) ? 'operator' : 'joiner';
    }
  };
  const takeOperator = (token: string): void => {
    if (token === '(') {
      open(left === 'any' || left === 'all' ? 'quantifier' : 'call', left, leftStart);
    } else if (token === '[') {
      open('index', '', leftStart);
    } else if (token !== 'strict') {
      operator = token;
      expects = 'right';
    }
  };
  return {
    take: (token, start, text) => {
      const frame = frames.at(-1);
      if (token === ')' || token === ']' || (token === '}' && frame?.kind === 'set')) {
        close(text, start + token.length);
      } else if (frame?.kind === 'set' || frame?.kind === 'index') {
        // Items and keys are literals.
      } else if (token === ',') {
        expects = 'operand';
        if (frame !== undefined) {
          frame.argument += 1;
        }
      } else if (JOINERS.has(token)) {
        expects = 'operand';
        operator = '';
      } else if (expects === 'operand') {
        takeOperand(token, start);
      } else if (expects === 'operator') {
        takeOperator(token);
      } else if (token === '{') {
        open('set', '', start);
      } else {
        expects = 'joiner';
      }
    },
    state: () => ({
      expects,
      left,
      operator,
      calls: frames.flatMap(({ kind, name, argument }) => (kind === 'call' ? [{ name, argument }] : [])),
    }),
  };
}

/** Returns the type of an operand as it is written; undefined where it does not parse. */
export function typeOfOperand(text: string): Type | undefined {
  const parsed = parseExpression(text, { mode: 'value' });
  return parsed.ok && parsed.tree.mode === 'value' ? parsed.tree.root.type : undefined;
}
