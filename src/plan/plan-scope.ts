import {
  addressKey,
  baseOf,
  addressOfRuleset,
  directsRules,
  executedReference,
  stepId,
  formatPlace,
  isReplaced,
  isWritten,
  planLevelOf,
  planName,
  phaseFacts,
  splitReference,
  scopeLabel,
} from '../model/index.ts';
import type {
  BaseRecord,
  PlanError,
  PlannedScope,
  PlanNote,
  ScopePlan,
  Step,
  DesiredRuleset,
  RuleOwnership,
  RulesetAddress,
  Cause,
  SourceSpan,
  DesiredScope,
  LiveEntry,
  LiveScope,
  LiveSlot,
  GuardFinding,
  PlanLevel,
  RuleContent,
  Scope,
} from '../model/index.ts';
import { slug, oneLine, someNames } from '../text/index.ts';
import { checkReferenced, rulesLeft } from './guard/referenced.ts';
import { nameRules } from './match/name-rules.ts';
import type { NamedRule } from './match/name-rules.ts';
import { withEndings } from './impact/terminating-changes.ts';
import { withSofterInside, executedRulesets } from './impact/executed-rulesets.ts';
import { withRewritten } from './impact/rewritten-rules.ts';
import { orderSteps } from './order-steps.ts';
import type { RulesetPlan } from './plan-ruleset.ts';
import { planRuleset } from './plan-ruleset.ts';
import { targetOf } from './names/ruleset-names.ts';
import { checkQuota } from './quota/check-quota.ts';
import { resolveTargets } from './names/resolve-targets.ts';
import type { TargetIndex, UnresolvedTarget } from './names/resolve-targets.ts';
import { lacks } from '../entitlements/index.ts';
import type { FeatureUse } from '../entitlements/index.ts';

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/**
 * Warns of features that rules use and the zone's plan level does not include. Only warns, since the service may accept them with add-ons.
 * Nothing when the level is not known.
 */
function checkEntitlements(steps: readonly Step[], scope: Scope): readonly GuardFinding[] {
  const level = levelOf(scope);
  return level === undefined ? [] : steps.flatMap((step) => stepFindings(step, level));
}

/** Warns where the files say another plan level than the zone has: then `validate` judged by what is not so. */
function checkStatedLevel({ plan: stated, planCause }: DesiredScope, scope: Scope): readonly GuardFinding[] {
  const level = levelOf(scope);
  if (stated === undefined || level === undefined || stated === level) {
    return [];
  }
  const place = planCause === undefined ? '' : `${formatPlace(planCause)}: `;
  return [
    {
      kind: 'quota',
      effect: 'warn',
      message: `${place}the files say ${scopeLabel(scope)} is on the ${planName(stated)} plan, and it is on the ${planName(level)} plan: correct the files, so that \`validate\` judges by the right one`,
    },
  ];
}

function levelOf({ kind, plan }: Scope): PlanLevel | undefined {
  return kind === 'zone' ? planLevelOf(plan) : undefined;
}

function stepFindings(step: Step, level: PlanLevel): readonly GuardFinding[] {
  const found = new Map<string, string[]>();
  for (const change of step.changes.filter(isWritten)) {
    const now = lacks(useOf(change.content, step, level));
    // A feature that the live rule uses already was accepted, so it was bought.
    const before = now.length > 0 && change.kind === 'patch' ? lacks(useOf(change.before, step, level)) : [];
    for (const { text } of now.filter(({ name }) => !before.some((one) => one.name === name))) {
      found.set(text, [...(found.get(text) ?? []), change.ref]);
    }
  }
  return [...found].map(([what, refs]): GuardFinding => {
    const [rule] = refs;
    const who = someNames(refs, MOST_NAMED);
    return {
      kind: 'quota',
      effect: 'warn',
      step: step.id,
      ...(refs.length === 1 && rule !== undefined ? { rule } : {}),
      message: `${step.id}: ${who} ${refs.length === 1 ? 'uses' : 'use'} ${what}; the zone is on the ${planName(level)} plan. The service has the last word`,
    };
  });
}

function useOf(content: RuleContent, { target: { phase } }: Step, level: PlanLevel): FeatureUse {
  const { action_parameters: parameters = {}, ratelimit = {} } = content;
  return { content, parameters, ratelimit, phase: phaseFacts(phase), level };
}

/**
 * Plans one scope: the steps that turn `live` into `desired`, with the bases they were planned from. An unresolved reference fails the whole
 * scope, so that nothing is done by halves.
 */
export function planScope(desired: DesiredScope, live: LiveScope): ScopePlan {
  const { scope } = live;
  const slots = new Map(live.entries.map((entry) => [addressKey(entry.address), entry.slot]));
  const unwanted = new Set(undeclared(desired, live.entries));
  const wanted = [...desired.rulesets, ...unwanted];
  const index: TargetIndex = { catalogue: live.catalogue, created: createdRulesets(wanted, slots) };
  const plans = planRulesets(wanted, { live, slots, index });
  const steps: Step[] = [];
  const notes: PlanNote[] = [];
  const bases: BaseRecord[] = [];
  const unread: string[] = [];
  const unresolved: UnresolvedIn[] = [];
  const claims: string[] = [];

  for (const ruleset of wanted) {
    const slot = slots.get(addressKey(ruleset.address));
    if (slot === undefined) {
      unread.push(ruleset.address.phase);
      continue;
    }
    const plan = plans.get(ruleset);
    if (plan !== undefined) {
      unresolved.push(...plan.unresolved);
      claims.push(...plan.problems);
      steps.push(
        ...(plan.step === null ? [] : [unwanted.has(ruleset) ? withoutCause(plan.step) : plan.step]),
      );
      notes.push(...plan.notes);
    }
    bases.push(baseRecord(scope, ruleset.address, slot));
  }
  const failed = (error: PlanError): ScopePlan => ({ kind: 'failed', scope: desired.scope, error });
  if (unread.length > 0) {
    return failed(unreadError(unread));
  }
  if (unresolved.length > 0) {
    return failed(unresolvedError(unresolved, scope));
  }
  if (claims.length > 0) {
    return failed(claimError(claims));
  }
  const twins = steps.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index);
  if (twins.length > 0) {
    return failed(twinError(twins));
  }
  const ordered = orderSteps(steps);
  if (ordered.kind === 'cycle') {
    return failed(cycleError(ordered.steps));
  }
  const checked = checkQuota(ordered.steps, live);
  return {
    kind: 'planned',
    scope,
    tokenEnv: desired.tokenEnv,
    bases,
    steps: withEndings(withRewritten(withSofterInside(checked.steps, live), live), live),
    findings: [
      ...checkReferenced(checked.steps, live),
      ...checked.findings,
      ...checkEntitlements(checked.steps, scope),
      ...checkStatedLevel(desired, scope),
    ],
    ...(desired.timeZone === undefined ? {} : { timeZone: desired.timeZone }),
    notes: [
      ...notes,
      ...checked.notes,
      ...unseenNotes(live),
      ...undeclaredNotes(checked.steps, live, wanted),
    ],
  };
}

/** The plan of one ruleset, and the references of its rules that could not be resolved. */
interface ResolvedPlan extends RulesetPlan {
  readonly unresolved: readonly UnresolvedIn[];
}

/** Plans the rulesets that were read, custom ones first: judging a rule that executes one takes the contents of that ruleset. */
function planRulesets(
  wanted: readonly DesiredRuleset[],
  {
    live,
    slots,
    index,
  }: {
    readonly live: LiveScope;
    readonly slots: ReadonlyMap<string, LiveSlot>;
    readonly index: TargetIndex;
  },
): ReadonlyMap<DesiredRuleset, ResolvedPlan> {
  const steps = new Map<string, Step | null>();
  const executed = executedRulesets(live, (address) => steps.get(addressKey(address)));
  const plans = new Map<DesiredRuleset, ResolvedPlan>();
  const isCustom = ({ address }: DesiredRuleset): boolean => address.kind === 'custom';
  for (const desired of [...wanted.filter(isCustom), ...wanted.filter((one) => !isCustom(one))]) {
    const key = addressKey(desired.address);
    const slot = slots.get(key);
    if (slot !== undefined) {
      const { rules, unresolved } = resolveRules(desired, index);
      const known = isCustom(desired) ? {} : { executed };
      const plan = planRuleset({ scope: live.scope, desired, rules, slot, ...known });
      steps.set(key, plan.step);
      plans.set(desired, { ...plan, unresolved });
    }
  }
  return plans;
}

/**
 * Returns the undeclared rulesets that are to be deleted, unless the files leave undeclared rulesets alone. Entry points without rules are left
 * out, since they do nothing. To show what nobody manages, it makes no difference whose the rules are.
 */
function undeclared(desired: DesiredScope, entries: readonly LiveEntry[]): readonly DesiredRuleset[] {
  if (desired.rulesetOwnership === 'declared' || desired.rulesetOwnership === 'listed') {
    return [];
  }
  const declared = new Set(desired.rulesets.map((ruleset) => addressKey(ruleset.address)));
  const ownership: RuleOwnership = (desired.rulesetOwnership === 'all'
    ? desired.ruleOwnership
    : undefined) ?? { kind: 'all' };
  return entries
    .filter(({ address, slot }) => {
      const does = address.kind === 'custom' || (slot.kind === 'present' && slot.ruleset.rules.length > 0);
      return does && !declared.has(addressKey(address));
    })
    .map(({ address }) => ({
      address,
      presence: 'absent',
      rules: [],
      ownership,
      place: 'any',
      cause: desired.cause,
    }));
}

function withoutCause({ cause: _cause, ...step }: Step): Step {
  return step;
}

/** Notes the rulesets that could not be read, so that nobody takes them for empty. */
function unseenNotes({ scope, unseen = [] }: LiveScope): readonly PlanNote[] {
  return unseen.map(({ address, reason }) => ({
    kind: 'not-compared',
    step: stepId(scope, address),
    rule: '',
    message: `no file declares it, and it was not looked at: ${reason}`,
  }));
}

function createdRulesets(
  wanted: readonly DesiredRuleset[],
  slots: ReadonlyMap<string, LiveSlot>,
): TargetIndex['created'] {
  return wanted.flatMap(({ address, presence }) =>
    address.kind === 'custom' && presence === 'present' && slots.get(addressKey(address))?.kind === 'absent'
      ? [{ slug: slug(address.name), phase: address.phase }]
      : [],
  );
}

/** An unresolved reference with its place in the files, or if that is not known the place of its rule. */
interface UnresolvedIn extends UnresolvedTarget {
  readonly place: SourceSpan | Cause;
}

function resolveRules(
  ruleset: DesiredRuleset,
  index: TargetIndex,
): { readonly rules: readonly NamedRule[]; readonly unresolved: readonly UnresolvedIn[] } {
  if (!ruleset.rules.some((rule) => directsRules(rule.content.action))) {
    return { rules: nameRules(ruleset.rules), unresolved: [] };
  }
  const unresolved: UnresolvedIn[] = [];
  const rules = ruleset.rules.map((rule) => {
    if (rule.anchor === true) {
      return rule;
    }
    const { cause, rulesets = [] } = rule;
    const { content, unresolved: targets } = resolveTargets(rule.content, ruleset.address.phase, index);
    unresolved.push(
      ...targets.map((target) => {
        const use = rulesets.find(({ reference }) => reference === target.reference);
        return { ...target, place: use?.where ?? cause };
      }),
    );
    return content === rule.content ? rule : { ...rule, content };
  });
  return { rules: nameRules(rules), unresolved };
}

/** The error for phases that were not read, which must not be taken for empty. */
function unreadError(phases: readonly string[]): PlanError {
  return { code: 'plan/not-read', message: phases.map((phase) => `${phase} was not read`).join('\n') };
}

function unresolvedError(unresolved: readonly UnresolvedIn[], { kind }: PlannedScope['scope']): PlanError {
  const mayBeAbove =
    kind === 'zone' && unresolved.some(({ reference }) => splitReference(reference)[0] === 'custom');
  return {
    code: 'plan/unresolved-reference',
    message: unresolved
      .map(({ place, reference, reason }) => `${formatPlace(place)}: ${reference}: ${reason}`)
      .join('\n'),
    hint: `a reference is managed:<name>, custom:<name> (lower case, dashes), or the 32-hex id of a ruleset${
      mayBeAbove ? '; custom rulesets of the account run from its own entry points only' : ''
    }`,
  };
}

/** The error for names with equal slugs, which cannot be told apart in references and step ids. */
function twinError(ids: readonly string[]): PlanError {
  return {
    code: 'plan/ambiguous-name',
    message: `two custom rulesets of one phase have the same short name: ${[...new Set(ids)].join(', ')}`,
    hint: 'rename one of them, or leave undeclared custom rulesets alone with `ownership: { rulesets: declared }`',
  };
}

function cycleError(ids: readonly string[]): PlanError {
  return {
    code: 'plan/reference-cycle',
    message: `these steps wait for each other, since their custom rulesets name each other: ${ids.join(', ')}`,
    hint: 'apply without one of the references first, then add it',
  };
}

function claimError(claims: readonly string[]): PlanError {
  return {
    code: 'plan/rule-claimed',
    message: claims.join('\n'),
    hint: 'let each of these rules mean one live rule: give it a ref of its own, say adopt: true to take the live rule over, or take its id out',
  };
}

function baseRecord(scope: PlannedScope['scope'], address: RulesetAddress, slot: LiveSlot): BaseRecord {
  const live = slot.kind === 'present' ? slot.ruleset : null;
  return { target: targetOf(scope, address, live), base: baseOf(live) };
}

/**
 * Notes the custom rulesets that no rule executes any more and that nobody declares, as after a new name in the files: nothing is planned for
 * them, and no later plan or drift mentions them.
 */
function undeclaredNotes(
  steps: readonly Step[],
  live: LiveScope,
  wanted: readonly DesiredRuleset[],
): readonly PlanNote[] {
  const dropped = steps.flatMap((step) =>
    step.changes.filter(isReplaced).flatMap((change) => {
      const reference = executedReference(change.before);
      const head = live.catalogue.find(({ id, kind }) => kind === 'custom' && id === reference);
      return head === undefined ? [] : [{ step, change, head }];
    }),
  );
  if (dropped.length === 0) {
    return [];
  }
  const executed = new Set(rulesLeft(steps, live).map(({ content }) => executedReference(content)));
  const declared = new Set(wanted.map(({ address }) => addressKey(address)));
  const left = dropped.filter(
    ({ head }, index) =>
      !executed.has(head.id) &&
      !declared.has(addressKey(addressOfRuleset(head))) &&
      dropped.findIndex((one) => one.head.id === head.id) === index,
  );
  return left.map(({ step, change, head }) => ({
    kind: 'left-live',
    step: step.id,
    rule: change.ref,
    message: `the files neither execute nor declare the custom ruleset ${oneLine(head.name)} (${head.id}): it stays live, with its rules. To delete it, declare its name with absent: true`,
  }));
}
