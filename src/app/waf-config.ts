import { openReadClient } from '../api/client.ts';
import { getWafMigrationConfiguration } from '../api/waf-migration.ts';
import { reviewedYaml } from '../config/write/reviewed-yaml.ts';
import { fitOf } from '../migrate/waf-fit.ts';
import { configurationNotes, reviewedRules } from '../migrate/waf-rules.ts';
import { compareSettings } from '../migrate/waf-settings.ts';
import { RulewrightError } from '../model/error.ts';
import { scopeLabel } from '../model/scope.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { WafConfiguration } from '../model/waf-migration.ts';
import type { Report } from './events.ts';
import type { Guards } from './project-guards.ts';
import type { ServiceOptions } from './service-options.ts';
import { readOldSettings } from './waf-readings.ts';
import { readStatus, withZone } from './waf-zones.ts';

/** The configuration that the service generates from a zone's old WAF, to be reviewed, and the same as a file. */
export interface WafConfigurationFile {
  readonly configuration: WafConfiguration;
  readonly yaml: string;
}

/** Fetches the configuration. Throws `waf/nothing-to-migrate` in a state that has none. */
export function wafConfiguration(
  zone: { readonly zone: ScopeRef; readonly guards: Guards },
  options: ServiceOptions,
  report: Report,
): Promise<WafConfigurationFile> {
  return withZone(zone, { options, open: openReadClient, report }, async (client, scope) => {
    const status = await readStatus(client, scope);
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
    const { rules } = await getWafMigrationConfiguration(client, scope.id);
    const looking = { client, scope, notChecked: [] };
    const old = await readOldSettings(looking);
    const configuration: WafConfiguration = {
      scope,
      status,
      rules: reviewedRules(rules, old),
      notes: configurationNotes(old),
      settings: compareSettings(old, rules),
      notChecked: looking.notChecked,
    };
    return { configuration, yaml: reviewedYaml(configuration, zone.guards.ownership) };
  });
}
