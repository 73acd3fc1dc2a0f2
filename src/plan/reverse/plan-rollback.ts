import { describedName, ruleName, addressOfRuleset, stepId, contentToWire } from '../../model/index.ts';
import type {
  RuleName,
  PlanNote,
  ScopePlan,
  Step,
  GuardFinding,
  LiveRuleset,
  LiveRulesetHead,
  Scope,
  LiveRule,
} from '../../model/index.ts';
import { jsonEqual } from '../../data/index.ts';
import { restoreScope, isInShare, othersRules, WHOLE } from './restore-scope.ts';
import type { RestoredShare } from './restore-scope.ts';

/** A live ruleset, one of its versions, and what planning needs besides. */
interface RollbackInput {
  readonly scope: Scope;
  readonly live: LiveRuleset;
  readonly version: LiveRuleset;
  /** The managed rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
  /** The part of the ruleset that is ours. */
  readonly share: RestoredShare;
  /** What is rolled back: our share, or the whole ruleset. */
  readonly extent: 'share' | 'whole';
}

/**
 * Plans to give a ruleset the rules of one of its versions again. Rules that are still live keep their id; deleted ones come back with their
 * `ref` and a new id, and notes say so. What is not ours stays as and where it is, named in notes; if the whole version is wanted, findings
 * name what of it would be touched.
 */
export function planRollback({ scope, live, version, catalogue, share, extent }: RollbackInput): ScopePlan {
  const address = addressOfRuleset(live);
  const about = extent === 'whole' ? WHOLE : share;
  const plan = restoreScope({
    scope,
    rulesets: [{ address, before: version, live, share: about }],
    catalogue,
    cause: { version: version.version },
  });
  if (plan.kind === 'failed') {
    return plan;
  }
  const task = { version, live, share };
  return extent === 'whole'
    ? { ...plan, findings: [...othersFindings(plan.steps, task), ...plan.findings] }
    : { ...plan, notes: [...keptNotes(stepId(scope, address), task), ...plan.notes] };
}

/** A live ruleset, one of its versions, and the part that is ours. */
interface Versions {
  readonly version: LiveRuleset;
  readonly live: LiveRuleset;
  readonly share: RestoredShare;
}

/** Notes what a rollback leaves as it is because it is not ours: every rule of others that differs from the version. */
function keptNotes(step: string, { version, live, share }: Versions): readonly PlanNote[] {
  const pairs = othersRules(version, live, share);
  const since = `since version ${version.version}`;
  const kept = (rule: LiveRule, what: string): PlanNote => {
    const reason = isInShare({ ...share, ignore: [] }, rule) ? 'the files let it differ' : 'it is not ours';
    return { kind: 'kept', step, ...nameOf(rule), message: `${what}: ${reason}` };
  };
  const stood = new Map(pairs.map((pair) => [pair.live.id, pair]));
  const returned = new Set(pairs.map(({ former }) => former.id));
  const alive = new Set(live.rules.map(({ id }) => id));
  return [
    ...live.rules.flatMap((rule): readonly PlanNote[] => {
      if (isInShare(share, rule)) {
        return [];
      }
      const pair = stood.get(rule.id);
      if (pair === undefined) {
        return [kept(rule, `came ${since} and stays`)];
      }
      return isSame(pair.former, rule)
        ? pair.stayed
          ? []
          : [kept(rule, `moved ${since} and stays where it is`)]
        : [kept(rule, `changed ${since} and stays as it is`)];
    }),
    ...version.rules.flatMap((rule) =>
      isInShare(share, rule) || returned.has(rule.id) || alive.has(rule.id)
        ? []
        : [kept(rule, `went ${since} and does not come back`)],
    ),
  ];
}

function nameOf({ ref, content }: LiveRule): RuleName {
  return ruleName(ref, content.description);
}

function isSame(former: LiveRule, live: LiveRule): boolean {
  return (
    former.id === live.id &&
    former.ref === live.ref &&
    jsonEqual(contentToWire(former.content), contentToWire(live.content))
  );
}

const DONE_TO_OTHERS = { add: 'brought back', patch: 'changed', move: 'moved', delete: 'deleted' } as const;

/** Finds the rules that are not ours but that a rollback to the whole version touches. */
function othersFindings(steps: readonly Step[], { version, live, share }: Versions): readonly GuardFinding[] {
  const alive = new Map(live.rules.map((rule) => [rule.id, rule]));
  const former = new Map(version.rules.map((rule) => [rule.ref, rule]));
  return steps.flatMap((step) =>
    step.changes.flatMap((change): readonly GuardFinding[] => {
      const rule = change.kind === 'add' ? former.get(change.ref) : alive.get(change.id);
      return rule === undefined || isInShare(share, rule)
        ? []
        : [
            {
              kind: 'foreign',
              effect: 'warn',
              step: step.id,
              ...nameOf(rule),
              message: `${step.id}: rule ${describedName(rule.ref, rule.content.description)} is not ours and would be ${DONE_TO_OTHERS[change.kind]}`,
            },
          ];
    }),
  );
}
