import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { spanAt } from '../source-text.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';
import { isShared, locateValue, scalarAt } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { ExpressionChecker, ExpressionFinding, ExpressionRole } from './expression-checker.ts';
import { foldFindings } from './fold-findings.ts';
import { expressionsIn } from './rule-expressions.ts';

/** Checks every expression of a rule; a finding points at the very characters in the file. */
export function checkExpressions(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  check: ExpressionChecker,
): readonly Diagnostic[] {
  const { document, address, scope } = ruleset;
  return expressionsIn(rule.value)
    .filter(({ text, role }) => text !== '' || !MAY_BE_EMPTY.has(role))
    .flatMap(({ path, text, role }) =>
      foldFindings(check(text, { role, phase: address.phase, level: scope.kind })).map((found) =>
        placed(document, [...rule.path, ...path], found),
      ),
    );
}

/** An empty counting expression means the rule's own (api.md 3.4); an empty characteristic is the schema's. */
const MAY_BE_EMPTY: ReadonlySet<ExpressionRole> = new Set(['counting', 'characteristic']);

function placed(document: YamlDocument, path: ValuePath, found: ExpressionFinding): Diagnostic {
  const { code, severity, message, hint, start, end, fix } = found;
  const scalar = scalarAt(document, path);
  const offsets = scalar === undefined ? undefined : scalarOffsets(document.source.text, scalar);
  const where =
    offsets === undefined
      ? locateValue(document, path)
      : spanAt(document.source, offsets.start(start), offsets.end(start, end));
  const fixable = fix !== undefined && offsets !== undefined && !isShared(document, scalar);
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    where,
    ...(fixable ? { fixable } : {}),
  };
}
