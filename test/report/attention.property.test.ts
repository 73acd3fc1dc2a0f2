import fc from 'fast-check';
import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import type { RuleChange } from '../../src/model/change.ts';
import type { Plan, PlannedScope, PlanNote, ScopePlan } from '../../src/model/plan.ts';
import type { AllowableKind, Safety } from '../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../src/model/guard.ts';
import { planAnnotations } from '../../src/report/plan-annotations.ts';
import { driftPage, planPage, driftPieces, planText, driftMarkdown, planMarkdown } from './printed.ts';
import { isWarning } from '../../src/report/notes.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { propertyRuns } from '../property-runs.ts';
import { add, guarded, move, patch, plan, remove, scope, update } from './plan-builder.ts';

const LOOK = { width: 10_000, colour: false };

/** A change of a rule. Each rule has a name of its own, so that a match is about this rule only. */
const change = fc.record({
  kind: fc.constantFrom('add', 'patch', 'move', 'delete'),
  weakens: fc.boolean(),
  ends: fc.boolean(),
  endsLive: fc.boolean(),
});

type Drawn = typeof change extends fc.Arbitrary<infer One> ? One : never;

function ruleChange({ kind, weakens, ends, endsLive }: Drawn, ref: string): RuleChange {
  const more = {
    protection: weakens
      ? ({ kind: 'weakening', reason: `opens ${ref}` } as const)
      : ({ kind: 'neutral' } as const),
    ends: {
      ...(ends ? { forth: `applies block to all of ${ref}` } : {}),
      ...(endsLive ? { back: `applies log to all of ${ref}` } : {}),
    },
  };
  switch (kind) {
    case 'add':
      return add(ref, more);
    case 'patch':
      return patch(ref, { before: {}, after: { enabled: false } }, more);
    case 'move':
      return move(ref, more);
    default:
      return remove(ref, more);
  }
}

const settings = fc
  .record({
    weakened: fc.constantFrom('warn', 'refuse'),
    everyRequest: fc.constantFrom('warn', 'refuse'),
    protect: fc.constantFrom<readonly string[]>([], ['*-0'], ['*']),
    allowed: fc.subarray<AllowableKind>(['weakened', 'every-request', 'protected', 'emptied']),
  })
  .map(({ allowed, ...some }): Safety => ({
    ...DEFAULT_SAFETY,
    ...some,
    allow: allowed.map((kind) => ({ kind, reason: 'agreed', until: '2099-12-31' })),
  }));

const zone = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  notes: fc.array(fc.constantFrom<PlanNote['kind']>('shadowed', 'left-out', 'respelled', 'id-lost'), {
    maxLength: 2,
  }),
  fails: fc.boolean(),
});

/** Plans of so few scopes and rules that nothing is grouped. */
const plans = fc
  .tuple(fc.array(zone, { minLength: 1, maxLength: 2 }), settings)
  .map(([zones, safety]) => plan(...zones.map((one, index) => scopePlan(one, index, safety))));

function scopePlan(
  { changes, notes, fails }: { changes: Drawn[]; notes: PlanNote['kind'][]; fails: boolean },
  number: number,
  safety: Safety,
): ScopePlan {
  const name = `z${number}.example`;
  if (fails) {
    const error = { code: 'api/forbidden', message: `no way into ${name}` } as const;
    return { kind: 'failed', scope: { kind: 'zone', name }, error };
  }
  const step = `zone:${name}/http_request_firewall_custom`;
  const steps =
    changes.length === 0
      ? []
      : [
          update(
            changes.map((one, index) => ruleChange(one, `z${number}-${index}`)),
            { id: step },
          ),
        ];
  return guarded(
    scope(steps, {
      scope: { kind: 'zone', id: `${number}`.repeat(32), name, accountId: 'f'.repeat(32) },
      notes: notes.map((kind, index) => ({
        kind,
        step,
        rule: `z${number}-note${index}`,
        message: `says ${kind}`,
      })),
    }),
    safety,
  );
}

const planned = ({ scopes }: Plan): readonly PlannedScope[] =>
  scopes.flatMap((one) => (one.kind === 'planned' ? [one] : []));

/** The findings and the warning notes of the plan itself, as `kind rule`. */
function expected(one: Plan): { readonly guards: readonly string[]; readonly notes: readonly string[] } {
  const guards = [...(one.findings ?? []), ...planned(one).flatMap(({ findings }) => findings)];
  const notes = planned(one)
    .flatMap((each) => each.notes)
    .filter(({ kind }) => isWarning(kind) && kind !== 'left-out');
  const name = ({ kind, rule = '' }: { readonly kind: string; readonly rule?: string }): string =>
    `${kind} ${rule}`.trim();
  return { guards: guards.map(name).sort(), notes: notes.map(name).sort() };
}

/** All matches of a pattern as `kind rule`, sorted. */
function named(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)]
    .map(({ groups: { kind = '', rule = '' } = {} }) => `${kind} ${rule}`.trim())
    .sort();
}

const runs = { numRuns: propertyRuns() };

it('shows the same findings and warning notes in every format of a plan', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const { guards, notes } = expected(one);
      const all = [...guards, ...notes].sort();
      expect(
        named(planText(one, LOOK), /^ {2}! (?<kind>[a-z]\S+) {2}(?:\S+: (?:rule )?(?<rule>z\d-\w+)\b)?/gmu),
        'text',
      ).toEqual(all);
      expect(
        named(
          planMarkdown(one, null),
          /^> - \*\*(?<kind>[a-z-]+)\*\*(?: `[^`]+`: (?:rule )?`(?<rule>[^`]+)`)?/gmu,
        ),
        'Markdown',
      ).toEqual(all);
      expect(
        named(
          joinPieces(planPage(one)),
          /<li id="f[^>]*>\s*(?:<a [^>]*>)?<span class="t-\w+">(?<kind>[^<]*)<\/span>(?:<\/a>)? {2}(?:<code>[^<]*<\/code>: (?:rule )?<b class="ref">(?<rule>z\d-\w+))?/gu,
        ),
        'page',
      ).toEqual(all);
      expect(
        named(
          planAnnotations(one, '').replaceAll('%3A', ':'),
          /^(?:::|\S+:\d+:\d+ {2})?(?:error|warning) (?:\S*title=)?(?<kind>[a-z-]+)(?:: (?<rule>z\d-\w+))?:/gmu,
        ).filter((name) => !/^(?:\d|zone)/u.test(name)),
        'annotations',
      ).toEqual(all);
    }),
    runs,
  );
});

it('counts findings alike at the head of every rendering, of a plan and of drift', () => {
  fc.assert(
    fc.property(plans, (one) => {
      const drift = driftOf(one);
      const driftText = joinPieces(driftPieces(drift, LOOK)).replace(/^Digest: .*\n.*\n/mu, '');
      for (const [text, markdown, page] of [
        [planText(one, LOOK), planMarkdown(one, null), joinPieces(planPage(one))],
        [driftText, driftMarkdown(drift, null), joinPieces(driftPage(drift))],
      ] as const) {
        const isCounts = /^\d+ (?:finding|rule|warning)s?\b.*\.$/u;
        const end = text.trimEnd().split('\n').at(-1) ?? '';
        const counts = isCounts.test(end) ? end : '';
        expect(/^⚠️ \*\*(.*)\*\*$/mu.exec(markdown)?.[1] ?? '', 'Markdown').toBe(counts);
        expect(/<p class="\w+"><span class="t-warning">([^<]*)</u.exec(page)?.[1] ?? '', 'page').toBe(counts);
      }
    }),
    runs,
  );
});

it('does not put into the warning box what the files allow', () => {
  const changes = [
    remove('old', { protection: { kind: 'weakening', reason: 'no longer blocks what it matches' } }),
  ];
  const told = (allow: Safety['allow']): string =>
    planMarkdown(plan(guarded(scope([update(changes)]), { ...DEFAULT_SAFETY, allow })), null);
  expect(told([])).toContain('rule `old` no longer blocks what it matches');
  expect(told([{ kind: 'weakened', rule: 'old', reason: 'agreed', until: '2099-12-31' }])).not.toContain(
    '[!WARNING]',
  );
});
