import type { DesiredScope, Diagnostic, PlanError, SourceSpan } from '../../model/index.ts';
import { causeText, formatPlace, isVersion } from '../../model/index.ts';

/** Collects the errors of scopes that are about a place in the files, so that they are shown with the text around it. */
export interface PlacedErrors {
  /** Adds the error of a scope that the service does not have. */
  scope(error: PlanError, scope: DesiredScope): void;
  /** Adds the errors about rulesets that rules name and nobody has. */
  references(error: PlanError, scope: DesiredScope): void;
  findings(): readonly Diagnostic[];
}

/** Creates the collection of one run. */
export function createPlacedErrors(): PlacedErrors {
  const found: Diagnostic[] = [];
  const add = ({ code, message, hint }: PlanError, lead: string, where: SourceSpan): void => {
    const line = message.split('\n').find((one) => one.startsWith(lead));
    if (line !== undefined) {
      found.push({ code, severity: 'error', message: line.slice(lead.length), hint, where });
    }
  };
  return {
    scope: (error, { cause }) => {
      if (error.code === 'api/unknown-scope' && !isVersion(cause)) {
        const { file, line, column } = cause;
        const start = { line, column };
        add(error, `${causeText(cause)}: `, { file, start, end: start });
      }
    },
    references: (error, { rulesets }) => {
      if (error.code === 'plan/unresolved-reference') {
        const uses = rulesets.flatMap(({ rules }) => rules.flatMap((rule) => rule.rulesets ?? []));
        for (const { where, reference } of uses) {
          add(error, `${formatPlace(where)}: ${reference}: `, where);
        }
      }
    },
    findings: () => found,
  };
}
