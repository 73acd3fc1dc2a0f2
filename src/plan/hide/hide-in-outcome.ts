import type { FieldChange } from '../../model/field-change.ts';
import { jsonEqual } from '../../model/json.ts';
import type { LiveDifference, LiveRuleName } from '../../model/live-difference.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Step } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { valueAt } from '../compare/compare-rules.ts';
import { hasReferences, hide, hideText } from './hide-text.ts';

/**
 * What happened to a step, with no text where the step puts a sensitive value: what was live meanwhile may be the value of before, or
 * one that somebody else has set.
 */
export function hideInOutcome(outcome: Outcome, step: Step): Outcome {
  const models = modelsOf(step);
  if (models.size === 0) {
    return outcome;
  }
  if (outcome.kind === 'refused' && outcome.difference !== undefined) {
    return { ...outcome, difference: hideInDifference(outcome.difference, models) };
  }
  return outcome.kind === 'conflict' && outcome.others !== undefined
    ? {
        ...outcome,
        others: outcome.others.map((other) => ({
          ...other,
          difference: hideInDifference(other.difference, models),
          lost: hideNames(other.lost, models),
          ...(other.atRisk === undefined ? {} : { atRisk: hideNames(other.atRisk, models) }),
        })),
      }
    : outcome;
}

type Models = ReadonlyMap<string, RuleContent>;

/** The rules into which a step puts sensitive values, by id. */
function modelsOf({ changes }: Step): Models {
  return new Map(
    changes.flatMap((change) =>
      change.kind === 'patch' && hasReferences(change.content) ? [[change.id, change.content]] : [],
    ),
  );
}

function hideInDifference(difference: LiveDifference, models: Models): LiveDifference {
  return {
    ...difference,
    added: hideNames(difference.added, models),
    removed: hideNames(difference.removed, models),
    moved: hideNames(difference.moved, models),
    changed: hideNames(difference.changed, models).flatMap((rule) => {
      const model = models.get(rule.id);
      const fields = model === undefined ? rule.fields : hideInFields(rule.fields, model);
      return fields.length === 0 && rule.fields.length > 0 ? [] : [{ ...rule, fields }];
    }),
  };
}

/** A description may hold the value of before as well. */
function hideNames<Name extends LiveRuleName>(names: readonly Name[], models: Models): readonly Name[] {
  return names.map((name) => {
    const { id, description } = name;
    const model = models.get(id);
    return model === undefined || description === undefined
      ? name
      : { ...name, description: hideText(description, model.description, 'all') };
  });
}

/** A field that would only show that one hidden text became another one goes. */
function hideInFields(fields: readonly FieldChange[], content: RuleContent): readonly FieldChange[] {
  const wire = contentToWire(content);
  return fields.flatMap((field): readonly FieldChange[] => {
    const model = valueAt(wire, field.path);
    const hidden: FieldChange = {
      ...field,
      ...('before' in field ? { before: hide(field.before, model, 'all') } : {}),
      ...('after' in field ? { after: hide(field.after, model, 'all') } : {}),
    };
    return hidden.kind === 'changed' && jsonEqual(hidden.before, hidden.after) ? [] : [hidden];
  });
}
