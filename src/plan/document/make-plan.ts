import { hash, createHash } from 'node:crypto';
import type {
  Plan,
  PlanRollout,
  PlanSummary,
  ScopePlan,
  Step,
  GuardFinding,
  Safety,
  RulePosition,
  RuleChange,
  RuleContent,
  ListStep,
  ListSummary,
  ObjectStep,
  SettingStep,
  Protection,
  ScopeRef,
  Shard,
  DesiredScope,
} from '../../model/index.ts';
import type { RuleCounts } from '../guard/thresholds.ts';
import { countRules, totalCounts } from '../guard/thresholds.ts';
import {
  allSteps,
  canonicalContent,
  changesScope,
  isListStep,
  isSettingStep,
  objectSteps,
  ofObject,
  orderTexts,
  othersOf,
  scopeLabel,
} from '../../model/index.ts';
import { assertNever, canonicalJson, inKeyOrder, plainJson } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';

/**
 * Returns the SHA-256 (hex) of a value's canonical text. Top-level members, and items of top-level lists, are hashed one by one: the text of a
 * plan of ten thousand zones is longer than a string can be.
 */
export function canonicalDigest(value: Readonly<Record<string, unknown>> | readonly unknown[]): string {
  const digest = createHash('sha256');
  const items = (list: readonly unknown[]): void => {
    digest.update('[');
    list.forEach((item, index) => digest.update(`${index === 0 ? '' : ','}${canonicalJson(item)}`));
    digest.update(']');
  };
  if (isList(value)) {
    items(value);
    return digest.digest('hex');
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  digest.update('{');
  members.forEach(([key, member], index) => {
    digest.update(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`);
    if (isList(member)) {
      items(member);
    } else {
      digest.update(canonicalJson(member));
    }
  });
  return digest.update('}').digest('hex');
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * Returns the SHA-256 (hex) of what a plan does: scopes, targets, rules with their canonical content before and after, existing ids, the effect on protection,
 * the order of our rules, and which rules of others decide beside changed ones. Left out: versions, times, source places, ids that the service
 * will assign, and everything else about rules of others. It digests the scopes' own digests, so that these can be made one by one.
 */
export function effectDigest(scopes: readonly ScopePlan[]): string {
  return canonicalDigest(scopes.map(scopeEffect));
}

/** Returns the digest (hex) of one scope's effect, a part of `effectDigest`. */
function scopeEffect(plan: ScopePlan): string {
  const effect =
    plan.kind === 'failed'
      ? { failed: true, kind: plan.scope.kind, name: plan.scope.name }
      : {
          id: plan.scope.id,
          kind: plan.scope.kind,
          ...(plan.objects === undefined ? {} : { objects: plan.objects.map(objectEffect) }),
          steps: plan.steps.map(stepEffect),
        };
  return hash('sha256', JSON.stringify(effect));
}

/** Returns what a step on a list or a setting does. */
export function objectEffect(step: ObjectStep): JsonValue {
  return ofObject(step, { list: listEffect, setting: settingEffect });
}

function settingEffect({ fields, protection, target }: SettingStep): JsonValue {
  return inKeyOrder(plainJson({ fields, protection: protectionText(protection), target }));
}

/** Returns what a step on a list does: what it replaces too, since it undoes somebody's edit where it finds another. */
function listEffect({ base, description, items, operation, protection, target }: ListStep): JsonValue {
  return inKeyOrder(
    plainJson({
      base: base.kind === 'list' ? base.id : base.kind,
      description: description ?? null,
      items: { ...items, remove: items.remove.map(({ item }) => item) },
      operation,
      protection: protectionText(protection),
      target,
    }),
  );
}

/** Returns what a step does, without what the service assigns; keys in code-unit order as in `changeEffect`. */
export function stepEffect(step: Step): JsonObject {
  const { level, name, phase } = step.target;
  return {
    base: step.base.kind === 'version' ? step.base.id : step.base.kind,
    changes: step.changes.map(changeEffect),
    ...(step.operation === 'update' && step.deletesFirst === true ? { deletesFirst: true } : {}),
    ...(step.operation === 'delete' || step.description === undefined
      ? {}
      : { description: descriptionEffect(step.description) }),
    operation: step.operation,
    ...(step.operation === 'delete' ? {} : { order: ourOrder(step) }),
    protection: step.changes.map(protectionEffect),
    target: { level, name, phase },
  };
}

/** Returns in words what a change does to protection. */
export function protectionEffect({ protection }: RuleChange): string {
  return protectionText(protection);
}

function protectionText(protection: Protection): string {
  return protection.kind === 'neutral' ? protection.kind : `${protection.kind} (${protection.reason})`;
}

/** Returns our rules in their final order. Rules of others between them count only if they decide beside one of ours (`beside`). */
function ourOrder(step: Step): readonly string[] {
  const others = new Set(othersOf(step));
  return orderTexts(step).filter((id) => !others.has(id));
}

function descriptionEffect(
  description: string | { readonly before: string; readonly after: string },
): JsonValue {
  return typeof description === 'string'
    ? description
    : { after: description.after, before: description.before };
}

/**
 * Returns what a change does, without what the service assigns, and what it replaces: a change that finds other content undoes somebody's edit too.
 * The keys are in code-unit order, so that `JSON.stringify` gives the text of
 * `canonicalJson` in half the time.
 */
export function changeEffect(change: RuleChange): JsonValue {
  switch (change.kind) {
    case 'add': {
      const { content, kind, ref, place } = change;
      return { ...besideEffect(place), content: contentEffect(content), kind, ref };
    }
    case 'patch':
      return {
        adopts: change.adopts ?? null,
        before: contentEffect(change.before),
        ...besideEffect(change.place),
        content: contentEffect(change.content),
        id: change.id,
        kind: 'patch',
        moves: change.move !== undefined,
        ref: change.ref,
      };
    case 'move':
      return { ...besideEffect(change.move.to), id: change.id, kind: change.kind };
    case 'delete':
      return { before: contentEffect(change.before), id: change.id, kind: change.kind };
    default:
      return assertNever(change);
  }
}

function besideEffect({ beside }: RulePosition): JsonObject {
  return beside === undefined ? {} : { beside };
}

function contentEffect(content: RuleContent): JsonValue {
  return inKeyOrder(canonicalContent(content));
}

/** What a plan of many scopes needs from each scope, so that the scopes themselves need not be kept in memory. */
export interface ScopeFacts {
  /** SHA-256 (hex) of the scope's effect. */
  readonly effect: string;
  /** SHA-256 (hex) of the scope's JSON as in the document, without white space. */
  readonly text: string;
  readonly summary: PlanSummary;
  /** Numbers of live and changing rules; absent when nothing changes. */
  readonly counts?: RuleCounts;
}

const NO_CHANGE = addSummaries([]);

/** Extracts these facts from the plan of a scope. */
export function factsOf(plan: ScopePlan): ScopeFacts {
  const text = hash('sha256', JSON.stringify(plan));
  const effect = scopeEffect(plan);
  return plan.kind === 'failed' || !changesScope(plan)
    ? { effect, text, summary: NO_CHANGE }
    : { effect, text, summary: summarise([plan]), counts: totalCounts(plan.steps.map(countRules)) };
}

/** Combines the facts of all scopes into the summary and the digest. */
export function wholeOf(facts: readonly ScopeFacts[]): Pick<Plan, 'summary' | 'digest'> {
  return {
    summary: addSummaries(facts.map(({ summary }) => summary)),
    digest: canonicalDigest(facts.map(({ effect }) => effect)),
  };
}

/** Counts what a plan changes. A rule counts once; a patched rule that moves counts as patched. */
export function summarise(scopes: readonly ScopePlan[]): PlanSummary {
  const rules = { add: 0, patch: 0, move: 0, delete: 0 };
  const rulesets = { create: 0, update: 0, delete: 0 };
  for (const step of allSteps(scopes)) {
    rulesets[step.operation] += 1;
    for (const change of step.changes) {
      rules[change.kind] += 1;
    }
  }
  const objects = objectSteps(scopes);
  const lists = summariseLists(objects.filter(isListStep));
  const settings = objects.filter(isSettingStep).length;
  return {
    rules,
    rulesets,
    ...(lists === null ? {} : { lists }),
    ...(settings === 0 ? {} : { settings: { update: settings } }),
  };
}

function summariseLists(steps: readonly ListStep[]): ListSummary | null {
  const lists = { create: 0, update: 0, delete: 0 };
  const items = { add: 0, change: 0, remove: 0 };
  for (const { operation, items: own } of steps) {
    lists[operation] += 1;
    items.add += own.add.length;
    items.change += own.change.length;
    items.remove += own.remove.length;
  }
  return steps.length === 0 ? null : { ...lists, items };
}

function addSummaries(summaries: readonly PlanSummary[]): PlanSummary {
  const sum = (count: (one: PlanSummary) => number): number =>
    summaries.reduce((all, one) => all + count(one), 0);
  return {
    rules: {
      add: sum(({ rules }) => rules.add),
      patch: sum(({ rules }) => rules.patch),
      move: sum(({ rules }) => rules.move),
      delete: sum(({ rules }) => rules.delete),
    },
    rulesets: {
      create: sum(({ rulesets }) => rulesets.create),
      update: sum(({ rulesets }) => rulesets.update),
      delete: sum(({ rulesets }) => rulesets.delete),
    },
    ...(summaries.some(({ lists }) => lists !== undefined)
      ? {
          lists: {
            create: sum(({ lists }) => lists?.create ?? 0),
            update: sum(({ lists }) => lists?.update ?? 0),
            delete: sum(({ lists }) => lists?.delete ?? 0),
            items: {
              add: sum(({ lists }) => lists?.items.add ?? 0),
              change: sum(({ lists }) => lists?.items.change ?? 0),
              remove: sum(({ lists }) => lists?.items.remove ?? 0),
            },
          },
        }
      : {}),
    ...(summaries.some(({ settings }) => settings !== undefined)
      ? { settings: { update: sum(({ settings }) => settings?.update ?? 0) } }
      : {}),
  };
}

/**
 * Makes the plan document of some scopes, with the findings of guards about the run as a whole. Equal inputs give equal bytes. `facts` are
 * those of the scopes, if already extracted.
 */
export function makePlan(
  baseUrl: string,
  scopes: readonly ScopePlan[],
  findings: readonly GuardFinding[] = [],
  facts: readonly ScopeFacts[] = scopes.map((scope) => factsOf(scope)),
): Plan {
  return sealPlan(
    {
      kind: 'plan',
      formatVersion: 3,
      baseUrl,
      ...wholeOf(facts),
      ...(findings.length === 0 ? {} : { findings }),
      scopes,
    },
    facts,
  );
}

/** Returns a plan with the waves in which it is carried out. */
export function withRollout(
  plan: Plan,
  rollout: PlanRollout,
  facts: readonly ScopeFacts[] = plan.scopes.map((scope) => factsOf(scope)),
): Plan {
  const { integrity: _integrity, scopes, ...rest } = plan;
  return sealPlan({ ...rest, rollout, scopes }, facts);
}

/** Adds the digest of the whole document, by which edits are noticed. */
export function sealPlan(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): Plan {
  return { ...plan, integrity: integrityOf(plan, facts) };
}

/**
 * Returns the SHA-256 (hex) of a plan without this digest: of its other top-level members, whatever their key order, and of the digests of its
 * scopes' texts.
 */
export function integrityOf(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): string {
  return canonicalDigest({ ...plan, integrity: null, scopes: facts.map(({ text }) => text) });
}

/** Whether a shard contains a scope. This depends only on the scope's name in the files, so that new scopes move no other scope. */
export function isInShard(scope: ScopeRef, { index, count }: Shard): boolean {
  const hash = createHash('sha256').update(scopeLabel(scope)).digest();
  return (hash.readUIntBE(0, 6) % count) + 1 === index;
}

/** The run that a shard is part of. */
export interface WholeRun {
  readonly shard: Shard & { readonly version: string };
  /** All scopes of the run, in the order of the files. */
  readonly whole: readonly DesiredScope[];
  readonly safety: Safety;
}

/** Adds to the plan of a shard's scopes what `mergePlans` needs to know of the whole run. */
export function planOfShard(
  plan: Plan,
  { shard, whole, safety }: WholeRun,
  facts: readonly ScopeFacts[] = plan.scopes.map((scope) => factsOf(scope)),
): Plan {
  const { index, count, version } = shard;
  const { integrity: _integrity, scopes, ...rest } = plan;
  const sealed = {
    ...rest,
    shard: {
      index,
      count,
      version,
      run: canonicalDigest({ baseUrl: plan.baseUrl, count, version, safety, whole }),
      scopes: whole.length,
      places: whole.flatMap(({ scope }, place) => (isInShard(scope, shard) ? [place] : [])),
      safety,
    },
    scopes,
  };
  return sealPlan(sealed, facts);
}
