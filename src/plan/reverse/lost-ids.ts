import type { PlanNote } from '../../model/plan.ts';

/** That a rule which was deleted comes back, but not with its id. */
export function ruleLosesId(step: string, ref: string, old: string): PlanNote {
  const message = `comes back with its ref and a new id; the old one was ${old}`;
  return { kind: 'id-lost', step, rule: ref, message };
}

/** That a ruleset which was deleted comes back, but neither with its id nor with its history. */
export function rulesetLosesId(step: string, old: string): PlanNote {
  const message = `comes back with a new id, without its versions; the old id was ${old}`;
  return { kind: 'id-lost', step, rule: '', message };
}
