import type { JsonObject } from '../../data/index.ts';
import { canonicalJson, pointerParts } from '../../data/index.ts';
import type { StatedRule, StatedRuleset } from '../../import/index.ts';
import { withoutUnset } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type {
  DesiredScope,
  LiveRule,
  LiveRuleset,
  RuleChange,
  RuleContent,
  Step,
} from '../../model/index.ts';
import {
  addressKey,
  addressOfRuleset,
  canonicalContent,
  contentFromWire,
  contentToWire,
  describedNameOf,
  isId,
  isTelling,
} from '../../model/index.ts';
import { isNaming, planScope } from '../../plan/index.ts';
import { someNames } from '../../text/index.ts';
import { entriesOf } from '../import/live-entries.ts';

/** A scope as the state has it, in the form in which live scopes are imported. */
export interface StatedWhole {
  readonly whole: WholeScope;
  /** The stated ruleset of each address. */
  readonly stated: ReadonlyMap<string, StatedRuleset>;
}

/**
 * Returns a scope as if live were what the state says: its rulesets and no others. Where a rule says the same in both, it is spelled as it is live;
 * names and ids are those of live.
 */
export function statedWhole(live: WholeScope, rulesets: readonly StatedRuleset[]): StatedWhole {
  const pairs = rulesets.map((stated) => ({ stated, ruleset: statedRuleset(stated, liveOf(stated, live)) }));
  const stated = new Map(pairs.map((pair) => [addressKey(addressOfRuleset(pair.ruleset)), pair.stated]));
  return { whole: { ...live, rulesets: pairs.map(({ ruleset }) => ruleset), unsure: [] }, stated };
}

/** Returns the live ruleset that a stated one is: by its id, or, where it was made anew, by its place. */
function liveOf(stated: StatedRuleset, { rulesets }: WholeScope): LiveRuleset | undefined {
  const isThere = ({ kind, phase, name }: LiveRuleset): boolean =>
    kind === stated.kind && phase === stated.phase && (kind !== 'custom' || name === stated.name);
  return rulesets.find(({ id }) => id === stated.id) ?? rulesets.find(isThere);
}

function statedRuleset(stated: StatedRuleset, live: LiveRuleset | undefined): LiveRuleset {
  const { id, kind, phase, name, description } = stated;
  const head = live ?? { id: id === '' ? NO_ID : id, kind, phase, name, version: '0', lastUpdated: '' };
  const ids = new Map(live?.rules.map((rule) => [rule.id, rule]));
  const refs = new Map(live?.rules.map((rule) => [rule.ref, rule]));
  const free = new Set(live?.rules);
  const take = (rule: LiveRule | undefined): LiveRule | undefined =>
    rule !== undefined && free.delete(rule) ? rule : undefined;
  // Ids first: a rule whose name another one has taken over since is still itself.
  const byId = stated.rules.map(({ id }) => take(ids.get(id)));
  const rules = stated.rules.map((rule, index) =>
    statedRule(rule, byId[index] ?? (rule.ref === '' ? undefined : take(refs.get(rule.ref))), {
      hasZeros: stated.hasZeros,
      index,
    }),
  );
  return { ...head, description, rules };
}

/** Stands for the id of a ruleset that neither the source nor the service knows. */
const NO_ID = '0'.repeat(32);

function statedRule(
  { id, ref, wire, follows }: StatedRule,
  live: LiveRule | undefined,
  { hasZeros, index }: { readonly hasZeros: boolean; readonly index: number },
): LiveRule {
  const said = hasZeros ? withoutUnset(wire, live === undefined ? undefined : wireOf(live)) : wire;
  const content = contentFromWire(said);
  if (live !== undefined) {
    const { extra } = live.content;
    const alike = follows === 'live' || isAlike(content, live.content);
    return {
      ...live,
      content: alike ? live.content : { ...content, ...(extra === undefined ? {} : { extra }) },
    };
  }
  const own = isId(id) ? id : index.toString(16).padStart(32, '0');
  return { id: own, ref: ref === '' ? own : ref, content };
}

function wireOf({ content }: LiveRule): JsonObject {
  return { description: content.description, ...contentToWire(content) };
}

function isAlike(stated: RuleContent, live: RuleContent): boolean {
  const { extra: _stated, ...one } = stated;
  const { extra: _live, ...other } = live;
  return canonicalJson(canonicalContent(one)) === canonicalJson(canonicalContent(other));
}

/** What the state and live disagree about, in one rule or in a ruleset as a whole. */
export interface StatedDifference {
  readonly scope: string;
  /** The whole address of the resource. */
  readonly address: string;
  readonly text: string;
}

/** Returns what a plan of the files would change live, rule by rule: that is what the state and live disagree about. */
export function statedDifferences(
  desired: DesiredScope,
  live: WholeScope,
  { stated, scope }: { readonly stated: StatedWhole['stated']; readonly scope: string },
): readonly StatedDifference[] {
  const plan = planScope(desired, {
    scope: live.scope,
    entries: entriesOf(live, desired.rulesets),
    catalogue: live.catalogue,
  });
  if (plan.kind === 'failed') {
    return [{ scope, address: '', text: `no plan can be made of it: ${plan.error.message}` }];
  }
  return plan.steps.flatMap((step) => {
    const address = stated.get(keyOf(step))?.address.instance ?? '';
    return textsOf(step).map((text) => ({ scope, address, text }));
  });
}

function keyOf({ target: { level, phase, name } }: Step): string {
  return addressKey(level === 'custom' ? { kind: 'custom', phase, name } : { kind: 'entrypoint', phase });
}

function textsOf(step: Step): readonly string[] {
  if (step.operation === 'create') {
    return ['the ruleset is not live'];
  }
  const described = step.operation === 'update' && step.description !== undefined;
  return [
    ...(described ? ['the description of the ruleset differs'] : []),
    ...step.changes.flatMap((change) =>
      isNaming(change) && isTelling(change.ref) ? [] : [`rule ${describedNameOf(change)} ${differs(change)}`],
    ),
  ];
}

/** The most fields that a message names. */
const MAX_FIELDS = 4;

function differs(change: RuleChange): string {
  switch (change.kind) {
    case 'add':
      return 'is in the files and not live';
    case 'delete':
      return 'is live and not in the files';
    case 'move':
      return 'has another place';
    default: {
      const fields = change.fields.map(({ path }) => pointerParts(path).join('.'));
      const where = change.move === undefined ? '' : ', and its place';
      return `differs in ${someNames(fields.length === 0 ? ['its name'] : fields, MAX_FIELDS)}${where}`;
    }
  }
}
