import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepSecrets } from '../../../src/plan/redaction/written-secrets.ts';
import { journalWrite } from '../../../src/apply/journal/journal-entry.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { PlanNote } from '../../../src/model/plan.ts';
import { liveDifference } from '../../../src/plan/difference/live-difference.ts';
import { hiddenNotes } from '../../../src/plan/redaction/map-plan.ts';
import { hideInOutcome } from '../../../src/plan/redaction/redact-outcome.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const REFERENCE = '<sensitive:SECRET>';

/** Part of each value and of nothing else. */
const CORE = 'vaultkeeper';

/** Rules that had values and have references now, rules that mentioned the value, rules that are gone, and plain ones. */
const drawn = fc.record({
  value: fc.constantFrom(`${CORE}_4711`, `X${CORE}`, `${CORE}.internal/hook`, `${CORE} and more`),
  fates: fc.array(fc.constantFrom('rotated', 'told', 'gone', 'plain'), { minLength: 1, maxLength: 5 }),
  described: fc.boolean(),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;

function said(fate: string, index: number, value: string) {
  const header = (text: string) => ({ headers: { 'X-Key': { operation: 'set', value: text } } });
  const name = `Rule ${index}`;
  return fate === 'rotated'
    ? content({ action: 'rewrite', description: name, action_parameters: header(`Bearer ${value}`) })
    : content({ description: fate === 'plain' ? name : `${name} is for ${value}` });
}

/** A plan from live back to what was before, as a run makes it to undo what it wrote. */
function wayBack({ value, fates, described }: Drawn) {
  const address = { kind: 'entrypoint', phase: 'http_request_late_transform' } as const;
  const rules = (text: string) =>
    fates.map((fate, index) => ({
      id: id(index + 1),
      ref: `rule-${index}`,
      content: said(fate, index, text),
    }));
  const { phase } = address;
  const live = liveRuleset(
    rules(REFERENCE).flatMap((rule, index) =>
      fates[index] === 'gone'
        ? []
        : [fates[index] === 'told' ? { ...rule, content: said('plain', index + 9, '') } : rule],
    ),
    { phase, description: described ? `For ${REFERENCE}` : '' },
  );
  const before = liveRuleset(rules(value), { phase, description: described ? `For ${value}` : '' });
  const desired = desiredRuleset(
    rules(value).map(({ ref, content: wanted }) => ({ ref, adopt: false, cause: CAUSE, content: wanted })),
    { address, description: before.description, ownership: { kind: 'all' } },
  );
  return { live, before, plan: planOne(desired, live) };
}

function isTold(what: unknown): boolean {
  return JSON.stringify(what).includes(CORE);
}

describe('a value that the way back restores', () => {
  test('is sent, but appears in no journal entry, outcome or note', () => {
    let elsewhere = 0;
    fc.assert(
      fc.property(
        drawn.filter(({ fates }) => fates.includes('rotated')),
        (one) => {
          const { live, before, plan } = wayBack(one);
          elsewhere += one.fates.some((fate) => fate === 'told' || fate === 'gone') ? 1 : 0;
          for (const step of plan.steps) {
            for (const strategy of ['auto', 'rules', 'ruleset'] as const) {
              const writes = writesOf(step, strategy);
              expect(isTold(writes)).toBe(true);
              expect(isTold(writes.map((write) => journalWrite(write, live, stepSecrets(step))))).toBe(false);
            }
            const outcome: Outcome = {
              kind: 'refused',
              step: step.id,
              code: 'apply/stale',
              message: `somebody wrote ${one.value}`,
              hint: '',
              writes: 0,
              difference: liveDifference(live, before),
            };
            expect(isTold(outcome)).toBe(true);
            expect(isTold(hideInOutcome(outcome, step))).toBe(false);
            const description = `Rule for ${one.value}`;
            const note: PlanNote = {
              kind: 'id-lost',
              step: step.id,
              rule: 'rule-0',
              description,
              message: description,
            };
            expect(isTold(hiddenNotes({ ...plan, notes: [note] }))).toBe(false);
          }
        },
      ),
      { numRuns: propertyRuns() },
    );
    expect(elsewhere).toBeGreaterThan(propertyRuns() / 4);
  });
});
