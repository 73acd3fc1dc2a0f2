/** A part of a request that may hold a secret. */
interface RequestPart {
  readonly name: string;
  /** The same, worded as the beginning of a sentence. */
  readonly what: string;
}

/** A text that an expression compares with something, or passes to a function. */
export interface UsedText {
  readonly text: string;
  /** The header, cookie or parameter that the same clause names before it. */
  readonly part: RequestPart | undefined;
  /** Whether the text may be only a part of the value. */
  readonly isPart: boolean;
}

/** The parts of a request that an expression can compare with a secret. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['headers', 'header'],
  ['cookies', 'cookie'],
  ['uri.args', 'parameter'],
  ['body.form', 'parameter'],
]);

/** A name in square brackets, a quoted text, or what joins two clauses. */
const TOKEN =
  /\[\s*(?:r"(?<rawName>[^"]*)"|"(?<name>(?:[^"\\]|\\.)*)")\s*\]|\br(?<marks>#*)"(?<raw>[^]*?)"\k<marks>|"(?<text>(?:[^"\\]|\\.)*)"|(?<join>\b(?:and|or|xor)\b|&&|\|\||\^\^)/g;

const HOLDER = /(headers|cookies|uri\.args|body\.form)\s*$/;
const PARTIAL = /\b(?:contains|starts_with|ends_with)\b/;
const PATTERN = /\b(?:matches|wildcard)\b|~/;

/**
 * Returns the texts that an expression uses, in their order, except patterns. It only looks for quotes and for what joins clauses, so that it
 * also works for expressions that are not valid.
 */
export function usedTexts(expression: string): readonly UsedText[] {
  const used: UsedText[] = [];
  let part: RequestPart | undefined;
  let code = '';
  let end = 0;
  for (const { index, 0: token, groups = {} } of expression.matchAll(TOKEN)) {
    const before = expression.slice(end, index);
    end = index + token.length;
    code += before;
    const { rawName, name = rawName, raw, text, join } = groups;
    if (join !== undefined) {
      [part, code] = [undefined, ''];
    } else if (name !== undefined) {
      const holder = HOLDERS.get(HOLDER.exec(before.slice(-40))?.[1] ?? '');
      part = holder === undefined ? part : { name, what: `the value of the ${holder} ${name}` };
    } else if (!PATTERN.test(code)) {
      used.push({ text: raw ?? text ?? '', part, isPart: PARTIAL.test(code) });
    }
  }
  return used;
}
