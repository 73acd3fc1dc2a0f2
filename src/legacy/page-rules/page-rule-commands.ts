import { ZONE_ARGUMENT, ZONE_ARGUMENTS, command, commandGroup } from '../../cli/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { ScopeRef } from '../../model/index.ts';
import { PAGE_RULES_CONVERT_FLAGS, RETIRE_FLAGS, ZONE_LIST_FLAGS } from '../legacy-flags.ts';
import type { PageRulesConvertFlags, RetireFlags, ZoneListFlags } from '../legacy-flags.ts';
import { runConversion } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { runZoneList } from '../run-zone-list.ts';
import { PAGE_RULE_PHASES } from './page-rule-settings.ts';
import { pageRulesConversionDocument, pageRulesSection } from './page-rules-report.ts';
import { convertZonePageRules, listZonePageRules, planRetiredPageRules } from './page-rules-zone.ts';

/** Lists page rules. */
function runPageRulesList(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return runZoneList(
    { context, flags, zones },
    {
      read: listZonePageRules,
      kind: 'page-rules',
      things: 'page rules',
      isEmpty: ({ rules }) => rules.length === 0,
      title: 'Rulewright pagerules list',
      section: pageRulesSection,
      facts: ({ scope, rules }) => ({ scope, rules }),
    },
  );
}

/** Converts page rules; writes a file or prints the YAML, and reports what is not carried over. */
function runPageRulesConvert(
  context: CliContext,
  flags: PageRulesConvertFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runConversion(
    { context, flags, zone },
    {
      phases: Object.values(PAGE_RULE_PHASES),
      convert: convertZonePageRules,
      document: pageRulesConversionDocument,
      kind: 'page-rule-conversion',
    },
  );
}

/** Deletes page rules that live rules have taken over from. */
function runPageRulesRetire(context: CliContext, flags: RetireFlags, zone: ScopeRef): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => ['pagerules', 'retire', name], plan: planRetiredPageRules },
  );
}

const list = command({
  run: runPageRulesList,
  text: `Lists the page rules of zones, the one that is tried first at the top. Without a
zone, it takes those of the project.`,
  examples: [
    ['rulewright pagerules list', 'all zones of the project'],
    ['rulewright pagerules list shop.example', 'all of a zone'],
    ['rulewright pagerules list --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const convert = command({
  run: runPageRulesConvert,
  text: `Converts the page rules of a zone to redirects, configuration rules, origin rules
and cache rules, and writes a zone file, or adds the phases to one that exists.
Only the first page rule that matches acts, so the new rules leave out what earlier
ones take. Page rules and new rules are tried with URLs at every boundary of the
patterns. If they differ, the differences are printed and the exit code is 2.
What no rule can take over is named. Without --out, it prints the YAML, and the
report goes to stderr. The service is not changed.`,
  examples: [
    ['rulewright pagerules convert shop.example --out zones/shop-pages.yaml', 'a file and a report'],
    ['rulewright pagerules convert shop.example', 'print the YAML'],
  ],
  flags: PAGE_RULES_CONVERT_FLAGS,
  positional: ZONE_ARGUMENT,
});

const retire = command({
  run: runPageRulesRetire,
  text: `Deletes page rules, one at a time, the one that is tried last first, and only those
whose rules are live and do the same. One that others would act in the place of
stays. After each deletion the entry points are read again; if one changed, the
run stops.`,
  examples: [
    ['rulewright pagerules retire shop.example --dry-run --allow irreversible', 'show, write nothing'],
    ['rulewright pagerules retire shop.example --allow irreversible', 'ask, then delete'],
  ],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright pagerules list|convert|retire`. */
export const pageRuleCommands = commandGroup({
  text: `Lists the page rules of a zone, converts them to the rules that replace them, and
deletes those whose conversion is live.`,
  examples: [
    ['rulewright pagerules list shop.example', 'the page rules of a zone'],
    ['rulewright pagerules convert shop.example --out zones/shop-pages.yaml', 'write them as rules'],
    ['rulewright pagerules retire shop.example --allow irreversible', 'delete those that are replaced'],
  ],
  routes: {
    list: list('Show page rules'),
    convert: convert('Write page rules as redirects, configuration, origin and cache rules'),
    retire: retire('Delete page rules whose conversion is live'),
  },
});
