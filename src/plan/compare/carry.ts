import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RuleContent } from '../../model/rule.ts';

/** A desired content with some fields of its live rule. */
export interface Carried {
  readonly content: RuleContent;
  /** JSON Pointers of those fields in which it differed. */
  readonly paths: readonly string[];
}

/**
 * Completes a desired rule with what only the live rule says and the file could not mean to remove: a `mitigation_timeout` chosen by the
 * service for such an action (api.md 3.4), and parameters or fields that this version does not know. Neither is then shown as a change, and a
 * write sends them back.
 */
export function carryOver(desired: RuleContent, live: RuleContent): Carried {
  if (live.action_parameters === undefined && live.ratelimit === undefined && live.extra === undefined) {
    return { content: desired, paths: [] };
  }
  const paths: string[] = [];
  const carry = (
    target: JsonObject | undefined,
    source: JsonObject | undefined,
    options: { readonly at: string; readonly wanted: (key: string) => boolean },
  ): JsonObject | undefined => {
    const missing = Object.entries(source ?? {}).filter(
      ([key]) => options.wanted(key) && !Object.hasOwn(target ?? {}, key),
    );
    paths.push(...missing.map(([key]) => `${options.at}/${key}`));
    return missing.length === 0 ? target : { ...target, ...Object.fromEntries(missing) };
  };

  const known = KNOWN_ACTION_PARAMETERS.get(desired.action);
  const parameters =
    desired.action === live.action && known !== undefined
      ? carry(desired.action_parameters, live.action_parameters, {
          at: '/action_parameters',
          wanted: (key) => !known.has(key) && key !== 'version',
        })
      : desired.action_parameters;
  const ratelimit =
    desired.ratelimit === undefined
      ? undefined
      : carry(desired.ratelimit, live.ratelimit, {
          at: '/ratelimit',
          wanted: (key) => key === 'mitigation_timeout' && isAlike(desired.action, live.action),
        });
  const extra = carry(desired.extra, live.extra, { at: '', wanted: () => true });
  if (paths.length === 0) {
    return { content: desired, paths };
  }
  return {
    content: {
      ...desired,
      ...(parameters === undefined ? {} : { action_parameters: parameters }),
      ...(ratelimit === undefined ? {} : { ratelimit }),
      ...(extra === undefined ? {} : { extra }),
    },
    paths,
  };
}

/**
 * Whether both actions are challenges, or neither is. Challenges have no timeout of their own and other actions do, so a timeout that the
 * service chose for one kind does not apply to the other.
 */
function isAlike(one: string, other: string): boolean {
  return one.endsWith('challenge') === other.endsWith('challenge');
}
