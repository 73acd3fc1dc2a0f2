import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { DesiredRule, RuleContent } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { planMismatches } from '../../../src/plan/difference/plan-mismatches.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { hideReplaced } from '../../../src/plan/redaction/redact-replaced.ts';
import { hideSecrets } from '../../../src/plan/redaction/redact-secrets.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { driftAnnotations, planAnnotations } from '../../../src/report/plan-annotations.ts';
import {
  driftPage,
  planPage,
  driftMarkdown,
  planMarkdown,
  driftPieces,
  planText,
} from '../../report/printed.ts';
import { driftJson } from '../../../src/report/json-documents.ts';
import { propertyRuns } from '../../property-runs.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const REFERENCE = '<sensitive:SECRET>';

/** Rule contents with a value in them, for each phase whose rules can have one. */
const SAYINGS: readonly (readonly [phase: string, ...((value: string) => Partial<RuleContent>)[]])[] = [
  [
    'http_request_dynamic_redirect',
    (value) => redirect({ value: `https://${value}.example.org/a` }),
    (value) => redirect({ value: `https://${value}` }),
    (value) => redirect({ expression: `concat("https://${value}.example.org", http.request.uri.path)` }),
    (value) => ({ ...redirect({ value: '/' }), expression: 'true', description: `All of ${value}` }),
    (value) => ({ ...redirect({ value: '/' }), expression: `http.host eq "${value}.example"` }),
  ],
  [
    'http_request_redirect',
    (value) => ({
      action: 'redirect',
      expression: `http.request.full_uri in $${value}`,
      action_parameters: { from_list: { name: value, key: 'http.request.full_uri' } },
    }),
  ],
  [
    'http_request_late_transform',
    (value) => header('set', { value: `Bearer ${value}` }),
    (value) => header('add', { expression: `concat("${value}", http.host)` }),
    (value) => ({ ...header('remove', {}), description: `Takes ${value} away` }),
  ],
  ['http_response_headers_transform', (value) => header('set', { value: `script-src ${value}` })],
  [
    'http_request_origin',
    (value) => ({
      action: 'route',
      action_parameters: {
        host_header: `${value}.example`,
        origin: { host: value, port: 8443 },
        sni: { value },
      },
    }),
  ],
  [
    'http_request_cache_settings',
    (value) => ({
      action: 'set_cache_settings',
      action_parameters: {
        cache: true,
        cache_key: { custom_key: { header: { include: [value] }, query_string: { include: [value] } } },
      },
    }),
  ],
  [
    'http_request_firewall_custom',
    (value) => ({ action: 'block', expression: 'true', description: `Locks ${value}` }),
    (value) => ({ action: 'block', expression: `http.cookie contains "${value}"` }),
    (value) => ({ action: 'skip', description: value, action_parameters: { ruleset: 'current' } }),
    (value) => ({ action: 'block', expression: `ip.src in $${value}`, description: `Not ${value}` }),
  ],
  [
    'http_request_firewall_managed',
    (value) => ({
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: id(7),
        overrides: { categories: [{ category: value, action: 'log' }] },
      },
    }),
  ],
];

function redirect(
  target: { readonly value: string } | { readonly expression: string },
): Partial<RuleContent> {
  return { action: 'redirect', action_parameters: { from_value: { target_url: target, status_code: 302 } } };
}

function header(operation: string, said: Readonly<Record<string, string>>): Partial<RuleContent> {
  return {
    action: 'rewrite',
    action_parameters: { headers: { 'X-Auth-Token': { operation, ...said } } },
  };
}

type Saying = (value: string) => RuleContent;

/** What happens to a live rule that has the former value. */
const FATES = ['rotated', 'rewritten', 'renamed', 'undeclared', 'deleted', 'foreign'] as const;

interface Case {
  readonly live: LiveRuleset;
  readonly desired: DesiredRuleset;
  /** What the base of the change declared; empty if there is no base. */
  readonly former: readonly DesiredRuleset[];
}

/** Part of each value and of nothing else; a plan may not tell even a part of a value. */
const CORE = 'vaultkeeper';

const values = fc.constantFrom(`${CORE}_4711`, `X${CORE}`, `${CORE}.internal/hook`, `${CORE} and more`);

interface Drawn {
  readonly phase: string;
  readonly value: string;
  readonly rules: readonly {
    readonly say: Saying;
    readonly other: Saying;
    readonly fate: (typeof FATES)[number];
  }[];
  readonly hasBase: boolean;
  readonly place: 'first' | 'last' | 'any';
}

const drawn: fc.Arbitrary<Drawn> = fc.constantFrom(...SAYINGS).chain(([phase, ...sayings]) => {
  const saying = fc
    .tuple(fc.constantFrom(...sayings), fc.boolean(), fc.boolean())
    .map(([say, isTold, isLong]): Saying => (value) => {
      const rule = content(say(value));
      const told = `${isLong ? 'A rule that is described at length, '.repeat(4) : ''}Has ${value} in it`;
      return isTold && rule.description === '' ? { ...rule, description: told } : rule;
    });
  const rule = fc.record({ say: saying, other: saying, fate: fc.constantFrom(...FATES) });
  return fc.record({
    phase: fc.constant(phase),
    value: values,
    rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
    hasBase: fc.boolean(),
    place: fc.constantFrom('first', 'last', 'any', 'any'),
  });
});

/** Whether anything says that the value was sensitive; otherwise nobody can know. */
function isKnown({ rules, hasBase }: Drawn): boolean {
  return rules.some(({ fate }) => fate === 'rotated' || (hasBase && fate !== 'foreign'));
}

/** Rules of one phase with the former value, between plain rules that change places. */
function caseOf({ phase, value, rules, hasBase, place }: Drawn): Case {
  const address = { kind: 'entrypoint', phase } as const;
  const refOf = (index: number): string =>
    rules[index]?.fate === 'foreign' || index % 2 === 1 ? id(index + 1) : `rule-${index}`;
  const declared = (ref: string, said: RuleContent): DesiredRule => ({
    ref,
    adopt: false,
    cause: CAUSE,
    content: said,
  });
  const plain = ['rule-plain', 'rule-other'].map((ref, index) => ({
    id: id(0xaa + index),
    ref,
    content: content({ expression: `http.host eq "${ref}.example"` }),
  }));
  const wanted = rules.flatMap(({ say, other, fate }, index): readonly DesiredRule[] => {
    switch (fate) {
      case 'rotated':
        return [declared(refOf(index), say(REFERENCE))];
      case 'rewritten':
        return [declared(refOf(index), other(REFERENCE))];
      case 'renamed':
        return [declared(`rule-new-${index}`, say(REFERENCE))];
      case 'undeclared':
        return [declared(refOf(index), say('public'))];
      case 'deleted':
      case 'foreign':
        return [];
      default:
        return fate satisfies never;
    }
  });
  const ours = rules.flatMap(({ fate }, index) => (fate === 'foreign' ? [] : [refOf(index)]));
  return {
    live: liveRuleset(
      [
        ...plain.slice(0, 1),
        ...rules.map(({ say }, index) => ({ id: id(index + 1), ref: refOf(index), content: say(value) })),
        ...plain.slice(1),
      ],
      { phase, description: `For ${value}` },
    ),
    desired: desiredRuleset(
      [...wanted, ...plain.toReversed().map(({ ref, content: said }) => declared(ref, said))],
      {
        address,
        place,
        description: `For ${REFERENCE}`,
        ownership: { kind: 'patterns', patterns: ['rule-*', ...ours] },
      },
    ),
    former: hasBase
      ? [
          desiredRuleset(
            rules.flatMap(({ say, fate }, index) =>
              fate === 'foreign' ? [] : [declared(refOf(index), say(REFERENCE))],
            ),
            { address },
          ),
        ]
      : [],
  };
}

/** All renderings of a plan and of its drift. */
function renderings(scope: PlannedScope): readonly string[] {
  const plan = makePlan('https://api.example/', [scope]);
  const drift = { plan, changes: driftChanges(plan), ends: [] };
  const look = { width: 200, colour: false, detail: 'each' } as const;
  return [
    JSON.stringify(plan),
    JSON.stringify(driftJson(drift)),
    planText(plan, look),
    [...driftPieces(drift, look)].join(''),
    planMarkdown(plan, null),
    driftMarkdown(drift, null),
    [...planPage(plan)].join(''),
    [...driftPage(drift)].join(''),
    planAnnotations(plan, '.'),
    driftAnnotations(drift, '.'),
  ];
}

/** The plan of a case as it was made and as it is shown. */
function planOf(one: Drawn): {
  readonly made: PlannedScope;
  readonly shown: PlannedScope;
  readonly live: LiveRuleset;
} {
  const { live, desired, former } = caseOf(one);
  const made = planOne(desired, live);
  const shown = guardScope(hideSecrets(hideReplaced(made, former)), DEFAULT_SAFETY, '2026-01-01');
  return { made, shown, live };
}

function isTold(value: unknown): boolean {
  return JSON.stringify(value).toLowerCase().includes(CORE);
}

describe('the text that a sensitive value replaces', () => {
  test('appears nowhere in a plan, whatever had it, and the plan still matches live', () => {
    const told = { reason: 0, place: 0 };
    fc.assert(
      fc.property(drawn.filter(isKnown), (one) => {
        const { made, shown, live } = planOf(one);
        const changes = made.steps.flatMap((step) => step.changes);
        told.reason += isTold(changes.map(({ protection }) => protection)) ? 1 : 0;
        told.place += isTold(changes.map(placesOf)) ? 1 : 0;
        expect(isTold(shown)).toBe(false);
        expect(isTold(driftChanges({ scopes: [shown] }))).toBe(false);
        expect(shown.steps.flatMap((step) => planMismatches(step, live, { scope: shown.scope }))).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
    // Verdicts and places tell the value too: it is not enough to hide what rules say.
    expect(told.reason).toBeGreaterThan(propertyRuns() / 10);
    expect(told.place).toBeGreaterThan(propertyRuns() / 20);
  });

  test('appears in no rendering of a plan', () => {
    fc.assert(
      fc.property(drawn.filter(isKnown), (one) => {
        for (const text of renderings(planOf(one).shown)) {
          expect(isTold(text)).toBe(false);
        }
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });
});

function placesOf(change: RuleChange): unknown {
  return [change.kind === 'move' ? change.move : change.place, change.kind === 'patch' ? change.move : null];
}
