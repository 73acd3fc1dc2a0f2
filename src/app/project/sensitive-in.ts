import type { ScopePlan, DesiredScope } from '../../model/index.ts';
import { environmentOf, referencesIn } from '../../model/index.ts';
import type { ProjectSecrets } from './project-secrets.ts';

/** Returns the references to sensitive values in plans or files. */
export function sensitiveIn(scopes: readonly (ScopePlan | DesiredScope)[]): readonly string[] {
  // One scope at a time: the JSON of a plan of ten thousand zones is longer than a string can be.
  const all = new Set(scopes.flatMap((scope) => referencesIn(JSON.stringify(scope))));
  return [...all].filter((reference) => environmentOf(reference) !== '');
}

/** Whether the files of a scope use a sensitive value. */
export function hasSensitive(scope: DesiredScope): boolean {
  return sensitiveIn([scope]).length > 0;
}

/**
 * Whether a former value of a secret could be live in a scope: it cannot be recognised, so nothing of the scope may be cached.
 * Without `files`, the scope could hold any secret of the project.
 */
export function mayHoldSecret({ known }: ProjectSecrets, files?: DesiredScope): boolean {
  return known.length > 0 && (files === undefined || hasSensitive(files));
}
