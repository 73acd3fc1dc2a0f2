import pLimit from 'p-limit';
import type { ReadClient } from '../api/index.ts';
import { openReadClient, getRuleset, listRulesets } from '../api/index.ts';
import { didYouMean } from '../config/index.ts';
import { RulewrightError } from '../model/index.ts';
import type {
  LiveRule,
  LiveRulesetHead,
  Scope,
  ScopeRef,
  CatalogReport,
  CatalogRule,
} from '../model/index.ts';
import { slug } from '../text/index.ts';
import type { OnEvent } from './run/events.ts';
import { withService } from './service/open-service.ts';
import type { Selection } from './project/selection.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { defaultScope } from './service/default-scope.ts';

/** The query for managed rulesets and rules. */
export interface CatalogQuery {
  readonly scope: ScopeRef | undefined;
  /** A name, `managed:` and a slug, or an id; undefined for all rulesets. */
  readonly ruleset: string | undefined;
  /** Only rules with this tag. */
  readonly tag: string | undefined;
  /** Only rules with this text in description, id or tags. */
  readonly search: string | undefined;
}

/**
 * Lists the managed rulesets that a scope can execute, with their rules if the query names a ruleset, a tag or a text. Throws
 * `catalog/no-ruleset` for an unknown ruleset.
 */
export async function catalog(
  selection: Selection,
  query: CatalogQuery,
  { options, report }: { readonly options: ServiceOptions; readonly report: OnEvent },
): Promise<CatalogReport> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    const { scope, client } = await defaultScope((env) => service.client(env), selection, query.scope);
    const heads = (await listRulesets(client, scope)).filter(({ kind }) => kind === 'managed');
    const wanted = query.ruleset === undefined ? heads : [chosen(heads, query.ruleset)];
    if (query.ruleset === undefined && query.tag === undefined && query.search === undefined) {
      return { scope, rulesets: wanted.map((ruleset) => ({ ruleset })) };
    }
    const limit = pLimit(options.concurrency);
    const rulesets = await limit.map(wanted, (ruleset) => withRules(client, scope, { ruleset, query }));
    const found = query.ruleset === undefined ? rulesets.filter(({ rules }) => rules.length > 0) : rulesets;
    return { scope, rulesets: found };
  });
}

async function withRules(
  client: ReadClient,
  scope: Scope,
  { ruleset, query }: { readonly ruleset: LiveRulesetHead; readonly query: CatalogQuery },
): Promise<{ readonly ruleset: LiveRulesetHead; readonly rules: readonly CatalogRule[] }> {
  const { rules } = await getRuleset(client, scope, ruleset.id, { phase: ruleset.phase });
  return { ruleset, rules: rules.map((rule) => facts(rule)).filter((rule) => isWanted(rule, query)) };
}

function facts({ id, content, categories = [] }: LiveRule): CatalogRule {
  const { description, action, enabled } = content;
  return { id, description, action, enabled, tags: categories };
}

function isWanted({ id, description, tags }: CatalogRule, { tag, search }: CatalogQuery): boolean {
  const text = search?.toLowerCase() ?? '';
  return (
    (tag === undefined || tags.includes(tag)) &&
    [id, description, ...tags].some((place) => place.toLowerCase().includes(text))
  );
}

function chosen(heads: readonly LiveRulesetHead[], name: string): LiveRulesetHead {
  const short = slug(name.replace(/^managed:/u, ''));
  const found = heads.find(
    ({ id, name: own }) => id === name || (short !== '' && (slug(own) === short || own === name)),
  );
  if (found === undefined) {
    throw new RulewrightError(`there is no managed ruleset ${JSON.stringify(name)} here`, {
      code: 'catalog/no-ruleset',
      fault: 'user',
      hint:
        heads.length === 0
          ? 'the list has no managed ruleset at all: rulewright doctor shows what the token can read'
          : (didYouMean(
              short,
              heads.map((head) => slug(head.name)),
            ) ?? `there are ${heads.map((head) => `managed:${slug(head.name)}`).join(', ')}`),
    });
  }
  return found;
}
