import { RulewrightError } from '../../model/index.ts';
import type { Guards } from './project-guards.ts';
import type { ProjectSecrets } from './project-secrets.ts';

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
