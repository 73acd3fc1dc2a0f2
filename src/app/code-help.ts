import { readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { DIAGNOSTIC_CODES } from '../config/index.ts';
import { CODES } from '../expression/index.ts';
import {
  DEPRECATIONS,
  ERROR_CODES,
  GUARD_KINDS,
  GUARD_MEANINGS,
  NOTE_MEANINGS,
  PLAN_NOTE_KINDS,
  effectiveDate,
  WARNING_NOTE_KINDS,
  isAllowable,
} from '../model/index.ts';
import type { CodeHelp, Deprecation, ExplainedCode, GuardKind } from '../model/index.ts';
import { TEST_CODES } from '../simulate/index.ts';
import { nearName, someNames } from '../text/index.ts';
import { packageFolder } from './project/package-folder.ts';
import { usage } from './run/usage-error.ts';

const TABLE: ReadonlyMap<string, CodeHelp> = new Map<string, CodeHelp>(
  Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }),
);

/** Explains what findings with a code mean, for readers who have only the code; null for an unknown code. */
export function codeHelp(code: string): CodeHelp | null {
  return TABLE.get(code) ?? null;
}

const MEANINGS: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(ERROR_CODES),
  ...Object.entries(TEST_CODES).map(([code, title]) => [code, `${title}.`] as const),
  ...[...TABLE].map(
    ([code, { title }]) => [code, `${title.slice(0, 1).toUpperCase()}${title.slice(1)}.`] as const,
  ),
]);

/** A code with what can be said of it. */
type CodeSource = (code: string) => Omit<ExplainedCode, 'code'> | null;

/** Codes that are made of something else, and words that are no codes of findings in files. */
const SOURCES: readonly CodeSource[] = [
  (code) => {
    const kind = GUARD_KINDS.find((one) => one === code);
    return kind === undefined ? null : ofGuard(kind);
  },
  (code) => {
    const kind = PLAN_NOTE_KINDS.find((one) => one === code);
    const text = 'A note of a plan; the message beside it says which rule, and what to do.';
    return kind === undefined
      ? null
      : {
          severity: WARNING_NOTE_KINDS.some((one) => one === kind) ? 'warning' : 'info',
          meaning: NOTE_MEANINGS[kind],
          parts: [{ kind: 'text', text }],
        };
  },
  (code) => {
    const row = DEPRECATIONS.find(({ id }) => `deprecated/${id}` === code);
    return row === undefined ? null : ofDeprecation(row);
  },
  (code) => {
    const status = /^forge\/http-(\d{3})$/u.exec(code)?.[1];
    const name = status === undefined ? undefined : STATUS_CODES[status];
    return name === undefined
      ? null
      : {
          severity: 'error',
          meaning: `GitHub or GitLab answered ${status}: ${name}.`,
          parts: [{ kind: 'text', text: WHY[status ?? ''] ?? 'The message beside the code has its words.' }],
        };
  },
  (code) => {
    const name = /^system\/(\w+)$/u.exec(code)?.[1]?.toUpperCase();
    const known = [...getSystemErrorMap().values()].find(([one]) => one === name);
    return known === undefined
      ? null
      : {
          severity: 'error',
          meaning: `The operating system refused something: ${known[1]} (${known[0]}).`,
          parts: [{ kind: 'text', text: 'The message beside the code names the file or the address.' }],
        };
  },
];

/** What an answer of GitHub or GitLab mostly means. */
const WHY: Readonly<Record<string, string>> = {
  401: 'The token is wrong or has expired.',
  403: 'The token may not do this: docs/gitops.md says which permissions each job needs.',
  404: 'The token may not see the repository, or what was to be changed is gone.',
  422: 'The text or the change was not accepted.',
};

function ofGuard(kind: GuardKind): Omit<ExplainedCode, 'code'> {
  const way = isAllowable(kind)
    ? `It refuses or warns, as the files say. \`--allow ${kind}\` lets it pass in one run, and so does a reviewed plan that showed it.`
    : 'Nothing lets it pass.';
  return {
    severity: 'warning',
    meaning: GUARD_MEANINGS[kind],
    parts: [
      { kind: 'text', text: `A guard of plans. ${way} docs/safety.md has all guards and their limits.` },
    ],
  };
}

function ofDeprecation(row: Deprecation): Omit<ExplainedCode, 'code'> {
  const { subject, change, replacement } = row;
  const instead = replacement === null ? [] : [{ kind: 'text', text: `Instead: ${replacement}.` } as const];
  return {
    severity: 'warning',
    meaning: `${subject}: ${change}`,
    parts: [{ kind: 'text', text: `In effect: ${effectiveDate(row)}.` }, ...instead],
  };
}

/** The kinds of what plans find. */
const WORDS: readonly string[] = [...GUARD_KINDS, ...PLAN_NOTE_KINDS];

/** All codes that can be explained, but for those that end in what somebody else answered. */
export const CODES_TO_EXPLAIN: readonly string[] = [
  ...MEANINGS.keys(),
  ...WORDS,
  ...DEPRECATIONS.map(({ id }) => `deprecated/${id}`),
];

/** Whether a text has the form of a code. */
export function isCode(text: string): boolean {
  return /^[a-z]+\/[a-z\d_-]+$/u.test(text) || WORDS.includes(text);
}

/** The most codes that a hint names. */
const MOST_NAMED = 3;

/** Explains a code of a finding or an error, with the section of `docs/diagnostics.md` about it. Throws for a code that does not exist. */
export async function explainCode(code: string): Promise<ExplainedCode> {
  const [other] = SOURCES.flatMap((source) => source(code) ?? []);
  if (other !== undefined) {
    return { code, ...other };
  }
  const meaning = MEANINGS.get(code);
  if (meaning === undefined) {
    const begun = CODES_TO_EXPLAIN.filter((one) => one.startsWith(code));
    const near = begun.length > 0 ? someNames(begun, MOST_NAMED) : nearName(code, CODES_TO_EXPLAIN);
    throw usage(
      `there is no code ${code}`,
      near === undefined ? 'to explain a request, write its whole URL' : `did you mean ${near}?`,
    );
  }
  const page = await readFile(join(packageFolder(), 'docs', 'diagnostics.md'), 'utf8');
  const section = page
    .split(/^#{2,3} /mu)
    .find((one) => one.startsWith(`\`${code}\`\n`))
    ?.split('\n')
    .slice(1)
    .join('\n');
  return {
    code,
    severity: codeHelp(code)?.severity ?? 'error',
    meaning,
    parts: section === undefined ? [] : partsOf(section),
  };
}

/** Splits a section of the page into texts and examples; its first sentence, the meaning, is left out. */
function partsOf(section: string): ExplainedCode['parts'] {
  return section
    .split(/^(```.*\n[\s\S]*?^```$)/mu)
    .flatMap((part): ExplainedCode['parts'] => {
      const [, info = '', example] = /^```(.*)\n([\s\S]*)^```$/mu.exec(part) ?? [];
      if (example !== undefined) {
        return [{ kind: info === 'output' ? 'output' : 'example', text: example.trimEnd() }];
      }
      return part
        .split(/\n{2,}|\n(?=- )/u)
        .map((text) =>
          text
            .trim()
            .replaceAll(/\[([^\]]+)\]\([^)]*\)/gu, '$1')
            .replaceAll(/\s+/gu, ' '),
        )
        .filter((text) => text !== '')
        .map((text) => ({ kind: 'text', text }) as const);
    })
    .slice(1);
}
