import { scopeId } from '../../src/emulator/index.ts';
import type { EmulatorOptions } from '../../src/emulator/index.ts';
import { startBench } from './bench.ts';
import type { Bench } from './bench.ts';

export interface FilterView {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description?: string;
  readonly ref?: string;
}

export interface FirewallRuleView {
  readonly id: string;
  readonly action: string;
  readonly paused: boolean;
  readonly priority: number | null;
  readonly filter: FilterView;
  readonly products?: readonly string[];
  readonly description?: string;
  readonly ref?: string;
}

/** A zone without any rules, and how to talk to its old interfaces. */
export interface FirewallBench extends Bench {
  readonly zone: string;
  readonly rulesPath: string;
  readonly filtersPath: string;
  rules(): Promise<readonly FirewallRuleView[]>;
  filters(): Promise<readonly FilterView[]>;
  /** Creates rules from the given members; by default they block and have a filter of their own. */
  create(...rules: readonly Readonly<Record<string, unknown>>[]): Promise<readonly FirewallRuleView[]>;
}

interface ZoneOptions extends EmulatorOptions {
  readonly plan?: string;
  readonly world?: 'one_list' | 'two_lists';
  /** More members of the zone in the seed. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Starts a service with one zone, by default with two lists and a Business plan. */
export async function startFirewall(options: ZoneOptions = {}): Promise<FirewallBench> {
  const { plan = 'business', world = 'two_lists', more = {}, ...others } = options;
  const bench = await startBench({
    ...others,
    seed: {
      version: 1,
      accounts: [{ name: 'A', plan: 'enterprise' }],
      zones: [{ name: 'z.example', plan, firewall: { rules: world }, ...more }],
    },
  });
  const zone = `/zones/${scopeId('zone', 'z.example')}`;
  const rulesPath = `${zone}/firewall/rules`;
  const filtersPath = `${zone}/filters`;
  return {
    ...bench,
    zone,
    rulesPath,
    filtersPath,
    rules: () => bench.ok('GET', `${rulesPath}?per_page=100`),
    filters: () => bench.ok('GET', `${filtersPath}?per_page=100`),
    create: (...rules) =>
      bench.ok(
        'POST',
        rulesPath,
        rules.map((rule) => ({ action: 'block', ...rule, filter: rule['filter'] ?? freshFilter() })),
      ),
  };
}

let count = 0;

/** A filter with an expression that no other has. */
export function freshFilter(): { readonly expression: string } {
  count += 1;
  return { expression: `http.host eq "h${count}.example"` };
}
