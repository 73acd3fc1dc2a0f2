import {
  listRulesets,
  getWafMigrationConfiguration,
  getWafMigrationStatus,
  isServiceError,
} from '../../api/index.ts';
import { reviewedYaml, ruleDocument, under } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import { createManagedRulesets } from '../../live/index.ts';
import { fitOf, configurationNotes, reviewedRules, compareSettings } from '../../migrate/index.ts';
import { RulewrightError, scopeLabel, MANAGED_PHASE } from '../../model/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { Scope, WafConfiguration } from '../../model/index.ts';
import type { ReviewedRule } from '../../migrate/index.ts';
import { nameTargets } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { managedNotes, readManagedNames } from '../managed/managed-names.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
import { readingZone } from '../service/with-scope.ts';
import type { Looking } from './readings.ts';
import { readOldSettings, tryRead } from './readings.ts';

/** The configuration that the service generates from a zone's old WAF, for review, and the same as a YAML file. */
export interface WafConfigurationFile {
  readonly configuration: WafConfiguration;
  readonly yaml: string;
}

/**
 * Fetches the configuration. Throws `waf/not-eligible` for a zone that the service does not migrate, and `waf/nothing-to-migrate` if
 * its state has none.
 */
export function wafConfiguration(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<WafConfigurationFile> {
  return readingZone(choice, { options, report }, async ({ client, scope }) => {
    const status = await getWafMigrationStatus(client, scope.id);
    const fit = fitOf('finish', { state: status.state, plan: scope.plan });
    if (fit.kind !== 'take') {
      throw new RulewrightError(
        `${scopeLabel(scope)} has no configuration to review: ${'message' in fit ? fit.message : 'its migration is being finished'}`,
        {
          code: 'waf/nothing-to-migrate',
          fault: 'user',
          hint:
            fit.kind === 'refused'
              ? fit.hint
              : 'its managed rules are an ordinary entry point: write them as a file, or read them with rulewright import',
        },
      );
    }
    const { rules } = await generated(client, scope);
    const looking = { client, scope, notChecked: [] };
    const old = await readOldSettings(looking);
    const written = await inFileForm(looking, reviewedRules(rules, old));
    const configuration: WafConfiguration = {
      scope,
      status,
      rules: written.rules,
      notes: configurationNotes(old),
      settings: compareSettings(old, rules),
      notChecked: looking.notChecked,
    };
    const { ownership } = choice.guards;
    return { configuration, yaml: reviewedYaml(configuration, { ownership, names: written.names }) };
  });
}

/** Returns the rules as an import writes them: rulesets by name, and the names of managed rules as comments with paths from the phase. */
async function inFileForm(
  looking: Looking,
  reviewed: readonly ReviewedRule[],
): Promise<{ readonly rules: WafConfiguration['rules']; readonly names: readonly FileNote[] }> {
  const { client, scope } = looking;
  const listed = await tryRead(looking, 'names of the managed rulesets', () => listRulesets(client, scope));
  const catalogue = (listed ?? []).filter(({ kind }) => kind === 'managed');
  const generated = reviewed.map(({ rule }) => rule);
  const names = await readManagedNames(
    client,
    { scope, rulesets: [{ rules: generated }], catalogue },
    createManagedRulesets(),
  );
  const named = generated.map((rule) => ({
    ...rule,
    content: nameTargets(rule.content, MANAGED_PHASE, catalogue),
  }));
  const address = { kind: 'entrypoint', phase: MANAGED_PHASE } as const;
  const written = named.map((rule) => ruleDocument(rule, { kind: 'zone', address }));
  return {
    rules: reviewed.flatMap(({ notes }, index) => {
      const one = written[index];
      return one === undefined ? [] : [{ rule: one.value, notes }];
    }),
    names: [
      ...written.flatMap(({ notes }, index) => under(['rules', index], notes)),
      ...managedNotes(named, names, catalogue),
    ],
  };
}

async function generated(client: ReadClient, scope: Scope): ReturnType<typeof getWafMigrationConfiguration> {
  try {
    return await getWafMigrationConfiguration(client, scope.id);
  } catch (error) {
    if (!isServiceError(error, 400)) {
      throw error;
    }
    const reason = error.errors.map(({ message }) => message).join('; ');
    throw new RulewrightError(`the service gives no configuration for ${scopeLabel(scope)}: ${reason}`, {
      code: 'waf/not-eligible',
      fault: 'user',
      hint: `rulewright waf check ${scope.name} says what is in the way, and how to fix it`,
      cause: error,
    });
  }
}
