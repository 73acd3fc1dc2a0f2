import type { AddRule, DeleteRule, MoveRule, PatchRule, RuleChange } from '../../src/model/change.ts';
import type { Plan, PlannedScope, ScopePlan, Step, UpdateStep } from '../../src/model/plan.ts';
import type { RuleContent } from '../../src/model/rule.ts';
import type { FileCause } from '../../src/model/source.ts';
import type { Safety } from '../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../src/model/guard.ts';
import { guardScope } from '../../src/plan/guard/guard-scope.ts';
import { compareContent } from '../../src/plan/compare/compare-rules.ts';
import { makePlan } from '../../src/plan/document/make-plan.ts';

/** A line of the shop's zone file. */
export function cause(line: number, more: Partial<FileCause> = {}): FileCause {
  return { file: 'zones/shop.yaml', line, column: 9, ...more };
}

export function content(more: Partial<RuleContent> = {}): RuleContent {
  return { action: 'block', expression: 'ip.src eq 192.0.2.1', description: '', enabled: true, ...more };
}

export function add(ref: string, more: Partial<AddRule> = {}): AddRule {
  return {
    kind: 'add',
    protection: { kind: 'neutral' },
    ref,
    content: content(),
    place: { index: 1, after: null },
    cause: cause(10),
    ...more,
  };
}

/** A patch whose field changes are computed as a plan does. */
export function patch(
  ref: string,
  { before, after }: { before: Partial<RuleContent>; after: Partial<RuleContent> },
  more: Partial<PatchRule> = {},
): PatchRule {
  const comparison = compareContent(content(before), content(after));
  return {
    kind: 'patch',
    protection: { kind: 'neutral' },
    id: 'a'.repeat(32),
    ref,
    before: content(before),
    content: content(after),
    fields: comparison.kind === 'equal' ? [] : comparison.fields,
    place: { index: 1, after: null },
    cause: cause(20),
    ...more,
  };
}

export function move(ref: string, more: Partial<MoveRule> = {}): MoveRule {
  return {
    kind: 'move',
    protection: { kind: 'neutral' },
    id: 'b'.repeat(32),
    ref,
    description: '',
    move: { from: { index: 3, after: 'two' }, to: { index: 1, after: null } },
    cause: cause(30),
    ...more,
  };
}

export function remove(ref: string, more: Partial<DeleteRule> = {}): DeleteRule {
  return {
    kind: 'delete',
    protection: { kind: 'neutral' },
    id: 'c'.repeat(32),
    ref,
    before: content(),
    place: { index: 4, after: 'three' },
    ...more,
  };
}

/** Marks a change of a rule that applies an action to every request live, but not in the files. */
export function endsLive(action = 'block'): Pick<RuleChange, 'ends'> {
  return { ends: { back: `applies ${action} to every request` } };
}

export function update(changes: readonly RuleChange[], more: Partial<UpdateStep> = {}): UpdateStep {
  return {
    id: 'zone:shop.example/http_request_firewall_custom',
    operation: 'update',
    target: { kind: 'ruleset', level: 'zone', phase: 'http_request_firewall_custom', name: 'default' },
    base: { kind: 'version', id: 'd'.repeat(32), version: '7', lastUpdated: '2026-11-20T10:00:00Z' },
    changes,
    staying: [],
    after: [],
    cause: cause(8),
    ...more,
  };
}

export function scope(steps: readonly Step[], more: Partial<PlannedScope> = {}): PlannedScope {
  return {
    kind: 'planned',
    scope: {
      kind: 'zone',
      id: 'e'.repeat(32),
      name: 'shop.example',
      accountId: 'f'.repeat(32),
    },
    bases: steps.map(({ target, base }) => ({ target, base })),
    steps,
    findings: [],
    notes: [],
    ...more,
  };
}

/** The scope with the findings of the guards. */
export function guarded(one: PlannedScope, safety: Safety = DEFAULT_SAFETY): PlannedScope {
  return guardScope(one, safety, '2026-11-20');
}

/** The scope with the findings of the guards about weakened protection, and no others. */
export function judged(one: PlannedScope): PlannedScope {
  const found = guarded(one).findings.filter(({ kind }) => kind === 'weakened');
  return { ...one, findings: [...one.findings, ...found] };
}

export function plan(...scopes: readonly ScopePlan[]): Plan {
  return makePlan('https://api.example.test/client/v4', scopes);
}
