import { parseExpression } from '../../../expression/index.ts';
import { isAlwaysTrue } from '../../../expression/implies.ts';
import { actsOnEveryMatch } from '../../../model/acts-on-match.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { objectOf, textOf } from '../../../model/json.ts';
import { skipsRest } from '../../../model/skips-rest.ts';
import { formatPlace } from '../../../model/source.ts';
import { finding } from '../../finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateKey, locateValue } from '../../yaml/yaml-document.ts';
import { repeatsOf } from '../../../model/repeats.ts';

/** What can be wrong with the order of a ruleset's rules (api.md 4.3, 4.4). */
export function lintOrder(ruleset: DeclaredRuleset): readonly Diagnostic[] {
  const enabled = ruleset.rules.filter(({ value }) => value['enabled'] !== false);
  return [...unreachable(ruleset, enabled), ...repeatedExecutes(ruleset, enabled)];
}

/** Rules that no request reaches, because an earlier one ends the evaluation for all that they match. */
function unreachable(ruleset: DeclaredRuleset, rules: readonly DeclaredRule[]): readonly Diagnostic[] {
  const ends = new Map<string, DeclaredRule>();
  const findings: Diagnostic[] = [];
  for (const [index, rule] of rules.entries()) {
    const { expression } = rule.value;
    const text = typeof expression === 'string' ? expression.trim() : undefined;
    const same = text === undefined ? undefined : ends.get(text);
    if (same !== undefined) {
      findings.push(neverReached(ruleset, rule, { end: same, what: 'every request that this rule matches' }));
    }
    if (text === undefined || !endsEvaluation(rule)) {
      continue;
    }
    ends.set(text, same ?? rule);
    const next = rules[index + 1];
    if (next !== undefined && meetsAll(text)) {
      const more = rules.length - index - 2;
      const what = `every request${more === 0 ? '' : `, so ${more} more after this one are not reached either`}`;
      return [...findings, neverReached(ruleset, next, { end: rule, what })];
    }
  }
  return findings;
}

function neverReached(
  { document }: DeclaredRuleset,
  rule: DeclaredRule,
  { end, what }: { readonly end: DeclaredRule; readonly what: string },
): Diagnostic {
  const name = textOf(end.value['action']);
  const done = name === 'skip' ? 'skips the rest for' : `applies \`${name}\` to`;
  return finding('lint/unreachable-rule', {
    message: `no request reaches this rule: an earlier one ${done} ${what}`,
    hint: `the earlier rule is at ${formatPlace(locateKey(document, end.path))}; move this rule before it, or remove one of them`,
    where: locateKey(document, rule.path),
  });
}

/** Challenges let those pass who have solved one. */
const ENDING: ReadonlySet<unknown> = new Set(['block', 'redirect', 'serve_error']);

function endsEvaluation({ value }: DeclaredRule): boolean {
  return (ENDING.has(value['action']) || skipsRest(value)) && actsOnEveryMatch(value);
}

/** Whether provably every request satisfies an expression; only those with a constant are worth the proof. */
function meetsAll(expression: string): boolean {
  if (!/true|false/u.test(expression)) {
    return false;
  }
  const parsed = parseExpression(expression);
  return parsed.ok && isAlwaysTrue(parsed.tree);
}

/** The entry point of a zone may execute each managed ruleset once (api.md 4.4). */
function repeatedExecutes(
  { document, address, scope }: DeclaredRuleset,
  rules: readonly DeclaredRule[],
): readonly Diagnostic[] {
  // Overrides of DDoS protection are several rules, each for an expression (api.md 5.3).
  if (address.kind !== 'entrypoint' || scope.kind !== 'zone' || address.phase === 'ddos_l7') {
    return [];
  }
  return repeatsOf(rules, executedManaged).repeats.map(({ item, first }) =>
    finding('lint/repeated-execute', {
      message: `another rule of this zone's entry point already executes ${executedManaged(item) ?? ''}`,
      hint: `the entry point of a zone may execute each managed ruleset once; the other one is at ${formatPlace(locateKey(document, first.path))}`,
      where: locateValue(document, [...item.path, 'action_parameters', 'id']),
    }),
  );
}

/** What a rule executes that is no custom ruleset. */
function executedManaged({ value }: DeclaredRule): string | undefined {
  const { action, action_parameters: parameters } = value;
  const id = objectOf(parameters)['id'];
  return action === 'execute' && typeof id === 'string' && !id.startsWith('custom:') ? id : undefined;
}
