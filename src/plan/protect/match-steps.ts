import type { WildcardCase } from '../../expression/values/wildcard.ts';
import { parseWildcard } from '../../expression/values/wildcard.ts';
import { holdsOf, KINDS, mayHold } from './possible-text.ts';
import type { Holds } from './possible-text.ts';

/** A step of a pattern: a text, a run of characters of one class, or an end of a group. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'run';
      readonly has: (character: string) => boolean;
      readonly holds: Holds;
      /** The parts that may have one of its characters. */
      readonly within: ReadonlySet<Holds>;
      readonly least: 0 | 1;
      readonly most: 1 | 'many';
      /** Whether it ends where the text after it is found first, whatever follows. */
      readonly endsFirst: boolean;
    }
  | { readonly kind: 'open' | 'close'; readonly group: number };

/** The groups of what stands before and after the match of a regular expression. */
export const BEFORE = 0;
export const AFTER = -1;

type Run = Extract<Step, { readonly kind: 'run' }>;

const ANYTHING: Run = {
  kind: 'run',
  has: () => true,
  holds: 'any',
  within: new Set(KINDS),
  least: 0,
  most: 'many',
  endsFirst: false,
};

/** Returns the steps of a wildcard pattern, which covers a whole text; undefined if it is none. */
export function wildcardSteps(pattern: string, letters: WildcardCase): readonly Step[] | undefined {
  const parsed = parseWildcard(pattern);
  if (!parsed.ok) {
    return undefined;
  }
  const [first = '', ...rest] = parsed.pattern.runs;
  return [
    { kind: 'text', text: first },
    ...rest.flatMap((run, index): readonly Step[] => [
      { kind: 'open', group: index + 1 },
      // The last run is found at the end, each other where it stands first. Which letters stand first is told in any case here.
      { ...ANYTHING, endsFirst: letters === 'fold' && index < rest.length - 1 },
      { kind: 'close', group: index + 1 },
      { kind: 'text', text: run },
    ]),
  ];
}

const TOKEN =
  /(\()|(\))|(\[\^?(?:[^\][\\^&~]|\\[dw./?#-])+\]|\.|\\[dw])|\\([^a-zA-Z0-9])|([^\\()[\]{}.*+?|^$])/y;
const QUANTIFIER = /([*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Returns the steps of a regular expression with what stands before and after its match. Undefined for all but plain ones: texts, classes,
 * repetitions of one character, and groups beside each other.
 */
export function regexSteps(pattern: string): readonly Step[] | undefined {
  const isAtStart = pattern.startsWith('^');
  const isAtEnd = /[^\\]\$$/u.test(pattern);
  const body = pattern.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : pattern.length);
  const steps: Step[] = [];
  let group = 0;
  let isInside = false;
  for (let at = 0; at < body.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [whole, opens, closes, cls, escaped, plain] = TOKEN.exec(body) ?? [];
    if (whole === undefined || (opens !== undefined && isInside) || (closes !== undefined && !isInside)) {
      return undefined;
    }
    QUANTIFIER.lastIndex = TOKEN.lastIndex;
    const [repeated, sign] = QUANTIFIER.exec(body) ?? [];
    if (opens !== undefined || closes !== undefined) {
      if (repeated !== undefined) {
        return undefined;
      }
      group += opens === undefined ? 0 : 1;
      isInside = opens !== undefined;
      steps.push({ kind: isInside ? 'open' : 'close', group });
      continue;
    }
    TOKEN.lastIndex += repeated?.length ?? 0;
    const literal = escaped ?? plain;
    const step: Step | undefined =
      literal !== undefined && sign === undefined
        ? { kind: 'text', text: literal }
        : runOf(cls ?? `[\\u{${literal?.codePointAt(0)?.toString(16) ?? '0'}}]`, sign);
    if (step === undefined) {
      return undefined;
    }
    steps.push(step);
  }
  return isInside
    ? undefined
    : [...(isAtStart ? [] : around(BEFORE)), ...joinSteps(steps), ...(isAtEnd ? [] : around(AFTER))];
}

function around(group: number): readonly Step[] {
  return [{ kind: 'open', group }, ANYTHING, { kind: 'close', group }];
}

function runOf(cls: string, sign: string | undefined): Run | undefined {
  const pattern = classOf(cls);
  if (pattern === undefined) {
    return undefined;
  }
  const has = (character: string): boolean => pattern.test(character);
  const characters = Array.from({ length: 256 }, (_none, byte) => String.fromCharCode(byte)).filter(has);
  return {
    kind: 'run',
    has,
    holds: holdsOf(characters),
    within: new Set(KINDS.filter((holds) => characters.some((one) => mayHold(holds, one)))),
    least: sign === undefined || sign === '+' ? 1 : 0,
    most: sign === undefined || sign === '?' ? 1 : 'many',
    endsFirst: false,
  };
}

function classOf(cls: string): RegExp | undefined {
  try {
    return cls.includes('--') ? undefined : new RegExp(`^${cls}$`, 'us');
  } catch {
    return undefined;
  }
}

function joinSteps(steps: readonly Step[]): readonly Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (step.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + step.text };
    } else {
      joined.push(step);
    }
  }
  return joined;
}
