import { RulewrightError } from '../../model/error.ts';
import type { Plan } from '../../model/plan.ts';
import { environmentOf, hasDigest, PLAN_KEY, referencesIn } from '../../model/sensitive.ts';
import type { ScopeOutline } from '../../model/state.ts';
import type { Guards } from './project-guards.ts';
import type { ProjectSecrets } from './project-secrets.ts';

/** Throws `sensitive/unknown-value` unless every sensitive value that a plan or its files refer to is known and unchanged. */
export function requireSensitive(
  scopes: Plan['scopes'] | readonly ScopeOutline[],
  { known }: ProjectSecrets,
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
      // Only a saved plan has digests, and it may be applied where the project file is another one.
      hint: hasDigest(first)
        ? `set ${name}, and the same ${PLAN_KEY} as when the plan was made; \`env\` of the project file has to name it`
        : `set ${name} in the environment, or leave out with --target what needs it`,
    },
  );
}

/** Throws `sensitive/unknown-value` if sensitive values are unknown, since an import would write them into files. */
export function requireKnown({ missing }: ProjectSecrets): void {
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

/**
 * Whether it is known where an earlier version may hold a sensitive value: false if the project has sensitive values and its files
 * are invalid.
 */
export function knowsPlaces({ files }: Pick<Guards, 'files'>, { known, missing }: ProjectSecrets): boolean {
  return files.kind !== 'invalid' || known.length + missing.length === 0;
}

/**
 * Throws `sensitive/unknown-place` if a project has sensitive values and invalid files, which do not say where: a former value could
 * not be recognised.
 */
export function requireKnownPlaces(guards: Pick<Guards, 'files'>, secrets: ProjectSecrets): void {
  if (guards.files.kind === 'invalid' && !knowsPlaces(guards, secrets)) {
    throw new RulewrightError(
      `the files are not valid, so it is not known where an older version may hold a sensitive value${guards.files.why}`,
      {
        code: 'sensitive/unknown-place',
        fault: 'user',
        hint: 'correct that; rulewright validate says what else is wrong',
      },
    );
  }
}

/** Whether the files of a scope use a sensitive value. */
export function hasSensitive(scope: ScopeOutline): boolean {
  return referencesOf([scope]).length > 0;
}

/**
 * Whether a former value of a secret could be live in a scope: it cannot be recognised, so nothing of the scope may be cached.
 * Without `files`, the scope could hold any secret of the project.
 */
export function mayHoldSecret({ known }: ProjectSecrets, files?: ScopeOutline): boolean {
  return known.length > 0 && (files === undefined || hasSensitive(files));
}

/**
 * Throws `sensitive/no-key` if a plan cannot be saved because its sensitive values have no digests: apply could not verify that they
 * are unchanged.
 */
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
  // One scope at a time: the JSON of a plan of ten thousand zones is longer than a string can be.
  const all = new Set(scopes.flatMap((scope) => referencesIn(JSON.stringify(scope))));
  return [...all].filter((reference) => environmentOf(reference) !== '');
}
