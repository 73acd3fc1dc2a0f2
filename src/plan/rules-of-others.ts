import type {
  DeleteRule,
  PlannedScope,
  PlanNote,
  Step,
  RuleOwnership,
  DesiredScope,
  LiveScope,
} from '../model/index.ts';
import { ruleNameOf, addressKey, shortName, skipsRest, stepId } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { isIgnored } from './compare/ignore.ts';
import { addressOf } from './names/ruleset-names.ts';
import { planScope } from './plan-scope.ts';
import { owns } from './match/name-rules.ts';

/** Returns the scope as if all rules of its rulesets were ours, so that rules of others show up as unwanted. */
export function owningAll(desired: DesiredScope): DesiredScope {
  const rulesets = desired.rulesets.map((ruleset) => ({ ...ruleset, ownership: { kind: 'all' } }) as const);
  return { ...desired, rulesets };
}

/**
 * Adds notes that name what is live and no file declares, as far as the scope was read: rulesets that were only listed, and rules of others in
 * declared rulesets.
 */
export function namingUndeclared(plan: PlannedScope, desired: DesiredScope, live: LiveScope): PlannedScope {
  const notes = [...undeclaredNotes(live), ...otherRulesNotes(plan, desired, live)];
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}

/**
 * Adds the notes of drift on rules of others in declared rulesets. If the plan shows these rules (it was made with `owningAll`), the notes say
 * that they belong to others; if it leaves them alone, what they do to every request, judged by an `owningAll` plan so that both agree.
 */
export function notingOthers(plan: PlannedScope, desired: DesiredScope, live: LiveScope): PlannedScope {
  const ownerships = ownershipsIn(desired);
  const notes =
    desired.rulesetOwnership === 'everything'
      ? ofOthers(plan.steps, ownerships).map(({ step, change }) =>
          noteOf(step, change, {
            kind: 'unowned',
            message: `is a rule of others: ${BECOMES[step.operation]}`,
          }),
        )
      : everywhere(desired, live, ownerships);
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}

/** What `apply` does with a rule of others. */
const BECOMES: Readonly<Record<Step['operation'], string>> = {
  create: 'apply leaves it as it is',
  update: 'apply leaves it as it is',
  delete: 'apply deletes it with its ruleset, once that is allowed',
};

/** Notes the rulesets that the list of the scope has and that nobody looked at. */
function undeclaredNotes({ scope, undeclared = [] }: LiveScope): readonly PlanNote[] {
  return undeclared.map((address) => ({
    kind: 'undeclared',
    step: stepId(scope, address),
    rule: '',
    message: 'no file declares it, and only drift --unmanaged compares it',
  }));
}

/** The most rules of others in a ruleset that are named. */
const NAMED = 5;

/** Notes the rules of others in each declared ruleset, except those that are ignored or that the plan changes. */
function otherRulesNotes(
  { steps }: PlannedScope,
  { rulesets }: DesiredScope,
  { scope, entries }: LiveScope,
): readonly PlanNote[] {
  const changed = new Set(
    steps.flatMap(({ changes }) => changes.flatMap((change) => (change.kind === 'add' ? [] : change.id))),
  );
  const live = new Map(entries.map(({ address, slot }) => [addressKey(address), slot]));
  return rulesets.flatMap(({ address, ownership, ignore = [], rules, cause }): readonly PlanNote[] => {
    const slot = live.get(addressKey(address));
    if (ownership.kind === 'all' || slot?.kind !== 'present') {
      return [];
    }
    const ours = new Set(rules.flatMap(({ ref }) => ref ?? []));
    const others = slot.ruleset.rules.filter(
      (rule) =>
        !owns(ownership, rule) &&
        !ours.has(rule.ref) &&
        !changed.has(rule.id) &&
        !isIgnored(ignore, rule.ref),
    );
    const names = others.map(({ ref, content }) => shortName(ref, content.description));
    const message = `${counted(others.length, 'rule')} of others: ${someNames(names, NAMED)}`;
    return others.length === 0
      ? []
      : [{ kind: 'undeclared-rules', step: stepId(scope, address), rule: '', message, cause }];
  });
}

/** By `addressKey`. */
type Ownerships = ReadonlyMap<string, RuleOwnership>;

function ownershipsIn({ rulesets }: DesiredScope): Ownerships {
  return new Map(rulesets.map(({ address, ownership }) => [addressKey(address), ownership]));
}

/** Notes what rules of others do to every request. Usually there are no such rules, and then no second plan is made. */
function everywhere(desired: DesiredScope, live: LiveScope, ownerships: Ownerships): readonly PlanNote[] {
  const hasOthers = live.entries.some(({ address, slot }) => {
    const ownership = ownerships.get(addressKey(address));
    return (
      ownership !== undefined &&
      slot.kind === 'present' &&
      slot.ruleset.rules.some((rule) => !owns(ownership, rule))
    );
  });
  const shown = hasOthers ? planScope(owningAll(desired), live) : undefined;
  return shown?.kind !== 'planned'
    ? []
    : ofOthers(shown.steps, ownerships).flatMap(({ step, change }) =>
        [isBehindSkip(change, step, live) ? undefined : change.ends?.back, change.opens?.back].flatMap(
          (does) =>
            does === undefined
              ? []
              : [
                  noteOf(step, change, {
                    kind: 'unowned-every-request',
                    message: `is a rule of others, and ${does}; if that is intended, list it in ignore`,
                  }),
                ],
        ),
      );
}

/**
 * Whether an enabled skip of all later rules stands before the rule: what the rule blocks is then only what the skip does not let past, as with
 * an allow list. A warning that returns every night must not be false.
 */
function isBehindSkip({ id }: DeleteRule, { target, base }: Step, { entries }: LiveScope): boolean {
  const rulesets = entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
  const rules = rulesets.find((ruleset) => base.kind === 'version' && ruleset.id === base.id)?.rules ?? [];
  return rules
    .slice(
      0,
      rules.findIndex((rule) => rule.id === id),
    )
    .some(({ content }) => content.enabled && skipsRest(content, target.phase));
}

interface OfOthers {
  readonly step: Step;
  readonly change: DeleteRule;
}

function ofOthers(steps: readonly Step[], ownerships: Ownerships): readonly OfOthers[] {
  return steps.flatMap((step) => {
    const ownership = ownerships.get(addressKey(addressOf(step.target)));
    return ownership === undefined
      ? []
      : step.changes.flatMap((change) =>
          change.kind === 'delete' && !owns(ownership, change) ? [{ step, change }] : [],
        );
  });
}

function noteOf({ id, cause }: Step, change: DeleteRule, says: Pick<PlanNote, 'kind' | 'message'>): PlanNote {
  return { ...says, step: id, ...ruleNameOf(change), cause };
}
