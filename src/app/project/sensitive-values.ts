import { findProject } from '../../config/project/find-project.ts';
import { readProjectFile } from '../../config/project/project-file.ts';
import { readSource } from '../../config/project/read-source.ts';
import { RulewrightError } from '../../model/error.ts';
import type { Plan } from '../../model/plan.ts';
import type { Environment } from '../../model/environment.ts';
import type { SensitiveValue } from '../../model/sensitive.ts';
import { PLAN_KEY, environmentOf, hasDigest, referenceTo, referencesIn } from '../../model/sensitive.ts';
import type { ScopeOutline } from '../../model/state.ts';
import { keepingSecrets, sensitiveAt, sensitiveIn } from './base-secrets.ts';
import type { Guards } from './project-guards.ts';
import type { Selection } from './selection.ts';

/** The sensitive values of a project, and the environment variables of those that the environment lacks. */
interface SensitiveValues {
  readonly sensitive: readonly SensitiveValue[];
  readonly missing: readonly string[];
}

/** What chooses the project, and the revisions that it is compared with. */
type Compared = Pick<Selection, 'cwd' | 'config' | 'paths' | 'settingsFrom' | 'changedSince'>;

/**
 * The sensitive values that a project allows, or did at the revisions that it is compared with, and the environment has. Throws for one
 * that could not be kept secret.
 */
export async function sensitiveValues(
  selection: Compared,
  environment: Environment,
): Promise<SensitiveValues> {
  const { named, former } = await sensitiveNames(selection);
  const all = [...named, ...former];
  if (all.length > 0) {
    requireStrongKey(environment[PLAN_KEY] ?? '');
  }
  const valueOf = (env: string): string => environment[env] ?? '';
  const known = [
    ...named.filter((env) => valueOf(env) !== '').map((env) => [env, checked(env, valueOf(env))] as const),
    // What could not be sensitive never was.
    ...former.filter((env) => valueOf(env).length >= SHORTEST).map((env) => [env, valueOf(env)] as const),
  ];
  return {
    sensitive: known.map(([env, value]) => ({ reference: referenceTo(env, environment), value })),
    // Of those that files no longer name, an older value is known by no place either.
    missing: [...named.filter((env) => valueOf(env) === ''), ...former],
  };
}

/** The environment of a run in which a value that was sensitive stays so for as long as the change that ends this is not merged. */
export async function keptEnvironment(selection: Compared, environment: Environment): Promise<Environment> {
  const { former } = await sensitiveNames(selection);
  return former.length === 0 ? environment : keepingSecrets(environment, former);
}

/** The environment variables that the project calls sensitive, and those that it does not any more. */
async function sensitiveNames({
  cwd,
  config,
  paths,
  settingsFrom,
  changedSince,
}: Compared): Promise<Readonly<Record<'named' | 'former', readonly string[]>>> {
  const found = await findProject({ cwd, config, paths });
  if (found.kind === 'not-found') {
    return { named: [], former: [] };
  }
  const named = sensitiveIn(readProjectFile(await readSource(found.root, found.file)).valid?.value);
  const before = await sensitiveAt(found, [settingsFrom, changedSince]);
  return { named, former: before.filter((env) => !named.includes(env)) };
}

/** The digests stand in plans that many may read; a shorter key could be found by trying, and then the values. */
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

/** Shorter values would be found in texts that have nothing to do with them, and guessed. */
const SHORTEST = 8;

/** In a literal of an expression nothing of it needs an escape, so that it is the same text wherever it stands. */
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

/** Throws unless every value that a plan, or what it is made from, refers to is known and the same. */
export function requireSensitive(
  scopes: Plan['scopes'] | readonly ScopeOutline[],
  known: readonly SensitiveValue[] = [],
): void {
  const references = new Set(known.map(({ reference }) => reference));
  const set = new Set(known.map(({ reference }) => environmentOf(reference)));
  const unknown = referencesOf(scopes).filter((reference) => !references.has(reference));
  const unset = unknown.filter((reference) => !set.has(environmentOf(reference)));
  const wrong = unset.length > 0 ? unset : unknown.slice(0, 1);
  const [first] = wrong;
  if (first === undefined) {
    return;
  }
  const names = [...new Set(wrong.map((reference) => environmentOf(reference)))];
  const name = names.join(' and ');
  throw new RulewrightError(
    unset.length > 0
      ? `${names.length === 1 ? 'a sensitive value is' : 'sensitive values are'} not set: ${names.join(', ')}`
      : `the value of ${name} is not the one that the plan was made with`,
    {
      code: 'sensitive/unknown-value',
      fault: 'user',
      // Only a plan that was saved has digests, and may be carried out where another project file lies.
      hint: hasDigest(first)
        ? `set ${name}, and the same ${PLAN_KEY} as when the plan was made; \`env\` of the project file has to name it`
        : `set ${name} in the environment, or leave out with --target what needs it`,
    },
  );
}

/** Throws when values are not known that must not be written down. */
export function requireKnown(missing: readonly string[] = []): void {
  if (missing.length > 0) {
    throw new RulewrightError(
      `the project calls the value of ${missing.join(', ')} sensitive, and without it an import would write it into files`,
      {
        code: 'sensitive/unknown-value',
        fault: 'user',
        hint: `set ${missing.join(' and ')} to the value that the service has`,
      },
    );
  }
}

/** Throws when a project has sensitive values and its files do not say where: an earlier value could not be recognised. */
export function requireKnownPlaces(
  { files }: Pick<Guards, 'files'>,
  {
    sensitive = [],
    missing = [],
  }: { readonly [Key in keyof SensitiveValues]?: SensitiveValues[Key] | undefined },
): void {
  if (files.kind === 'invalid' && sensitive.length + missing.length > 0) {
    throw new RulewrightError(
      `the files are not valid, so it is not known where an older version may hold a sensitive value${files.why}`,
      {
        code: 'sensitive/unknown-place',
        fault: 'user',
        hint: 'correct that; rulewright validate says what else is wrong',
      },
    );
  }
}

/** Whether the files of a scope put a sensitive value anywhere. */
export function hasSensitive(scope: ScopeOutline): boolean {
  return referencesOf([scope]).length > 0;
}

/** Throws where a plan cannot be saved: apply could not verify that its sensitive values are still the same. */
export function requireDigests(scopes: Plan['scopes'] | readonly ScopeOutline[]): void {
  const bare = referencesOf(scopes).find((reference) => !hasDigest(reference));
  if (bare !== undefined) {
    throw new RulewrightError(
      `a saved plan needs a digest of the sensitive value of ${environmentOf(bare)}, and there is no key for it`,
      {
        code: 'sensitive/no-key',
        fault: 'user',
        hint: `set ${PLAN_KEY} to a secret of your own, the same where the plan is applied`,
      },
    );
  }
}

function referencesOf(scopes: Plan['scopes'] | readonly ScopeOutline[]): readonly string[] {
  // One by one, for the text of a plan of ten thousand zones is longer than a string can be.
  const all = new Set(scopes.flatMap((scope) => referencesIn(JSON.stringify(scope))));
  return [...all].filter((reference) => environmentOf(reference) !== '');
}
