import { slug } from '../text/index.ts';
import type { RulesetAddress } from './ruleset.ts';
import { scopeLabel } from './scope.ts';
import type { ScopeRef } from './scope.ts';

/** Returns the name of a ruleset within its scope, as step ids and commands use it: `http_ratelimit`, or `http_ratelimit/custom:login`. */
export function rulesetName(address: RulesetAddress): string {
  return address.kind === 'entrypoint' ? address.phase : `${address.phase}/custom:${slug(address.name)}`;
}

/** Returns the id of the step for a ruleset: `zone:shop.example/http_ratelimit`. */
export function stepId(scope: ScopeRef, address: RulesetAddress): string {
  return `${scopeLabel(scope)}/${rulesetName(address)}`;
}

/** Returns the id of the step for a list of an account: `account:Example Shop/list:office`. */
export function listStepId(scope: ScopeRef, name: string): string {
  return `${scopeLabel(scope)}/list:${name}`;
}

/** Returns the id of the step for a setting of a zone: `zone:shop.example/setting:ssl`. */
export function settingStepId(scope: ScopeRef, name: string): string {
  return `${scopeLabel(scope)}/setting:${name}`;
}

/** The parts of a step id. */
interface StepIdParts {
  /** As `scopeLabel` writes it; an account's name may contain slashes. */
  readonly scope: string;
  /** As `rulesetName` writes it, or `list:` or `setting:` and a name. */
  readonly ruleset: string;
}

/**
 * Parses a step id. For a text of another form, such as the step id of an old object's retirement, the scope is empty and the whole text is the
 * ruleset.
 */
export function readStepId(id: string): StepIdParts {
  const [, scope = '', ruleset = id] =
    /^(.*?)\/((?:list|setting):[a-z0-9_]+|[a-z0-9_]+(?:\/custom:[a-z0-9-]*)?)$/s.exec(id) ?? [];
  return { scope, ruleset };
}
