import type { GuardFinding, PlanNote, Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { jsonEqual } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Share } from './share.ts';
import { isInShare, othersRules } from './share.ts';

/** A ruleset, one of its versions, and what of it is ours. */
interface Versions {
  readonly version: LiveRuleset;
  readonly live: LiveRuleset;
  readonly share: Share;
}

/** What a way back leaves as it is because it is not ours: every rule of others that differs from the version. */
export function keptNotes(step: string, { version, live, share }: Versions): readonly PlanNote[] {
  const pairs = othersRules(version, live, share);
  const since = `since version ${version.version}`;
  const kept = (rule: LiveRule, what: string): PlanNote => {
    const reason = isInShare({ ...share, ignore: [] }, rule) ? 'the files let it differ' : 'it is not ours';
    return { kind: 'kept', step, rule: rule.ref, message: `${what}: ${reason}` };
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

function isSame(former: LiveRule, live: LiveRule): boolean {
  return (
    former.id === live.id &&
    former.ref === live.ref &&
    jsonEqual(contentToWire(former.content), contentToWire(live.content))
  );
}

const DONE_TO_OTHERS = { add: 'brought back', patch: 'changed', move: 'moved', delete: 'deleted' } as const;

/** The rules that are not ours and that a whole version touches all the same. */
export function othersFindings(
  steps: readonly Step[],
  { version, live, share }: Versions,
): readonly GuardFinding[] {
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
              rule: rule.ref,
              message: `${step.id}: rule ${rule.ref} is not ours and would be ${DONE_TO_OTHERS[change.kind]}`,
            },
          ];
    }),
  );
}
