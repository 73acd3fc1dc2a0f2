import { quoted } from '../text/index.ts';
import { act, leaveToService } from './act.ts';
import { customKey } from './prepared.ts';
import type { PreparedRule, PreparedRuleset } from './prepared.ts';
import {
  phaseSkippedBy,
  ruleSkippedBy,
  rulesetSkippedBy,
  rulesSkippedIn,
  DISABLED,
  MATCHED,
  MISSED,
  verdict,
} from './trace.ts';
import type { RulesetTrace, SimulatedVerdict, RulesetStage, TraceState } from './trace.ts';

/** Evaluates the rules of a ruleset in order and applies their effects, until the request, the phase or the ruleset ends. */
export function walkRuleset(way: TraceState, stage: RulesetStage): RulesetTrace {
  const { ruleset } = stage;
  let rest = restOf(way, ruleset);
  if (ruleset.holdsOthers && rest === undefined) {
    way.gaps.push({ kind: 'others', ruleset });
  }
  const verdicts: SimulatedVerdict[] = [];
  for (const rule of ruleset.rules) {
    if (!rule.rule.content.enabled) {
      verdicts.push(DISABLED);
    } else if (rest !== undefined) {
      verdicts.push(rest);
    } else {
      const said = ask(way, stage, rule);
      verdicts.push(said);
      if (said !== MISSED) {
        rest = skipsRest(rule, said) ?? restOf(way, ruleset);
      }
    }
  }
  return { ruleset, verdicts, values: way.values };
}

/** Returns the verdict of all further rules of a ruleset, when the request or the phase has ended or the phase is skipped. */
function restOf(way: TraceState, ruleset: PreparedRuleset): SimulatedVerdict | undefined {
  if (way.end !== undefined) {
    return unreached(way.end.rule.name);
  }
  if (way.phaseEnd !== undefined) {
    return unreached(way.phaseEnd);
  }
  if (way.skips.length === 0) {
    return undefined;
  }
  const by = phaseSkippedBy(way.skips, ruleset.phase, ruleset.scope.kind);
  return by === undefined ? undefined : verdict('skipped', `by ${quoted(by)}`);
}

function unreached(name: string): SimulatedVerdict {
  return verdict('unreached', `${quoted(name)} ends it`);
}

function skipsRest({ effect, name }: PreparedRule, { kind }: SimulatedVerdict): SimulatedVerdict | undefined {
  return kind === 'matched' && effect.kind === 'skip' && effect.skip.ruleset
    ? verdict('skipped', `by ${quoted(name)}`)
    : undefined;
}

function ask(way: TraceState, stage: RulesetStage, rule: PreparedRule): SimulatedVerdict {
  const by = way.skips.length === 0 ? undefined : ruleSkippedBy(way.skips, rule, stage.ruleset);
  if (by !== undefined) {
    return verdict('skipped', `by ${quoted(by)}`);
  }
  const assumed = way.assumed.size === 0 ? undefined : way.assumed.get(rule);
  if (assumed === undefined && (rule.undecidable !== undefined || rule.newFields.length > 0)) {
    const unknown = undecidable(way, rule);
    if (unknown !== undefined) {
      way.open.push(rule);
      return verdict('undecided', unknown);
    }
  }
  const matches = assumed ?? rule.test(way.values);
  if (matches === undefined && rule.missing !== undefined) {
    way.open.push(rule);
    return UNKNOWN;
  }
  if (matches === undefined) {
    return verdict('opaque', 'which URLs a list of redirects matches is known to the service only');
  }
  if (!matches) {
    return MISSED;
  }
  const { ineffective } = rule;
  if (ineffective !== undefined) {
    return way.recorded === undefined
      ? verdict('undecided', ineffective)
      : leaveToService(way, { rule, ruleset: stage.ruleset }, () => ineffective);
  }
  const { effect } = rule;
  return effect.kind === 'execute'
    ? execute(way, stage, { rule, reference: effect.reference })
    : act(way, { rule, ruleset: stage.ruleset, effect });
}

const UNKNOWN = verdict('undecided', 'it depends on what the record does not say');

const NESTED: SimulatedVerdict = {
  ...verdict('undecided', 'a custom ruleset executes no other one'),
  isMet: true,
};

/** Returns why nobody here can tell whether a rule matches; undefined if it can be told. */
function undecidable(
  { values }: TraceState,
  { undecidable: why, newFields, test }: PreparedRule,
): string | undefined {
  const missing = newFields.filter((name) => !values.has(name));
  return why === undefined && missing.length > 0 && test(values) === undefined
    ? `what ${missing.join(', ')} is here is known to the service only`
    : why;
}

/** Executes a custom ruleset of the same scope and phase, one level deep (api.md 4.4). */
function execute(
  way: TraceState,
  { ruleset, scope }: RulesetStage,
  { rule, reference }: { readonly rule: PreparedRule; readonly reference: string },
): SimulatedVerdict {
  const level = ruleset.scope.kind;
  const by = rulesetSkippedBy(way.skips, reference, level);
  if (by !== undefined) {
    return verdict('skipped', `by ${quoted(by)}`);
  }
  if (ruleset.reference !== undefined) {
    return NESTED;
  }
  const target = scope.custom.get(customKey(ruleset.phase, reference));
  if (target !== undefined) {
    return { ...MATCHED, inner: walkRuleset(way, { ruleset: target, scope }) };
  }
  return leaveToService(way, { rule, ruleset }, () => {
    const without = rulesSkippedIn(way.skips, reference, level);
    const but = without.length === 0 ? '' : `, but for rules that are skipped: ${without.join(', ')}`;
    return `runs ${reference}, whose rules are known to the service only${but}`;
  });
}
