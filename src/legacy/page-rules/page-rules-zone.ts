import { getEntrypoint, orElse } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { ChosenZones, OnEvent, Reached, ServiceOptions, ZoneChoice } from '../../app/index.ts';
import { eachZone, readingZone } from '../../app/index.ts';
import { isJsonObject, textOf } from '../../data/index.ts';
import type { FailedScope, LiveRuleset, Scope } from '../../model/index.ts';
import type { Conversion } from '../conversion.ts';
import { claimOf, convertedFile, convertedSettings } from '../converted-file.ts';
import type { ConvertedFile, ConvertedZone, FileRule } from '../converted-file.ts';
import { pageRules } from '../legacy-objects.ts';
import { planRetirement } from '../retire.ts';
import type { RetirementResult } from '../retirement-plan.ts';
import type { PageRule } from './page-rule.ts';
import type { PageRuleZone } from './page-rule-settings.ts';
import { PAGE_RULE_PHASES } from './page-rule-settings.ts';
import { checkPageRules } from './page-rules-equivalence.ts';
import {
  URL_REWRITES,
  convertPageRules,
  inPriority,
  pageRuleRef,
  placedPageRules,
} from './page-rules-conversion.ts';
import type { ConvertedPagePhase, PageRulesInput, PageRulesResult } from './page-rules-conversion.ts';
import { planPageRuleRetirement } from './page-rules-retirement.ts';

/** The page rules of a zone, the highest priority first. */
export interface PageRulesReport {
  readonly scope: Scope;
  readonly rules: readonly PageRule[];
}

/** The page rules of a zone, as they were listed. */
export interface ListedPageRules extends PageRulesReport {
  readonly kind: 'listed';
}

/** The conversion of a zone's page rules. */
export interface ConvertedPageRules extends PageRulesReport, Conversion<PageRulesResult> {}

/** Reads the page rules of zones; a zone that fails fails alone. */
export function listZonePageRules(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly (ListedPageRules | FailedScope)[]> {
  return eachZone(zones, { options, report }, async (client, scope) => {
    const rules = inPriority(await pageRules.list(client, scope.id));
    return { kind: 'listed', scope, rules } as const;
  });
}

/** Reads the page rules of a zone and converts them; writes nothing. */
export function convertZonePageRules(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ConvertedZone<ConvertedPageRules>> {
  return readingZone(choice, { options, report }, async (reached) => {
    const { scope, input } = await readPageRules(reached);
    const result = convertPageRules(input);
    const made = result.kind === 'converted' ? fileOf(scope, result.phases, choice.guards) : null;
    return {
      report: {
        scope,
        rules: inPriority(input.old),
        result,
        equivalence: result.kind === 'converted' ? checkPageRules(result, input.zone) : null,
        yaml: made?.yaml ?? null,
      },
      added: made?.added ?? [],
    };
  });
}

/** Plans which page rules of a zone can be deleted. Writes nothing. */
export function planRetiredPageRules(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (reached, baseUrl) =>
    planPageRuleRetirement({ ...(await readPageRules(reached)), baseUrl, tokenEnv: reached.tokenEnv }),
  );
}

interface PageRulesOfZone {
  readonly scope: Scope;
  readonly input: PageRulesInput;
  readonly entrypoints: ReadonlyMap<string, LiveRuleset | null>;
}

async function readPageRules({ client, scope }: Reached<ReadClient>): Promise<PageRulesOfZone> {
  const old = await pageRules.list(client, scope.id);
  const phases = [...Object.values(PAGE_RULE_PHASES), URL_REWRITES];
  const read = old.length === 0 ? [] : phases;
  const found = new Map<string, LiveRuleset | null>();
  for (const phase of read) {
    found.set(phase, await getEntrypoint(client, scope, phase));
  }
  return {
    scope,
    input: {
      old,
      live: (phase) => found.get(phase)?.rules ?? [],
      zone: await readFacts(client, scope, old),
      plan: scope.plan,
    },
    entrypoints: new Map([...found].filter(([phase]) => phase !== URL_REWRITES)),
  };
}

/** Reads what the meaning of these page rules depends on: the cache level of the zone, where one of them names the usual one. */
async function readFacts(client: ReadClient, scope: Scope, old: readonly PageRule[]): Promise<PageRuleZone> {
  const isAsked = old.some(({ actions }) =>
    actions.some(({ id, value }) => id === 'cache_level' && value === 'aggressive'),
  );
  if (!isAsked) {
    return { cacheLevel: null };
  }
  const answer = await orElse(client.get(`/zones/${scope.id}/settings/cache_level`), () => null);
  const result = answer?.result;
  return { cacheLevel: isJsonObject(result) ? textOf(result['value']) || null : null };
}

function fileOf(
  scope: Scope,
  phases: readonly ConvertedPagePhase[],
  { ownership, scopes }: ZoneChoice['guards'],
): ConvertedFile | null {
  return phases.length === 0
    ? null
    : convertedFile(scope, {
        head: `Converted from the page rules of ${scope.name}.`,
        phases: phases.map((one) => ({
          phase: one.phase,
          rules: placedPageRules<FileRule>(one, {
            made: ({ ref, content, comments }) => ({ kind: 'new', ref, content, comments }),
            existing: (rule) => ({ kind: 'live', rule }),
          }),
          settings: convertedSettings(ownership, pageRuleRef('*'), one.place),
          declared: claimOf(scopes, scope, [one.phase]) !== null,
        })),
      });
}
