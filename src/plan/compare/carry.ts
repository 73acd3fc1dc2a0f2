import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import { memberPointer } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { RuleContent } from '../../model/index.ts';

/** A desired content with some fields of its live rule. */
export interface Carried {
  readonly content: RuleContent;
  /** JSON Pointers of those fields in which it differed. */
  readonly paths: readonly string[];
}

/**
 * Completes a desired rule with what only the live rule says and the file could not mean to remove: parameters and fields that this version
 * does not know, whose defaults it cannot know either. They are then not shown as a change, a write sends them back, and nobody is told when
 * somebody changes them: the plan counts them as not watched. What this version knows has a default (`canonicalContent`), and is never carried
 * over.
 */
export function carryOver(desired: RuleContent, live: RuleContent): Carried {
  const known = KNOWN_ACTION_PARAMETERS.get(desired.action);
  const parameters =
    desired.action === live.action && known !== undefined
      ? missingIn(desired.action_parameters, live.action_parameters, (key) => !known.has(key))
      : [];
  const extra = missingIn(desired.extra, live.extra, () => true);
  if (parameters.length === 0 && extra.length === 0) {
    return { content: desired, paths: [] };
  }
  return {
    content: {
      ...desired,
      ...(parameters.length === 0
        ? {}
        : { action_parameters: { ...desired.action_parameters, ...Object.fromEntries(parameters) } }),
      ...(extra.length === 0 ? {} : { extra: { ...desired.extra, ...Object.fromEntries(extra) } }),
    },
    paths: [
      ...parameters.map(([key]) => memberPointer('/action_parameters', key)),
      ...extra.map(([key]) => memberPointer('', key)),
    ],
  };
}

function missingIn(
  desired: JsonObject | undefined,
  live: JsonObject | undefined,
  isUnknown: (key: string) => boolean,
): readonly (readonly [string, JsonValue])[] {
  return Object.entries(live ?? {}).filter(([key]) => isUnknown(key) && !Object.hasOwn(desired ?? {}, key));
}
