import type { CatalogRule, CatalogRuleset, CatalogReport } from '../../model/catalog-report.ts';
import type { LiveRulesetHead } from '../../model/ruleset.ts';
import { scopeLabel } from '../../model/scope.ts';
import { slug } from '../../model/slug.ts';
import { counted } from '../../model/count.ts';
import type { Line } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** Formats managed rulesets with the names that files use for them, and their rules with ids and tags. */
export function catalogText({ scope, rulesets }: CatalogReport, look: Look): string {
  const rules = rulesets.reduce((count, one) => count + (one.rules?.length ?? 0), 0);
  const withRules = rulesets.some((one) => one.rules !== undefined);
  const head = line(
    0,
    span('heading', scopeLabel(scope)),
    ` · ${counted(rulesets.length, 'managed ruleset')}${withRules ? `, ${counted(rules, 'rule')}` : ''}`,
  );
  const nothing = rulesets.length === 0 ? [line(2, 'Nothing found.')] : [];
  return layOut([head, ...nothing, ...rulesets.flatMap((one) => rulesetLines(one))], look);
}

function rulesetLines({ ruleset, rules = [] }: CatalogRuleset): readonly Line[] {
  const { name, phase, id, version, description } = ruleset;
  return [
    BLANK,
    line(0, span('strong', name), span('dim', `  version ${version}`)),
    line(2, referenceOf(ruleset), span('dim', ` · ${id} · ${phase}`)),
    ...(description === '' ? [] : [line(2, description)]),
    ...rules.flatMap((rule) => ruleLines(rule)),
  ];
}

function ruleLines({ id, description, action, enabled, tags }: CatalogRule): readonly Line[] {
  return [
    line(
      4,
      id,
      '  ',
      span(enabled ? 'strong' : 'dim', enabled ? action : `${action}, off`),
      `  ${description}`,
    ),
    ...(tags.length === 0 ? [] : [line(6, span('dim', `tags: ${tags.join(', ')}`))]),
  ];
}

function referenceOf({ name, id }: LiveRulesetHead): string {
  const short = slug(name);
  return short === '' ? id : `managed:${short}`;
}

/** Returns the catalogue as one JSON value; `reference` is what files write for a ruleset. */
export function catalogDocument({ scope, rulesets }: CatalogReport) {
  return {
    kind: 'catalog',
    formatVersion: 1,
    scope,
    rulesets: rulesets.map(({ ruleset, rules }) => ({
      ...ruleset,
      reference: referenceOf(ruleset),
      rules,
    })),
  };
}
