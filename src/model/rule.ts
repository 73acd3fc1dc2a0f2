import type { JsonObject } from './json.ts';
import type { ListUse } from './list.ts';
import { isId } from './scope.ts';
import type { Cause, SourceSpan } from './source.ts';

/**
 * The content of a rule, in the service's field names (api.md 3.2), without identifying fields. `extra` holds rule fields that this version
 * does not know; they are kept and sent back.
 */
export interface RuleContent {
  readonly action: string;
  /** Absent only in rules of managed rulesets (api.md 6.6), for which it is "" here. */
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly action_parameters?: JsonObject;
  readonly logging?: JsonObject;
  readonly ratelimit?: JsonObject;
  readonly exposed_credential_check?: JsonObject;
  readonly extra?: JsonObject;
}

/** A rule as the files want it. */
export interface DesiredRule {
  /** Our stable name for the rule; absent when the file gives none. */
  readonly ref?: string;
  /** Id of the live rule that the file points at, if it does. */
  readonly id?: string;
  /** Whether the rule may take over a live rule that has another `ref`. */
  readonly adopt: boolean;
  /** The content is a whole rule as the service held it: fields that it lacks are removed, not carried over from live. */
  readonly exact?: true;
  /** A live rule of others, listed only to show where ours stand; it is never written. */
  readonly anchor?: true;
  /** May contain unresolved references such as `managed:…` and `custom:…`. */
  readonly content: RuleContent;
  /** The lists that the rule names, except those that the service maintains itself; absent when there are none. */
  readonly lists?: readonly ListUse[];
  /** The rulesets that the rule names, as far as their places in a file are known. */
  readonly rulesets?: readonly RulesetUse[];
  readonly cause: Cause;
}

/** A ruleset that a rule executes or skips, by name or id. */
export interface RulesetUse {
  /** As in the file: `managed:…`, `custom:…` or an id. */
  readonly reference: string;
  readonly where: SourceSpan;
}

/** A rule as the service holds it. */
export interface LiveRule {
  /** 32 hex characters. */
  readonly id: string;
  readonly ref: string;
  readonly content: RuleContent;
  /** Tags of a managed rule (api.md 3.2); absent on all others. */
  readonly categories?: readonly string[];
}

/**
 * Whether somebody chose the rule's `ref`. Otherwise the service sets it to the id (api.md 3.2), and a rule that was deleted and brought back
 * has its former id there: a `ref` that is any rule's id is no chosen name.
 */
export function isNamed({ id, ref }: { readonly id: string; readonly ref: string }): boolean {
  return ref !== id && !isId(ref);
}
