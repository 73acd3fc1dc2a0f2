import { directsRules, skipOf, skipsPhase } from '../../model/index.ts';
import type { Skip } from '../../model/index.ts';
import { TRIED } from '../../simulate/index.ts';
import type { Requests } from '../../simulate/index.ts';
import type { EffectContext } from './security-effect.ts';
import { hitsOf, isEnding } from './every-request.ts';
import { executedBy } from './phase-rules.ts';
import type { PhaseRules, RuleInPhase, RulesInPhase, PlanSide } from './phase-rules.ts';

/** Ordinary requests that a rule ends, or lets past later rules. */
export interface RuleHits {
  readonly rule: RuleInPhase;
  /** The rule that executes this rule's ruleset; undefined in the ruleset in which the walk began. */
  readonly by: RuleInPhase | undefined;
  readonly requests: Requests;
}

/** What the rules do to ordinary requests. */
export interface RulesWalk {
  readonly ended: Requests;
  readonly ends: readonly RuleHits[];
  readonly skips: readonly RuleHits[];
}

interface Walk {
  readonly phase: PhaseRules;
  readonly side: PlanSide;
  readonly context: EffectContext;
  readonly ends: RuleHits[];
  readonly skips: RuleHits[];
  /** Requests for which a ruleset is not executed, or a rule is not run, by `<ruleset>` or `<ruleset> <rule>`. */
  readonly skipped: Map<string, Requests>;
}

/**
 * Sends all ordinary requests at once through the rules of an entry point, as `walkRuleset` of the simulation sends one (api.md 4.3, 4.4, 5.4).
 * If it is not known whether a request meets a condition, it counts as not ended but as skipped: a missed alarm is better than a false one.
 */
export function walkRules(
  rules: RulesInPhase,
  {
    phase,
    side,
    context,
  }: { readonly phase: PhaseRules; readonly side: PlanSide; readonly context: EffectContext },
): RulesWalk {
  const walk: Walk = { phase, side, context, ends: [], skips: [], skipped: new Map() };
  walkRuleset(walk, rules, { requests: TRIED, by: undefined, reference: '' });
  return { ...walk, ended: walk.ends.reduce((ended, { requests }) => ended | requests, 0) };
}

/** The requests that reach a ruleset. */
interface Coming {
  readonly requests: Requests;
  readonly by: RuleInPhase | undefined;
  readonly reference: string;
}

/** Walks a ruleset; returns the requests that go on after it. */
function walkRuleset(walk: Walk, ruleset: RulesInPhase, { requests, by, reference }: Coming): Requests {
  const { side, context } = walk;
  let going = requests;
  let behind = 0;
  for (const rule of ruleset[side]) {
    const content = rule[side];
    if (going === 0) {
      break;
    }
    if (content?.enabled !== true || !(isEnding(content) || directsRules(content.action))) {
      continue;
    }
    const { least, most } = hitsOf([content.expression], context);
    const skip = skipOf(content);
    const asked = going & ~skippedRequests(walk, `${reference} ${rule.id}`);
    if (isEnding(content)) {
      note(walk.ends, { rule, by, requests: asked & least });
      going &= ~(asked & least);
    } else if (skip !== undefined) {
      const { left, out } = applySkip(walk, skip, asked & most);
      note(walk.skips, { rule, by, requests: asked & most });
      going &= ~left;
      behind |= left & ~out;
    } else if (by === undefined) {
      going = execute(walk, rule, { going, met: asked & least });
    }
  }
  return going | behind;
}

/** Applies a skip; returns the requests that leave the ruleset, and those of them that leave the phase too. */
function applySkip(walk: Walk, skip: Skip, requests: Requests) {
  const named = [
    ...skip.rulesets,
    ...[...skip.rules].flatMap(([name, ids]) => ids.map((id) => `${name} ${id}`)),
  ];
  for (const name of named) {
    walk.skipped.set(name, skippedRequests(walk, name) | requests);
  }
  const out = skipsPhase(skip, walk.phase.phase, walk.phase.phase) ? requests : 0;
  return { left: skip.ruleset ? requests : out, out };
}

/** Applies an `execute`; returns the requests that go on after the rule. */
function execute(
  walk: Walk,
  rule: RuleInPhase,
  { going, met }: { readonly going: Requests; readonly met: Requests },
): Requests {
  const reference = executedBy(rule[walk.side]) ?? '';
  const ruleset = walk.phase.custom.get(reference);
  const coming = met & ~skippedRequests(walk, reference);
  if (ruleset === undefined || coming === 0) {
    return going;
  }
  return (going & ~coming) | walkRuleset(walk, ruleset, { requests: coming, by: rule, reference });
}

function skippedRequests({ skipped }: Walk, name: string): Requests {
  return skipped.get(name) ?? 0;
}

function note(list: RuleHits[], met: RuleHits): void {
  if (met.requests !== 0) {
    list.push(met);
  }
}
