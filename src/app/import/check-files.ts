import type { LoadedText } from '../../config/index.ts';
import type { WholeScope } from '../../live/index.ts';
import { RulewrightError, scopeLabel } from '../../model/index.ts';
import type { Grain } from './follow-rules.ts';
import { entriesOf } from './live-entries.ts';
import type { ScopeFiles } from './scope-files.ts';
import { stepsLeft } from './steps-left.ts';

/** The result of checking files against live. */
export type FileCheck =
  | { readonly kind: 'exact' }
  /** The files cannot be used. */
  | { readonly kind: 'fault'; readonly message: string }
  /** A plan of the files would have these steps. */
  | { readonly kind: 'left'; readonly steps: string };

/** Candidate files of a scope, with the result of their check. */
export interface CheckedFiles {
  readonly check: FileCheck;
  readonly files: ScopeFiles;
}

/** Checks whether loaded files declare exactly what is live. */
export function checkFiles(
  { scopes: [desired], diagnostics }: Pick<LoadedText, 'scopes' | 'diagnostics'>,
  whole: WholeScope,
): FileCheck {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    return { kind: 'fault', message: error.message };
  }
  if (desired === undefined) {
    return { kind: 'fault', message: 'they do not declare it' };
  }
  const steps = stepsLeft(desired, entriesOf(whole, desired.rulesets), whole);
  return steps === undefined ? { kind: 'exact' } : { kind: 'left', steps };
}

/**
 * Chooses the files to write, after checking that they load and that a plan of them is empty or, where some rules are renamed or
 * kept, no longer than necessary. Whole fields follow live if single values do not suffice. Throws `import/not-exact`.
 */
export function chosenFiles(
  whole: WholeScope,
  {
    nameRules,
    hasWindow = false,
    update,
  }: {
    readonly nameRules: boolean;
    /** Whether a file, a zone of one or a phase has a window, which an import leaves as it is. */
    readonly hasWindow?: boolean;
    readonly update: (grain: Grain) => CheckedFiles;
  },
): ScopeFiles {
  const fine = update('values');
  if (fine.check.kind === 'exact') {
    return fine.files;
  }
  const coarse = update('fields');
  const mayLeave = nameRules || coarse.files.kept.length > 0;
  if (coarse.check.kind !== 'left' || !mayLeave) {
    requireExact(coarse.check, whole, hasWindow);
  }
  const isAlike =
    fine.check.kind === 'left' && coarse.check.kind === 'left' && fine.check.steps === coarse.check.steps;
  return isAlike ? fine.files : coarse.files;
}

/** Throws `import/not-exact` for files that would not declare exactly what is live. */
export function requireExact(check: FileCheck, { scope }: WholeScope, hasWindow = false): void {
  if (check.kind !== 'exact') {
    const why = check.kind === 'fault' ? check.message : check.steps;
    if (hasWindow && check.kind === 'left') {
      throw new RulewrightError(
        `${scopeLabel(scope)}: \`active\` of a file, a zone or a phase limits rules that have no such window live: ${why}.`,
        {
          code: 'import/not-exact',
          fault: 'user',
          hint: 'Nothing was written for it. Give the rules windows of their own in place of that one, and import again.',
        },
      );
    }
    throw new RulewrightError(`${scopeLabel(scope)}: its files would not say what is live: ${why}.`, {
      code: 'import/not-exact',
      fault: 'bug',
      hint: 'Nothing was written for it. Please report this with the output of rulewright versions.',
    });
  }
}
