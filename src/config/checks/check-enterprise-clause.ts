import { parseExpression } from '../../expression/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { phaseFacts, directsRules } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateValue } from '../yaml/yaml-document.ts';

const CLAUSE = /^cf\.zone\.plan\s+(?:eq|==)\s+"ENT"$/u;
const CLOSING = /^(?<conditions>.*\S)\s*(?:\band\b|&&)\s*\(?\s*cf\.zone\.plan\s+(?:eq|==)\s+"ENT"\s*\)?$/su;

/**
 * Reports an account rule that executes or skips without ending with the clause that limits it to Enterprise zones, behind its other conditions
 * in parentheses; the service refuses such a rule (api.md 4.4).
 */
export function checkEnterpriseClause(
  { document, address, scope }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action, expression } = value;
  const wanted =
    scope.kind === 'account' &&
    address.kind === 'entrypoint' &&
    phaseFacts(address.phase)?.needsEnterpriseClause === true;
  if (!wanted || !directsRules(action) || typeof expression !== 'string' || isLimited(expression.trim())) {
    return [];
  }
  return [
    finding('config/enterprise-clause', {
      message: 'the service refuses an account rule that executes or skips in zones of every plan',
      hint: hintOf(expression.trim()),
      where: locateValue(document, [...path, 'expression']),
    }),
  ];
}

function isLimited(text: string): boolean {
  const conditions = CLOSING.exec(text)?.groups?.['conditions'];
  if (conditions === undefined) {
    return CLAUSE.test(withoutParentheses(text));
  }
  return conditions.endsWith(')') && !isAlternative(text);
}

/** Whether the clause holds only for the last alternative, since `and` binds tighter than `or`. */
function isAlternative(text: string): boolean {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' && /^x?or$/u.test(parsed.tree.root.kind);
}

function hintOf(text: string): string {
  const conditions = CLOSING.exec(text)?.groups?.['conditions'] ?? text;
  return conditions === 'true'
    ? 'write cf.zone.plan eq "ENT"'
    : `write (${conditions.length > 60 ? '…' : conditions}) and cf.zone.plan eq "ENT"`;
}

function withoutParentheses(text: string): string {
  return /^\((?<inner>[^()]*)\)$/u.exec(text)?.groups?.['inner']?.trim() ?? text;
}
