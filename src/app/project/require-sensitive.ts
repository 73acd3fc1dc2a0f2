import { RulewrightError } from '../../model/error.ts';
import type { Plan } from '../../model/plan.ts';
import type { SensitiveValue } from '../../model/sensitive.ts';
import { environmentOf, hasDigest, PLAN_KEY, referencesIn } from '../../model/sensitive.ts';
import type { ScopeOutline } from '../../model/state.ts';
import type { Guards } from './project-guards.ts';

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

/** The sensitive values of a project: those that are known, and the names of those that are not. */
interface SensitiveValues {
  readonly sensitive?: readonly SensitiveValue[] | undefined;
  readonly missing?: readonly string[] | undefined;
}

/** Whether it is known where an earlier version may hold a sensitive value: false where there are some and the files do not say where. */
export function knowsPlaces(
  { files }: Pick<Guards, 'files'>,
  { sensitive = [], missing = [] }: SensitiveValues,
): boolean {
  return files.kind !== 'invalid' || sensitive.length + missing.length === 0;
}

/** Throws when a project has sensitive values and its files do not say where: an earlier value could not be recognised. */
export function requireKnownPlaces(guards: Pick<Guards, 'files'>, values: SensitiveValues): void {
  if (guards.files.kind === 'invalid' && !knowsPlaces(guards, values)) {
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
