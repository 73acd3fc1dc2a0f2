import type {
  CatalogReport,
  CatalogRule,
  CatalogRuleset,
  LiveRulesetHead,
  LockedRuleset,
  LockReport,
} from '../model/index.ts';
import { LOCK_FILE, scopeLabel } from '../model/index.ts';
import { counted, slug } from '../text/index.ts';
import type { EntryBlock, Document, SectionBlock } from './tree.ts';
import { entry, paragraph, section, span } from './tree.ts';

/** Documents managed rulesets with the names that files use for them, and their rules with ids and tags. */
export function catalogDocument({ scope, rulesets }: CatalogReport): Document {
  const rules = rulesets.reduce((count, one) => count + (one.rules?.length ?? 0), 0);
  const withRules = rulesets.some((one) => one.rules !== undefined);
  return {
    title: 'Rulewright catalog',
    heading: [
      span('heading', scopeLabel(scope)),
      ` · ${counted(rulesets.length, 'managed ruleset')}${withRules ? `, ${counted(rules, 'rule')}` : ''}`,
    ],
    body: rulesets.length === 0 ? [paragraph('Nothing found.')] : rulesets.map(rulesetSection),
  };
}

function rulesetSection({ ruleset, rules = [] }: CatalogRuleset): SectionBlock {
  const { name, phase, id, version, description } = ruleset;
  return section(
    2,
    [span('strong', name), span('dim', `  version ${version}`)],
    [
      paragraph(
        span('code', referenceOf(ruleset)),
        span('dim', ' · '),
        span('code', id),
        span('dim', ' · '),
        span('code', phase),
      ),
      ...(description === '' ? [] : [paragraph(description)]),
      ...rules.map(ruleEntry),
    ],
  );
}

function ruleEntry({ id, description, action, enabled, tags }: CatalogRule): EntryBlock {
  const does = enabled ? span('strong', action) : span('dim', `${action}, off`);
  return entry(undefined, [span('code', id), '  ', does, `  ${description}`], {
    parts: true,
    body: tags.length === 0 ? [] : [paragraph(span('dim', `tags: ${tags.join(', ')}`))],
  });
}

function referenceOf({ name, id }: LiveRulesetHead): string {
  const short = slug(name);
  return short === '' ? id : `managed:${short}`;
}

/** Returns the catalogue as one JSON value; `reference` is what files write for a ruleset. */
export function catalogJson({ scope, rulesets }: CatalogReport) {
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

/** Documents the lock: how many rules each override affects. */
export function lockDocument({ lock: { rulesets }, written }: LockReport): Document {
  const about =
    rulesets.length === 0
      ? 'no override of the files affects managed rules'
      : `${counted(rulesets.length, 'managed ruleset')} with overrides`;
  return {
    title: 'Rulewright catalog --lock',
    body: [
      paragraph(span('strong', `${LOCK_FILE} ${written ? 'written' : 'is as it was'}`), `: ${about}`),
      ...rulesets.map(lockedEntry),
    ],
  };
}

function lockedEntry({ name, version, meets }: LockedRuleset): EntryBlock {
  return entry(undefined, [span('name', name), span('dim', `  version ${version}`)], {
    parts: true,
    body: [...meets].map(([key, ids]) => paragraph(`${key}: ${counted(ids.length, 'rule')}`)),
  });
}

/** Returns the lock as one JSON value. */
export function lockJson({ lock, written }: LockReport) {
  const rulesets = lock.rulesets.map(({ meets, ...head }) => ({ ...head, meets: Object.fromEntries(meets) }));
  return { kind: 'catalog-lock', formatVersion: 1, written, rulesets };
}
