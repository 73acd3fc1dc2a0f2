import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { JsonObject } from '../../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../../model/json.ts';
import { phaseFacts, phaseOrder } from '../../../model/phase.ts';
import type { RuleOwnership } from '../../../model/ruleset.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { oneOfThese } from '../../schema/suggest.ts';
import { locateKey } from '../../yaml/yaml-document.ts';

/**
 * Reports skip rules that change nothing (api.md 5.4): what they skip has run before, or does not follow. Where other owners have rules in the
 * same ruleset, nothing is said about what follows.
 */
export function lintSkips(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  return ruleset.rules.flatMap((rule, index) => {
    const { action, action_parameters: parameters, enabled } = rule.value;
    if (action !== 'skip' || enabled === false || !isJsonObject(parameters)) {
      return [];
    }
    const after = ownership.kind === 'all' ? ruleset.rules.slice(index + 1).filter(isEnabled) : undefined;
    const reason = reasonOf(parameters, { ruleset, after });
    return reason === undefined
      ? []
      : [
          finding('lint/skip-without-effect', {
            message: `this rule skips nothing: ${reason}`,
            hint: 'move it before what it should skip, or remove it',
            where: locateKey(ruleset.document, rule.path),
          }),
        ];
  });
}

interface Place {
  readonly ruleset: DeclaredRuleset;
  /** The enabled rules behind the skip rule; undefined when the ruleset may have rules of other owners. */
  readonly after: readonly DeclaredRule[] | undefined;
}

/** Returns why none of the parameters has an effect; undefined when one may have. */
function reasonOf(parameters: JsonObject, place: Place): string | undefined {
  const { ruleset, phase, rulesets, rules, phases, ...others } = parameters;
  const reasons = [
    ...(ruleset === undefined && phase === undefined ? [] : [restReason(place)]),
    ...(isJsonArray(phases) ? [phasesReason(phases, place)] : []),
    ...(isJsonArray(rulesets) ? [exceptionReason(rulesets, place)] : []),
    ...(isJsonObject(rules) ? [exceptionReason(Object.keys(rules), place)] : []),
  ];
  const known = reasons.filter((reason) => reason !== undefined);
  return Object.keys(others).length > 0 || known.length < reasons.length || known.length === 0
    ? undefined
    : known.join(', and ');
}

function restReason({ ruleset, after }: Place): string | undefined {
  // Behind a custom ruleset the entry point continues.
  return after?.length === 0 && ruleset.address.kind === 'entrypoint'
    ? 'no enabled rule follows it in this ruleset'
    : undefined;
}

function phasesReason(phases: readonly unknown[], { ruleset }: Place): string | undefined {
  const here = phaseOrder(ruleset.address.phase);
  const names = phases.filter((name) => typeof name === 'string');
  const isKnown = phaseFacts(ruleset.address.phase) !== undefined;
  return isKnown && names.length === phases.length && names.every((name) => phaseOrder(name) < here)
    ? `${oneOfThese(names, 'and')} ${names.length === 1 ? 'runs' : 'run'} before ${ruleset.address.phase}`
    : undefined;
}

/**
 * Returns why an exception has no effect: it acts only on `execute` rules behind it. A name cannot be compared with an id, so such a pair counts
 * as a match.
 */
function exceptionReason(skipped: readonly unknown[], { ruleset, after }: Place): string | undefined {
  const { address } = ruleset;
  if (
    address.kind !== 'entrypoint' ||
    address.phase !== 'http_request_firewall_managed' ||
    after === undefined
  ) {
    return undefined;
  }
  const executed = after.flatMap(({ value }) => {
    const parameters = value['action_parameters'];
    return value['action'] === 'execute' && isJsonObject(parameters) && typeof parameters['id'] === 'string'
      ? [parameters['id']]
      : [];
  });
  const comparable = [...skipped, ...executed].every((id) => typeof id === 'string' && id.includes(':'));
  const meets = executed.some((id) => !comparable || skipped.includes(id));
  return meets ? undefined : 'no enabled `execute` rule after it runs what it names';
}

function isEnabled({ value }: DeclaredRule): boolean {
  return value['enabled'] !== false;
}
