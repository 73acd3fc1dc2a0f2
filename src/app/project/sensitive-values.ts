import { openProjectHead } from '../../config/index.ts';
import type { HeadReading, ProjectQuery } from '../../config/index.ts';
import { RulewrightError, PLAN_KEY, referenceTo } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import { sensitiveAt, sensitiveIn } from './base-secrets.ts';
import type { ProjectSecrets } from './project-secrets.ts';
import type { Revisions } from './selection.ts';

/** The choice of the project, and the revisions that it is compared with. */
type Compared = ProjectQuery & HeadReading & Revisions;

/**
 * Returns the sensitive values that the environment has for a project, by its declarations now and at the compared revisions. Throws
 * for a value that could not be kept secret.
 */
export async function sensitiveValues(
  selection: Compared,
  environment: Environment,
): Promise<ProjectSecrets> {
  const { named, former } = await sensitiveNames(selection);
  const all = [...named, ...former];
  if (all.length > 0) {
    requireStrongKey(environment[PLAN_KEY] ?? '');
  }
  const valueOf = (env: string): string => environment[env] ?? '';
  const values = [
    ...named.filter((env) => valueOf(env) !== '').map((env) => [env, checked(env, valueOf(env))] as const),
    // A value that is too short to be sensitive now was not sensitive before either.
    ...former.filter((env) => valueOf(env).length >= SHORTEST).map((env) => [env, valueOf(env)] as const),
  ];
  return {
    known: values.map(([env, value]) => ({ reference: referenceTo(env, environment), value })),
    // No file names the places of the former ones any more, so an older value of theirs could not be recognised either.
    missing: [...named.filter((env) => valueOf(env) === ''), ...former],
    former,
  };
}

/** Returns the environment variables that the project calls sensitive, and those that it no longer does. */
async function sensitiveNames(
  selection: Compared,
): Promise<Readonly<Record<'named' | 'former', readonly string[]>>> {
  const project = await openProjectHead(selection);
  if (project === undefined) {
    return { named: [], former: [] };
  }
  const named = sensitiveIn(project.head.valid?.value);
  const before = await sensitiveAt(project, [selection.settingsFrom, selection.changedSince]);
  return { named, former: before.filter((env) => !named.includes(env)) };
}

/**
 * Minimum length of the key of the digests, which stand in plans that many may read: a shorter key could be guessed, and then the
 * values.
 */
const MIN_KEY_LENGTH = 16;

function requireStrongKey(key: string): void {
  if (key !== '' && key.length < MIN_KEY_LENGTH) {
    throw new RulewrightError(`${PLAN_KEY} is shorter than ${MIN_KEY_LENGTH} characters`, {
      code: 'sensitive/weak-key',
      fault: 'user',
      hint: 'take a long random text, such as openssl rand -hex 32 prints, the same where plans are made and applied',
    });
  }
}

/** Minimum length of a sensitive value: a shorter one would occur in unrelated texts, and could be guessed. */
const SHORTEST = 8;

/**
 * Returns the value. Throws `sensitive/unusable-value` if it is too short, or would need an escape in a literal of an expression and
 * so not be the same text everywhere.
 */
function checked(env: string, value: string): string {
  const problem =
    value.length < SHORTEST
      ? `is shorter than ${SHORTEST} characters`
      : /["\\\p{C}]/u.test(value)
        ? 'holds a quotation mark, a backslash or a control character'
        : undefined;
  if (problem !== undefined) {
    throw new RulewrightError(`the sensitive value of ${env} ${problem}`, {
      code: 'sensitive/unusable-value',
      fault: 'user',
      hint: 'choose another value, such as one of letters and digits',
    });
  }
  return value;
}
