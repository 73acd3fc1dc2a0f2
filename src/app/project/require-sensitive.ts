import { RulewrightError, environmentOf, hasDigest, PLAN_KEY } from '../../model/index.ts';
import type { ScopePlan, DesiredScope } from '../../model/index.ts';
import type { ProjectSecrets } from './project-secrets.ts';
import { sensitiveIn } from './sensitive-in.ts';

/** Throws `sensitive/unknown-value` unless every sensitive value that a plan or its files refer to is known and unchanged. */
export function requireSensitive(
  scopes: readonly (ScopePlan | DesiredScope)[],
  { known }: ProjectSecrets,
): void {
  const references = new Set(known.map(({ reference }) => reference));
  const set = new Set(known.map(({ reference }) => environmentOf(reference)));
  const unknown = sensitiveIn(scopes).filter((reference) => !references.has(reference));
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
        : `set ${name} in the environment, or leave out with --target what needs it; what comes from a file or a command needs --secret-files or --secret-command`,
    },
  );
}

/** Throws `sensitive/unknown-value` if sensitive values are unknown; `without` says what would happen without them. */
export function requireKnown({ missing }: ProjectSecrets, without: string): void {
  if (missing.length > 0) {
    throw new RulewrightError(
      `the project calls the value of ${missing.join(', ')} sensitive, and without it ${without}`,
      {
        code: 'sensitive/unknown-value',
        fault: 'user',
        hint: `set ${missing.join(' and ')} to the value that the service has`,
      },
    );
  }
}

/**
 * Throws `sensitive/no-key` if a plan cannot be saved because its sensitive values have no digests: apply could not verify that they
 * are unchanged.
 */
export function requireDigests(scopes: readonly (ScopePlan | DesiredScope)[]): void {
  const bare = sensitiveIn(scopes).find((reference) => !hasDigest(reference));
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
