import type { GuardFinding, ScopePlan } from '../model/plan.ts';
import { escapeLines } from './escape.ts';
import type { Line } from './layout.ts';
import { BLANK, line, span } from './layout.ts';

/** What the guards found in a plan: first what stops apply, with the way to allow it, then warnings. */
export function findingLines(findings: readonly GuardFinding[]): readonly Line[] {
  const refusals = findings.filter((finding) => finding.effect === 'refuse');
  const warnings = findings.filter((finding) => finding.effect === 'warn');
  const kinds = [...new Set(refusals.map((finding) => finding.kind))];
  return [
    ...(refusals.length === 0
      ? []
      : [
          line(0, span('error', 'Refused'), ' by apply until allowed:'),
          ...refusals.flatMap((finding) => oneFinding(finding)),
          line(
            2,
            `to allow it for one run: rulewright apply ${kinds.map((kind) => `--allow ${kind}`).join(' ')}`,
          ),
          BLANK,
        ]),
    ...(warnings.length === 0
      ? []
      : [
          line(0, span('warning', 'Take care'), ':'),
          ...warnings.flatMap((finding) => oneFinding(finding)),
          BLANK,
        ]),
  ];
}

/** All findings of all scopes, in the order of the plan. */
export function findingsOf(scopes: readonly ScopePlan[]): readonly GuardFinding[] {
  return scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.findings : []));
}

function oneFinding({ kind, effect, step, rule, message }: GuardFinding): readonly Line[] {
  const place = [step, rule].filter((part) => part !== undefined).join(' ');
  const [first = '', ...rest] = escapeLines(message);
  return [
    line(2, span(effect === 'refuse' ? 'error' : 'warning', `! ${kind}`), place === '' ? '' : `  ${place}`),
    ...[first, ...rest].map((text) => line(6, text)),
  ];
}
