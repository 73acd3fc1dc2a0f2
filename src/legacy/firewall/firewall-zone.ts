import { filters as oldFilters, firewallRules } from '../legacy-objects.ts';
import { getEntrypoint } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { RetirementResult } from '../retirement-plan.ts';
import { RulewrightError, scopeLabel } from '../../model/index.ts';
import type {
  OldFilter,
  OldFirewallRule,
  ConversionPlace,
  FirewallOrder,
  RuleConversion,
  FirewallConversion,
} from '../conversion.ts';
import type { FailedScope, LiveRuleset, Scope } from '../../model/index.ts';
import type { OnEvent, Reached, ChosenZones, ServiceOptions, ZoneChoice } from '../../app/index.ts';
import { eachZone, readingZone } from '../../app/index.ts';
import { planRetirement } from '../retire.ts';
import { assertNever } from '../../data/index.ts';
import { owns } from '../../plan/index.ts';
import type { FileRule, ConvertedZone } from '../converted-file.ts';
import { claimOf, convertedFile, convertedSettings } from '../converted-file.ts';
import { planFirewallRetirement } from './firewall-retirement.ts';
import { checkEquivalence, worldsOf } from './firewall-equivalence.ts';
import { decideWorld } from './firewall-world.ts';
import type { World } from './firewall-world.ts';
import { CUSTOM_PHASE, convertFirewall } from './firewall-conversion.ts';
import { convertedRef } from './firewall-convert-rule.ts';

/** The rules of a zone in the old and the new interface. */
interface FirewallZone {
  readonly scope: Scope;
  /** In list order. */
  readonly rules: readonly OldFirewallRule[];
  readonly filters: readonly OldFilter[];
  /** The entry point of custom rules; null if it is certain that there is none. */
  readonly entrypoint: LiveRuleset | null;
}

/**
 * Reads the old rules, filters and custom rules of a zone. Reads the old rules again at the end, and throws `firewall/moving` if
 * somebody, or the service itself, changed them meanwhile, since what was read does not fit together then.
 */
export async function readFirewallZone({
  client,
  scope,
}: Pick<Reached<ReadClient>, 'client' | 'scope'>): Promise<FirewallZone> {
  const rules = await firewallRules.list(client, scope.id);
  const filters = await oldFilters.list(client, scope.id);
  const entrypoint = await getEntrypoint(client, scope, CUSTOM_PHASE);
  const again = await firewallRules.list(client, scope.id);
  if (JSON.stringify(again) !== JSON.stringify(rules)) {
    throw new RulewrightError(`the firewall rules of ${scopeLabel(scope)} changed while they were read`, {
      code: 'firewall/moving',
      fault: 'user',
      hint: 'somebody, or the service, is changing them right now: run it again when that is done',
    });
  }
  return { scope, rules, filters, entrypoint };
}

/** The old rules of a zone, and how they relate to the custom rules. */
export interface ListedFirewall extends FirewallZone {
  readonly kind: 'listed';
  readonly world: World;
}

/** Reads zones with a client that can only read; a zone that fails fails alone. */
export function listFirewall(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly (ListedFirewall | FailedScope)[]> {
  return eachZone(zones, { options, report }, async (client, scope) => {
    const found = await readFirewallZone({ client, scope });
    const world = decideWorld(found.rules, found.entrypoint?.rules ?? []);
    return { kind: 'listed', ...found, world } as const;
  });
}

/** Plans which old rules and filters of a zone can be deleted. Writes nothing. */
export function planRetiredFirewall(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (reached, baseUrl) => {
    const zone = await readFirewallZone(reached);
    return planFirewallRetirement({ ...zone, baseUrl, tokenEnv: reached.tokenEnv });
  });
}

/** The zone to convert, and decisions on what only a person can decide. */
export interface FirewallConvertOptions extends ZoneChoice {
  readonly order?: FirewallOrder | undefined;
  readonly place?: ConversionPlace | undefined;
}

/** Reads a zone and converts its old rules; writes nothing. */
export function convertFirewallZone(
  choice: FirewallConvertOptions,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ConvertedZone<FirewallConversion>> {
  return readingZone(choice, { options, report }, async (zone) =>
    conversionOf(await readFirewallZone(zone), choice),
  );
}

function conversionOf(
  { scope, rules, entrypoint }: FirewallZone,
  { order, place, guards: { ownership, scopes } }: FirewallConvertOptions,
): ConvertedZone<FirewallConversion> {
  const custom = entrypoint?.rules ?? [];
  const result = convertFirewall({ old: rules, custom, plan: scope.plan, order, place });
  switch (result.kind) {
    case 'nothing':
    case 'refused':
      return { report: { scope, result, equivalence: null, yaml: null, foreign: 0 }, added: [] };
    case 'one-list': {
      const ours = custom.filter((rule) => owns(ownership, rule));
      const rules = ours.map((rule): FileRule => ({ kind: 'live', rule }));
      const head =
        'The custom rules as they are: the service made them from the firewall rules, which show the same rules.';
      const made =
        ours.length === 0
          ? null
          : convertedFile(scope, { head, phases: [{ phase: CUSTOM_PHASE, rules, declared: false }] });
      const foreign = custom.length - ours.length;
      return {
        report: { scope, result, equivalence: null, yaml: made?.yaml ?? null, foreign },
        added: made?.added ?? [],
      };
    }
    case 'converted': {
      const worlds = worldsOf(result);
      const converted = new Map(
        result.rules.flatMap((rule) => (rule.kind === 'converted' ? [[rule.ref, rule] as const] : [])),
      );
      const rules = worlds.after.flatMap((rule): readonly FileRule[] => {
        const made = converted.get(rule.ref ?? '');
        const kept = result.existing.find((each) => each === rule);
        return made !== undefined
          ? [newRule(made)]
          : kept === undefined
            ? []
            : [{ kind: 'live', rule: kept }];
      });
      const head = `Converted from the firewall rules of ${scope.name}, in their order of execution.`;
      const settings = convertedSettings(ownership, convertedRef('*'), result.place);
      const declared = claimOf(scopes, scope, [CUSTOM_PHASE]) !== null;
      const { yaml, added } = convertedFile(scope, {
        head,
        phases: [{ phase: CUSTOM_PHASE, rules, settings, declared }],
      });
      const foreign = ownership.kind === 'all' ? 0 : result.existing.length;
      return { report: { scope, result, equivalence: checkEquivalence(worlds), yaml, foreign }, added };
    }
    default:
      return assertNever(result);
  }
}

function newRule({ ref, content, notes, old }: RuleConversion): FileRule {
  const name = old.ref === '' ? [] : [`was ${old.ref}`];
  const comments = notes.filter(({ kind }) => kind !== 'not-same').map(({ message }) => message);
  return { kind: 'new', ref, content, comments: [...name, ...comments] };
}
