import { assertNever } from '../../data/index.ts';
import {
  CUSTOM_PHASE,
  convertFirewall,
  convertedRef,
  checkEquivalence,
  worldsOf,
} from '../../migrate/index.ts';
import type {
  ConversionPlace,
  FirewallOrder,
  RuleConversion,
  FirewallConversion,
} from '../../model/index.ts';
import { owns } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
import { readingZone } from '../service/with-scope.ts';
import type { FileRule, ConvertedZone } from './converted-file.ts';
import { claimOf, convertedFile, convertedSettings } from './converted-file.ts';
import type { FirewallZone } from './firewall-zone.ts';
import { readFirewallZone } from './firewall-zone.ts';

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
      return { report: { scope, result, equivalence: null, yaml: null, foreign: 0 }, added: null };
    case 'one-list': {
      const ours = custom.filter((rule) => owns(ownership, rule));
      const rules = ours.map((rule): FileRule => ({ kind: 'live', rule }));
      const head =
        'The custom rules as they are: the service made them from the firewall rules, which show the same rules.';
      const made =
        ours.length === 0
          ? null
          : convertedFile(scope, { phase: CUSTOM_PHASE, rules, head, declared: false });
      const foreign = custom.length - ours.length;
      return {
        report: { scope, result, equivalence: null, yaml: made?.yaml ?? null, foreign },
        added: made?.added ?? null,
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
      const { yaml, added } = convertedFile(scope, {
        phase: CUSTOM_PHASE,
        rules,
        head,
        settings: convertedSettings(ownership, convertedRef('*'), result.place),
        declared: claimOf(scopes, scope, CUSTOM_PHASE) !== null,
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
