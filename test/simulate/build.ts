import type { RuleContent } from '../../src/model/rule.ts';
import type { JsonObject } from '../../src/data/json.ts';
import type { OldRules, RequestWay, RulesSource } from '../../src/model/simulation.ts';
import { describeWay } from '../../src/simulate/describe-way.ts';
import { prepareScope } from '../../src/simulate/prepare.ts';
import { evaluationOf } from '../../src/simulate/read-lists.ts';
import type { Lists } from '../../src/simulate/read-lists.ts';
import { readScenario } from '../../src/simulate/read-scenario.ts';
import type { ScenarioSource } from '../../src/simulate/read-scenario.ts';
import type { SimulatedRule, SimulatedRuleset, SimulatedScope } from '../../src/simulate/scope-rules.ts';
import { simulate } from '../../src/simulate/simulate.ts';
import type { Scenario } from '../../src/simulate/exchange.ts';
import { CUSTOM } from './phases.ts';

/** A rule by its name; it blocks everything unless told otherwise. */
export function rule(ref: string, over: Partial<RuleContent> & { readonly id?: string } = {}): SimulatedRule {
  const { id, ...content } = over;
  return {
    ref,
    ...(id === undefined ? {} : { id }),
    content: { action: 'block', expression: 'true', description: '', enabled: true, ...content },
  };
}

/** A rule that only logs. */
export function log(ref: string, expression = 'true'): SimulatedRule {
  return rule(ref, { action: 'log', expression });
}

export function skip(ref: string, parameters: JsonObject): SimulatedRule {
  return rule(ref, { action: 'skip', action_parameters: parameters });
}

export function execute(ref: string, id: string): SimulatedRule {
  return rule(ref, { action: 'execute', action_parameters: { id } });
}

/** An entry point; of custom rules unless told otherwise. */
export function entry(rules: readonly SimulatedRule[], phase: string = CUSTOM): SimulatedRuleset {
  return { address: { kind: 'entrypoint', phase }, rules };
}

export function custom(
  name: string,
  rules: readonly SimulatedRule[],
  phase: string = CUSTOM,
): SimulatedRuleset {
  return { address: { kind: 'custom', phase, name }, rules };
}

export function zone(...rulesets: readonly SimulatedRuleset[]): SimulatedScope {
  return { scope: { kind: 'zone', name: 'shop.example' }, rulesets };
}

export function account(...rulesets: readonly SimulatedRuleset[]): SimulatedScope {
  return { scope: { kind: 'account', name: 'Shop' }, rulesets };
}

/** A test as in a test file, and the other inputs of the simulation. */
export interface Sent extends Partial<ScenarioSource['test']> {
  readonly lists?: Lists;
  readonly plan?: string;
  readonly explained?: boolean;
  readonly source?: RulesSource;
  readonly old?: readonly OldRules[];
}

/** A scenario from a test as in a test file. Throws if the test is invalid. */
export function scenario(sent: Sent = {}): Scenario {
  const read = readScenario({ test: { request: '/', ...sent }, zone: 'shop.example', path: [] });
  if (read.kind === 'invalid') {
    throw new Error(JSON.stringify(read.problems));
  }
  return read.scenario;
}

/** Sends a request through the rules of scopes. */
export function send(scopes: readonly SimulatedScope[], sent: Sent = {}): RequestWay {
  const evaluation = evaluationOf(sent.lists ?? {});
  const prepared = scopes.map((scope) => prepareScope(scope, evaluation));
  const trace = simulate(
    {
      zone: { name: 'shop.example', plan: sent.plan ?? '' },
      scopes: prepared,
      source: sent.source ?? 'files',
      old: sent.old,
    },
    scenario(sent),
  );
  return describeWay(trace, { evaluation, wants: () => sent.explained === true });
}

/** The verdict of each rule by name; rules of several rulesets that have one name overwrite each other. */
export function verdicts(way: RequestWay): Record<string, string> {
  return Object.fromEntries(way.verdicts.map(({ rule: name, verdict }) => [name, verdict]));
}
