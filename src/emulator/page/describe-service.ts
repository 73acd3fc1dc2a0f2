import { BASE_PATH } from '../call/route.ts';
import { routes } from '../interface/interface-routes.ts';
import { ruleLimits } from '../rulesets/write-ruleset.ts';
import type { EmulatedService } from '../call/service.ts';
import { switchValues } from '../environment/switches.ts';

/** One of the emulator's own endpoints, below `/_emulator`. */
interface ControlEndpoint {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly does: string;
}

/** All control endpoints; a test calls each. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  { method: 'GET', path: '/', does: 'This page; as JSON with Accept: application/json.' },
  { method: 'GET', path: '/requests', does: 'The requests answered so far, oldest first.' },
  { method: 'DELETE', path: '/requests', does: 'Forgets them.' },
  {
    method: 'POST',
    path: '/reset',
    does: 'Back to the start: seed, switches and faults; requests and budget emptied. The clock stays.',
  },
  { method: 'POST', path: '/snapshot', body: '{"name": "a"}', does: 'Saves the state under a name.' },
  { method: 'POST', path: '/restore', body: '{"name": "a"}', does: 'Restores a saved state.' },
  { method: 'GET', path: '/snapshots', does: 'The names of the saved states.' },
  { method: 'GET', path: '/clock', does: 'The service’s time.' },
  {
    method: 'PUT',
    path: '/clock',
    body: '{"advance_seconds": 60}',
    does: 'Advances the time, or sets it with {"now": "2026-06-01T00:00:00Z"}.',
  },
  { method: 'GET', path: '/switches', does: 'How the service behaves where its versions differ.' },
  { method: 'PUT', path: '/switches', body: '{"dryRun": "ignored"}', does: 'Changes switches.' },
  { method: 'GET', path: '/faults', does: 'The faults that are set, with counters.' },
  {
    method: 'POST',
    path: '/faults',
    body: '{"method": "PUT", "nth": 1, "effect": {"kind": "cut", "moment": "after"}}',
    does: 'Adds a fault, a list of faults, or {"faults": [...]}.',
  },
  { method: 'DELETE', path: '/faults', does: 'Removes all faults; /faults/<name> removes one.' },
  { method: 'GET', path: '/faults/log', does: 'Every fault that was injected.' },
  { method: 'DELETE', path: '/faults/log', does: 'Forgets them.' },
  { method: 'GET', path: '/traffic', does: 'What visitors do.' },
  {
    method: 'PUT',
    path: '/traffic',
    body: '{"requests_per_minute": 600}',
    does: 'Has visitors come to all zones; their requests go through the live rules, and the analytics count them.',
  },
  { method: 'DELETE', path: '/traffic', does: 'Nobody visits any more; what was counted stays.' },
  {
    method: 'GET',
    path: '/edge/<host>/<path>',
    does: 'Answers a request to a host of a zone as its live rules say.',
  },
  {
    method: 'GET',
    path: '/waf-migration/<zone>',
    does: 'Where the WAF migration of a zone (name or id) stands, and what blocks it.',
  },
  {
    method: 'POST',
    path: '/waf-migration/<zone>/deploy',
    does: 'Starts the migration as in the dashboard; /turn-off ends the validation mode.',
  },
  {
    method: 'PUT',
    path: '/zones/<zone>/firewall',
    body: '{"rules": "two_lists"}',
    does: 'How the old firewall interfaces of one zone behave.',
  },
];

/** A family of operations, named after what their paths address. */
interface OperationFamily {
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
  readonly families: readonly OperationFamily[];
  readonly control: readonly ControlEndpoint[];
}

/** Describes a running service in its current state. */
export function describeService(service: EmulatedService, origin: string): Description {
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
function families(): readonly OperationFamily[] {
  const byName = new Map<string, OperationFamily['operations']>();
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
