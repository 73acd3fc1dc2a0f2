import type { RulesetAddress } from './ruleset.ts';
import { scopeLabel } from './scope.ts';
import type { ScopeRef } from './scope.ts';
import { slug } from './slug.ts';

/** A ruleset within its scope, as ids of steps and commands name it: `http_ratelimit`, or of a custom one `http_ratelimit/custom:login`. */
export function rulesetName(address: RulesetAddress): string {
  return address.kind === 'entrypoint' ? address.phase : `${address.phase}/custom:${slug(address.name)}`;
}

/** The id of the step about a ruleset: `zone:shop.example/http_ratelimit`. */
export function stepId(scope: ScopeRef, address: RulesetAddress): string {
  return `${scopeLabel(scope)}/${rulesetName(address)}`;
}

/** What the id of a step says. */
interface StepIdParts {
  /** As `scopeLabel` writes it; an account's name may have slashes. */
  readonly scope: string;
  /** As `rulesetName` writes it. */
  readonly ruleset: string;
}

/** Reads the id of a step; what is none, such as that of an old object which is retired, names a ruleset of no scope. */
export function readStepId(id: string): StepIdParts {
  const [, scope = '', ruleset = id] = /^(.*?)\/([a-z0-9_]+(?:\/custom:[a-z0-9-]*)?)$/s.exec(id) ?? [];
  return { scope, ruleset };
}
