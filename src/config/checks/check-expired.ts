import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ignored } from '../../model/ignored.ts';
import type { RulesetOutline } from '../../model/ruleset.ts';
import type { ScopeOf } from '../../model/state.ts';
import { finding } from '../source/finding.ts';

/** Warnings for entries of `ignore` whose last day has passed, each once. `today` is `YYYY-MM-DD`. */
export function checkExpired(
  scopes: readonly ScopeOf<Pick<RulesetOutline, 'ignore'>>[],
  today: string,
): readonly Diagnostic[] {
  const expired = new Map<string, Ignored>();
  for (const { rulesets } of scopes) {
    for (const entry of rulesets.flatMap(({ ignore = [] }) => ignore)) {
      if (entry.until < today) {
        const { file, line, column } = entry.cause;
        expired.set(`${file}:${line}:${column}`, entry);
      }
    }
  }
  return [...expired.values()].map(({ rule, field, until, cause }) => {
    const start = { line: cause.line, column: cause.column };
    return finding('config/expired-ignore', {
      message: `what is ignored of ${rule}${field === undefined ? '' : ` at ${field}`} counted until ${until}, and no longer counts`,
      hint: 'remove it, or give it a later last day',
      where: { file: cause.file, start, end: start },
    });
  });
}
