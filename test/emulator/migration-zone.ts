import { scopeId } from '../../src/emulator/index.ts';
import { entryPoint } from './bench.ts';

/** The only zone of the seed. */
export const zone = `/zones/${scopeId('zone', 'old.example')}`;
export const MANAGED = 'http_request_firewall_managed';
export const CMR = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
export const CORE = 'OWASP ModSecurity Core Rule Set';

type Members = Readonly<Record<string, unknown>>;

/** A seed with one zone that has the old WAF (Enterprise, nothing set, waiting to be migrated, unless told otherwise). */
export function oldZone(members: Members = {}, account: Members = {}): unknown {
  return {
    version: 1,
    accounts: [{ name: 'A', plan: 'enterprise', ...account }],
    zones: [
      {
        name: 'old.example',
        plan: 'enterprise',
        ...(members['waf_migration'] === null ? {} : { waf_migration: { state: 'start' } }),
        ...withoutNull(members),
      },
    ],
  };
}

/** A member that is null is left out. */
function withoutNull(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** An execute rule as the generated configuration has it. */
export function executeRule(id: string = CMR, members: Members = {}): Record<string, unknown> {
  return {
    id: '',
    version: '',
    action: 'execute',
    expression: 'true',
    description: '',
    ref: '',
    enabled: true,
    action_parameters: { id },
    ...members,
  };
}

/** The path of the PUT that migrates. */
export function migration(
  waf_migration: string,
  query: Members = { phase_two: '1' },
  at: string = zone,
): string {
  const parameters = new URLSearchParams({ waf_migration, ...(query as Record<string, string>) });
  return `${entryPoint(at, MANAGED)}?${parameters.toString()}`;
}

export const CHECK = `${zone}/waf_migration/check?phase_two=1`;
export const CONFIG = `${zone}/waf_migration/config?phase_two=1`;
export const STATUS = `${zone}/waf_migration/status`;
export const PACKAGES = `${zone}/firewall/waf/packages`;
export const OVERRIDES = `${zone}/firewall/waf/overrides`;

/** An active page rule for a URL. */
export function pageRule(
  url: string,
  actions: readonly unknown[],
  priority: number,
): Record<string, unknown> {
  return {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
    actions,
    priority,
    status: 'active',
  };
}

/** An old firewall rule that bypasses products, by default the old WAF. */
export function bypass(expression: string, members: Members = {}): Record<string, unknown> {
  return { action: 'bypass', products: ['waf'], filter: { expression }, ...members };
}

export interface Status {
  readonly old_waf_status: string;
  readonly new_waf_status: string;
  readonly migration_state: string;
  readonly source: string;
  readonly created: string;
}

export interface Configuration {
  readonly name: string;
  readonly rules: readonly {
    readonly action: string;
    readonly expression: string;
    readonly enabled: boolean;
    readonly action_parameters: {
      readonly id?: string;
      readonly ruleset?: string;
      readonly overrides?: {
        readonly categories?: readonly unknown[];
        readonly rules?: readonly Readonly<Record<string, unknown>>[];
      };
    };
  }[];
}

export interface Steps {
  readonly migration_state: string;
  readonly order: readonly string[];
  readonly blockers: readonly string[];
  readonly steps: readonly {
    readonly at: string;
    readonly step: string;
    readonly cause: string;
    readonly old_waf_status: string;
    readonly new_waf_status: string;
    readonly migration_state: string;
  }[];
}
