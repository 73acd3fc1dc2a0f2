import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { isId } from '../../model/scope.ts';
import { matchesStars } from '../../model/star-pattern.ts';
import type { ProjectFile } from '../project/project-file.ts';
import { didYouMean } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';
import { locateValue } from '../yaml/yaml-document.ts';

/** Looks for a rule that matches each entry of `safety.protect`. */
export interface ProtectCheck {
  readonly note: (ruleset: Pick<DesiredRuleset, 'rules'>) => void;
  /** Findings about the entries that no noted rule matches. */
  readonly findings: () => readonly Diagnostic[];
}

/** Most refs that are remembered to suggest a correction of a mistyped entry. */
const MOST_NAMES = 1000;

/**
 * Creates the check for entries that match no rule: a mistyped entry would guard nothing, unnoticed, while entries of `ownership`, `ignore` and
 * `allow` show their effect in a plan. An entry that is an id means a rule that only exists live, and is not checked.
 */
export function createProtectCheck({ settings, valid }: ProjectFile): ProtectCheck {
  const unmet = new Set(settings.safety.protect.filter((pattern) => !isId(pattern)));
  const names = new Set<string>();
  const note = (ref: string): void => {
    if (names.size < MOST_NAMES) {
      names.add(ref);
    }
    for (const pattern of unmet) {
      if (matchesStars(pattern, ref)) {
        unmet.delete(pattern);
      }
    }
  };
  return {
    note: ({ rules }) => {
      if (unmet.size > 0) {
        rules.forEach(({ ref }) => {
          if (ref !== undefined) {
            note(ref);
          }
        });
      }
    },
    findings: () =>
      valid === undefined
        ? []
        : settings.safety.protect.flatMap((pattern, index) =>
            unmet.has(pattern)
              ? [
                  finding('config/protect-unmatched', {
                    message: `no rule of the files has a \`ref\` that matches \`${pattern}\`, so this entry protects only live rules of that name`,
                    hint:
                      didYouMean(pattern, [...names]) ??
                      'if it is mistyped, correct it; if a rule has just left the files, keep it until the rule is gone live; if it is for rules to come, suppress this with a comment that says so',
                    where: locateValue(valid.document, ['safety', 'protect', index]),
                  }),
                ]
              : [],
          ),
  };
}
