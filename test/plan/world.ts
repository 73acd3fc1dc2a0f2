import type { PlannedScope, ScopePlan, Step } from '../../src/model/plan.ts';
import type { DesiredRuleset, LiveRuleset, RulesetAddress } from '../../src/model/ruleset.ts';
import type { Scope } from '../../src/model/scope.ts';
import type { LiveScope } from '../../src/model/state.ts';
import { addressKey } from '../../src/model/ruleset.ts';
import { mapReferences, referredRef } from '../../src/model/references.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import type { JsonObject } from '../../src/data/json.ts';
import { slug } from '../../src/text/wording.ts';
import type { Write, WriteStrategy } from '../../src/plan/requests/writes.ts';
import { writesOf } from '../../src/plan/requests/writes.ts';
import { CAUSE, id } from './build.ts';
import { serve } from './pure-service.ts';

/** The rulesets of a scope by address, as a service without HTTP holds them. */
export type World = ReadonlyMap<string, LiveRuleset>;

export const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;

/** The live scope that reading the world returns. */
export function read(world: World, addresses: readonly RulesetAddress[]): LiveScope {
  return {
    scope: SCOPE,
    entries: addresses.map((address) => {
      const ruleset = world.get(addressKey(address));
      return { address, slot: ruleset === undefined ? { kind: 'absent' } : { kind: 'present', ruleset } };
    }),
    catalogue: [...world.values()].map(({ rules: _rules, ...head }) => head),
  };
}

/** Carries a plan out on the world; as in apply, the names of rulesets that it creates become ids. */
export function carryOut(world: World, plan: PlannedScope, strategy: WriteStrategy): World {
  const next = new Map(world);
  for (const step of plan.steps) {
    const key = addressKey(addressOf(step));
    let state: LiveRuleset | null = next.get(key) ?? null;
    for (const write of writesOf(step, strategy)) {
      state = serve(state, named(write, next));
    }
    if (state === null) {
      next.delete(key);
    } else {
      const { level: kind, phase, name } = step.target;
      next.set(key, { ...state, kind, phase, name });
    }
  }
  return next;
}

function addressOf({ target: { level, phase, name } }: Step): RulesetAddress {
  return level === 'custom' ? { kind: 'custom', phase, name } : { kind: 'entrypoint', phase };
}

function named(write: Write, world: World): Write {
  const rulesets = [...world.values()];
  const resolve = (reference: string): string =>
    rulesets.find((one) => one.kind === 'custom' && `custom:${slug(one.name)}` === reference)?.id ??
    reference;
  const idOf = (reference: string, ruleset: string): string | undefined =>
    rulesets.find((one) => one.id === ruleset)?.rules.find(({ ref }) => ref === referredRef(reference))?.id;
  const name = (rule: JsonObject): JsonObject =>
    mapReferences(rule, {
      ruleset: resolve,
      rule: (reference, _, ruleset) => idOf(reference, ruleset) ?? reference,
    });
  switch (write.kind) {
    case 'create-ruleset':
      return { ...write, rules: write.rules.map(name) };
    case 'put-ruleset':
      return { ...write, rules: write.rules?.map(name) ?? null };
    case 'add-rule':
      return { ...write, rule: name(write.rule) };
    case 'patch-rule':
      return { ...write, rule: write.rule === null ? null : name(write.rule) };
    default:
      return write;
  }
}

/** The plan of a scope; throws if planning failed. */
export function planned(plan: ScopePlan): PlannedScope {
  if (plan.kind === 'failed') {
    throw new Error(plan.error.message);
  }
  return plan;
}

/** The plan of a scope for which files and service have one ruleset; `live` is null if the service does not have it yet. */
export function planOne(
  desired: DesiredRuleset,
  live: LiveRuleset | null,
  scope: Scope = SCOPE,
): PlannedScope {
  return planned(
    planScope(
      {
        scope: { kind: scope.kind, name: scope.name },
        rulesetOwnership: 'declared',
        rulesets: [desired],
        cause: CAUSE,
      },
      {
        scope,
        entries: [
          {
            address: desired.address,
            slot: live === null ? { kind: 'absent' } : { kind: 'present', ruleset: live },
          },
        ],
        catalogue: [],
      },
    ),
  );
}
