import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateStretch } from '../yaml/locate-stretch.ts';
import { isShared, pathKey, scalarAt, settle } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { ExpressionChecker, ExpressionFinding, ExpressionRole } from './expression-checker.ts';
import { commentHint } from './comment-hint.ts';
import { foldFindings } from './fold-findings.ts';
import { expressionsIn } from './rule-expressions.ts';
import { valueHint } from './value-hint.ts';

/** Checks every expression of a rule; a finding points at the very characters in the file. */
export function checkExpressions(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  check: ExpressionChecker,
): readonly Diagnostic[] {
  const { document, address, scope } = ruleset;
  return expressionsIn(rule.value).flatMap(({ path, text, role }) => {
    const at = [...rule.path, ...path];
    if ((text === '' && MAY_BE_EMPTY.has(role)) || document.filled?.get(pathKey(at)) === 'broken') {
      return [];
    }
    return foldFindings(check(text, { role, phase: address.phase, level: scope.kind }))
      .filter(({ code }) => !OF_WRITTEN_TEXT.has(code) || !isFilled(document, at))
      .map((found) => placed(document, at, { text, found }));
  });
}

/** An empty counting expression means the rule's own (api.md 3.4); an empty characteristic is the schema's. */
const MAY_BE_EMPTY: ReadonlySet<ExpressionRole> = new Set(['counting', 'characteristic']);

/** What is said of a person's writing; that a list has one item is no fault of the text that names it. */
const OF_WRITTEN_TEXT: ReadonlySet<string> = new Set(['expression/single-item-set']);

function isFilled({ filled }: YamlDocument, path: ValuePath): boolean {
  return filled?.has(pathKey(path)) === true;
}

function placed(
  document: YamlDocument,
  path: ValuePath,
  { text, found }: { readonly text: string; readonly found: ExpressionFinding },
): Diagnostic {
  const { code, severity, message, fix } = found;
  const { where, exact } = locateStretch(document, path, found);
  const { document: own } = settle(document, path);
  const advice = commentHint(document, path, found) ?? found.hint;
  const value = valueHint(document, path, text, found);
  const hint = advice === undefined || value === undefined ? (advice ?? value) : `${advice} (${value})`;
  const fixable =
    fix !== undefined && exact && !isFilled(document, path) && !isShared(own, scalarAt(document, path));
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    where,
    ...(fixable ? { fixable } : {}),
  };
}
