import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { spanAt } from '../source-text.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';
import { locateValue, scalarAt } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { levelOf } from './check-action.ts';
import type { ExpressionChecker, ExpressionFinding } from './expression-checker.ts';
import { expressionsIn } from './rule-expressions.ts';

/** Checks every expression of a rule; a finding points at the very characters in the file. */
export function checkExpressions(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  check: ExpressionChecker,
): readonly Diagnostic[] {
  const { document, address, scope } = ruleset;
  return expressionsIn(rule.value).flatMap(({ path, text, role }) => {
    const at = [...rule.path, ...path];
    if (text === '') {
      return []; // The schema has said it; "" as counting expression means the rule's own (api.md 3.4).
    }
    if (text.trim() === '') {
      return [blank(document, at)];
    }
    return check(text, { role, phase: address.phase, level: levelOf(ruleset), scope: scope.kind }).map(
      (found) => placed(document, at, found),
    );
  });
}

function blank(document: YamlDocument, path: ValuePath): Diagnostic {
  return finding('config/blank-expression', {
    message: 'the expression is blank',
    hint: 'write `true` for a rule that meets every request',
    where: locateValue(document, path),
  });
}

function placed(document: YamlDocument, path: ValuePath, found: ExpressionFinding): Diagnostic {
  const { code, severity, message, hint, start, end } = found;
  const scalar = scalarAt(document, path);
  const offsets = scalar === undefined ? undefined : scalarOffsets(document.source.text, scalar);
  const where =
    offsets === undefined
      ? locateValue(document, path)
      : spanAt(document.source, offsets.start(start), offsets.end(start, end));
  return { code, severity, message, ...(hint === undefined ? {} : { hint }), where };
}
