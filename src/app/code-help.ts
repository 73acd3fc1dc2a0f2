import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIAGNOSTIC_CODES } from '../config/index.ts';
import { CODES } from '../expression/index.ts';
import { ERROR_CODES } from '../model/index.ts';
import type { CodeHelp, ExplainedCode } from '../model/index.ts';
import { TEST_CODES } from '../simulate/index.ts';
import { nearName } from '../text/index.ts';
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

/** All codes that can be explained. */
export const CODES_TO_EXPLAIN: readonly string[] = [...MEANINGS.keys()];

/** Whether a text has the form of a code. */
export function isCode(text: string): boolean {
  return /^[a-z]+\/[a-z\d-]+$/u.test(text);
}

/** Explains a code of a finding or an error, with the section of `docs/diagnostics.md` about it. Throws for a code that does not exist. */
export async function explainCode(code: string): Promise<ExplainedCode> {
  const meaning = MEANINGS.get(code);
  if (meaning === undefined) {
    const near = nearName(code, MEANINGS.keys());
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
