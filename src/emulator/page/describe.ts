import { BASE_PATH } from '../call/route.ts';
import { routes } from '../interface/routes.ts';
import { ruleLimits } from '../rulesets/quota.ts';
import type { Service } from '../call/service.ts';
import { switchValues } from '../environment/switches.ts';
import { controlEndpoints } from './control-endpoints.ts';
import type { ControlEndpoint } from './control-endpoints.ts';

/** A family of operations, named after what their paths address. */
interface Family {
  readonly name: string;
  readonly operations: readonly { readonly method: string; readonly path: string }[];
}

/** The description that an emulator gives of itself. */
export interface Description {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** The first token of the store; in the state built from a seed, it has all permissions. */
  readonly token: string;
  readonly now: string;
  readonly accounts: readonly { readonly name: string; readonly id: string; readonly plan: string }[];
  readonly zones: readonly {
    readonly name: string;
    readonly id: string;
    readonly plan: string;
    readonly account: string;
    /** The number of the zone's entry points and custom rulesets. */
    readonly rulesets: number;
  }[];
  readonly limits: {
    readonly requests: { readonly requests: number; readonly seconds: number } | 'unlimited';
    readonly maxBodyBytes: number;
    readonly rulesByPlan: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
  readonly switches: Readonly<Record<string, { readonly value: string; readonly values: readonly string[] }>>;
  readonly faults: readonly { readonly name: string; readonly kind: string; readonly struck: number }[];
  readonly families: readonly Family[];
  readonly control: readonly ControlEndpoint[];
}

/** Describes a running service in its current state. */
export function describeService(service: Service, origin: string): Description {
  const { store, budget, budgetLimit } = service;
  const values: Readonly<Record<string, readonly string[]>> = switchValues;
  return {
    baseUrl: origin + BASE_PATH,
    controlUrl: `${origin}/_emulator`,
    token: store.tokens.all()[0]?.value ?? '',
    now: new Date(service.clock.now()).toISOString(),
    accounts: store.accounts.all().map(({ name, id, plan }) => ({ name, id, plan })),
    zones: store.zones.all().map(({ name, id, plan, account }) => ({
      name,
      id,
      plan,
      account: store.accounts.get(account)?.name ?? account,
      rulesets: store.rulesets.group(`zones/${id}`).length,
    })),
    limits: {
      requests: budget === undefined ? 'unlimited' : budgetLimit,
      maxBodyBytes: service.maxBodyBytes,
      rulesByPlan: ruleLimits,
    },
    switches: Object.fromEntries(
      Object.entries(service.switches).map(([name, value]) => [name, { value, values: values[name] ?? [] }]),
    ),
    faults: service.faults
      .all()
      .map(({ fault, struck }) => ({ name: fault.name, kind: fault.effect.kind, struck })),
    families: families(),
    control: controlEndpoints,
  };
}

/** Groups the operations by what their paths name after the zone or account. */
function families(): readonly Family[] {
  const byName = new Map<string, Family['operations']>();
  for (const { method, path } of routes) {
    const shown = path.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/gu, '');
    const name = familyOf(shown);
    byName.set(name, [...(byName.get(name) ?? []), { method, path: shown }]);
  }
  return [...byName].map(([name, operations]) => ({ name, operations }));
}

function familyOf(path: string): string {
  const inside = /^\/(?:zones\/:zone|accounts\/:account)\/(.*)$/u.exec(path)?.[1];
  if (inside === undefined) {
    return path.split('/')[1] ?? path;
  }
  const [first = '', second = '', third = ''] = inside.split('/');
  if (first === 'firewall' && second === 'waf') {
    return `firewall/waf/${third}`;
  }
  return first === 'firewall' || first === 'rules' ? `${first}/${second}` : first;
}
