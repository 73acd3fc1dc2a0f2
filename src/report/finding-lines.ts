import type { GuardFinding, GuardKind, ScopePlan } from '../model/plan.ts';
import { escapeLines } from './escape.ts';
import type { Line } from './layout.ts';
import { BLANK, line, span } from './layout.ts';
import type { Style } from './theme.ts';

/** Kinds of findings that are allowed for this run. */
export type Allowed = readonly (GuardKind | 'all')[];

/**
 * What the guards found in a plan: first what stops apply, then what was allowed, then warnings. The
 * messages name the place and the way to allow it.
 */
export function findingLines(findings: readonly GuardFinding[], allowed: Allowed): readonly Line[] {
  const isAllowed = ({ kind }: GuardFinding): boolean => allowed.includes('all') || allowed.includes(kind);
  const refusing = findings.filter(({ effect }) => effect === 'refuse');
  return [
    ...section({
      title: 'Refused by apply until allowed',
      style: 'error',
      findings: refusing.filter((finding) => !isAllowed(finding)),
    }),
    ...section({ title: 'Allowed for this run', style: 'warning', findings: refusing.filter(isAllowed) }),
    ...section({
      title: 'Take care',
      style: 'warning',
      findings: findings.filter(({ effect }) => effect === 'warn'),
    }),
  ];
}

/** All findings of all scopes, in the order of the plan. */
export function findingsOf(scopes: readonly ScopePlan[]): readonly GuardFinding[] {
  return scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.findings : []));
}

function section(group: {
  readonly title: string;
  readonly style: Style;
  readonly findings: readonly GuardFinding[];
}): readonly Line[] {
  const { title, style, findings } = group;
  return findings.length === 0
    ? []
    : [
        line(0, span(style, title), ':'),
        ...findings.flatMap(({ kind, message }) => {
          const [first = '', ...rest] = escapeLines(message);
          return [
            { ...line(2, span(style, `! ${kind}`), `  ${first}`), hang: 4 },
            ...rest.map((text) => line(6, text)),
          ];
        }),
        BLANK,
      ];
}
