import { describedName } from '../../model/described-name.ts';
import type { Drift } from '../../model/drift.ts';
import type { Plan, PlanNote } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { isAllowable } from '../../model/guard.ts';
import { NEVER, untilReviewed } from '../allowing.ts';
import type { Alike } from '../alike-scopes.ts';
import { groupFindings } from '../alike-scopes.ts';
import type { DriftFinding, DriftFindings } from '../drift-findings.ts';
import { MOST_DRIFT_SHOWN, driftFindings } from '../drift-findings.ts';
import { findingsOf } from '../lines/finding.ts';
import { noteRule, warningNotes } from '../notes.ts';
import type { Scoped } from '../own-ids.ts';

/** What a guard found, a note warns of, or drift shows. */
export type Care = Omit<GuardFinding, 'kind'> &
  Scoped & { readonly kind: GuardFinding['kind'] | PlanNote['kind'] };

/** What belongs together on top of the page, each thing once. */
export interface CareGroup {
  readonly title: string;
  readonly effect: GuardFinding['effect'];
  readonly cares: readonly Alike<Care>[];
  /** So many of them are shown. */
  readonly most: number;
}

/** So many findings of one group are shown in a plan. */
const MOST = 50;

/** Of an apply, whatever came of it. */
const STOPS = 'Stops apply unless allowed by --allow KIND, or the reviewed plan showed it';

/** What guards found and notes warn of: what stops apply whatever is allowed, what stops it until it is allowed, and what needs attention. */
export function planCares(plan: Plan, { applied }: { readonly applied: boolean }): readonly CareGroup[] {
  const findings = findingsOf(plan);
  const refusing = findings.filter(({ effect }) => effect === 'refuse');
  const never = refusing.filter(({ kind }) => !isAllowable(kind));
  const refuse = refusing.filter(({ kind }) => isAllowable(kind));
  const warn = findings.filter(({ effect }) => effect === 'warn');
  const group = (title: string, effect: CareGroup['effect'], cares: readonly Care[]): CareGroup => ({
    title,
    effect,
    cares: groupFindings(cares),
    most: MOST,
  });
  return [
    group(NEVER, 'refuse', never),
    group(applied ? STOPS : untilReviewed(), 'refuse', refuse),
    group('Attention', 'warn', [...warn, ...warningNotes(plan).map(asFinding)]),
  ];
}

/** What is found in drift. It has no guards, and its notes stand at their rulesets. */
export function driftCares(drift: Drift): readonly CareGroup[] {
  return driftFindings(drift).map(({ kind, title, found }) => ({
    title,
    effect: 'warn',
    cares: found.map((alike) => ({ ...alike, item: asCare(alike.item, kind) })),
    most: MOST_DRIFT_SHOWN,
  }));
}

function asCare(
  { step, rule, scope, own, description = '', message }: DriftFinding,
  kind: DriftFindings['kind'],
): Care {
  const text = `${step}: rule ${describedName(rule, description)} ${message}`;
  return { kind, effect: 'warn', step, rule, scope, own, reason: message, message: text };
}

function asFinding(note: PlanNote & Scoped): Care {
  const { kind, step, rule, description, scope, own, message: reason } = note;
  const message = rule === '' ? reason : `${noteRule(note)}: ${reason}`;
  return {
    kind,
    effect: 'warn',
    step,
    rule,
    ...(description === undefined ? {} : { description }),
    scope,
    own,
    reason,
    message,
  };
}

/** What is told once, of each of its scopes; what is told of many rules is about their ruleset. */
export function membersOf({ item, rules, scopes }: Alike<Care>): readonly Care[] {
  const care = rules.length === 0 ? item : { ...item, rule: '' };
  return scopes.length === 0 ? [care] : scopes.map((scope) => inScope(care, scope));
}

/** What is said of one scope, said of another one. */
export function inScope(care: Care, scope: string): Care {
  const { step, scope: own = '' } = care;
  return { ...care, scope, step: step && `${scope}${step.slice(own.length)}` };
}
