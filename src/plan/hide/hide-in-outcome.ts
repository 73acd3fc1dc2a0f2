import { assertNever } from '../../model/assert-never.ts';
import { isWritten } from '../../model/change.ts';
import { concealIn } from '../../model/conceal.ts';
import type { FieldChange } from '../../model/field-change.ts';
import { jsonEqual, textOf } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { valueAt } from '../compare/compare-rules.ts';
import { hasReferences, hide, hideText, valuesBeside, valuesIn } from './hide-text.ts';
import { hiddenValues } from './hidden-values.ts';
import { mapOutcome } from './map-outcome.ts';
import { clearIn, writtenSecrets } from './written-secrets.ts';

/**
 * Hides in the outcome of a step all texts at places where the step puts a sensitive value: what was live there may be the previous value, or
 * one that somebody else set. Values found this way are hidden everywhere in the outcome.
 */
export function hideInOutcome(outcome: Outcome, step: Step): Outcome {
  const models: Models = { rules: rulesOf(step), description: descriptionOf(step) };
  const written = writtenSecrets(step);
  if (models.rules.size === 0 && !hasReferences(models.description) && written.length === 0) {
    return outcome;
  }
  const found = [...foundIn(outcome, models), ...written];
  const { concealed, prose } = hiddenValues(found, clearIn(step, written));
  return mapOutcome(outcome, {
    // A field whose values differ only in hidden text is dropped.
    fields: (fields, id) =>
      fields.flatMap((field) => {
        const model = modelAt(models, id, field.path);
        const hidden = mapValues(field, (value) => concealIn(hide(value, model, 'all'), concealed));
        return hidden.kind === 'changed' && jsonEqual(hidden.before, hidden.after) ? [] : [hidden];
      }),
    name: (text, id) => prose(textOf(hide(text, modelAt(models, id, '/description'), 'all'))),
    described: ({ before, after }) => ({
      before: prose(hideText(before, models.description, 'all')),
      after: prose(hideText(after, models.description, 'all')),
    }),
    prose,
  });
}

/** The contents of a step that contain sensitive values. */
interface Models {
  /** Rule contents in wire form, by the id and by the `ref` of the rule. */
  readonly rules: ReadonlyMap<string, JsonValue>;
  /** The description of the ruleset that has references; empty when the step leaves the description. */
  readonly description: string;
}

function modelAt({ rules }: Models, rule: string, path: string): JsonValue | undefined {
  return valueAt(rules.get(rule) ?? null, path);
}

/** Finds the values at places where the step writes sensitive values. */
function foundIn(outcome: Outcome, models: Models): readonly string[] {
  const found: string[] = [];
  mapOutcome(outcome, {
    fields: (fields, id) => {
      const values = fields.flatMap((field) => {
        const model = modelAt(models, id, field.path);
        return valuesOf(field).flatMap((value) => valuesBeside(value, model, 'all'));
      });
      found.push(...values);
      return fields;
    },
    name: (text, id) => {
      found.push(...valuesBeside(text, modelAt(models, id, '/description'), 'all'));
      return text;
    },
    described: (change) => {
      found.push(
        ...[change.before, change.after].flatMap((text) => valuesIn(text, models.description, 'all')),
      );
      return change;
    },
    prose: (text) => text,
  });
  return found;
}

/** In a reversal, the live content has the references, and the written content is secret. */
function rulesOf({ changes }: Step): Models['rules'] {
  return new Map(
    changes.flatMap((change): readonly (readonly [string, JsonValue])[] => {
      const contents =
        change.kind === 'patch' ? [change.content, change.before] : isWritten(change) ? [change.content] : [];
      const model = contents.find((content) => hasReferences(content));
      if (model === undefined) {
        return [];
      }
      const wire = contentToWire(model);
      return change.kind === 'patch'
        ? [
            [change.id, wire],
            [change.ref, wire],
          ]
        : [[change.ref, wire]];
    }),
  );
}

function descriptionOf(step: Step): string {
  const { before = '', after = '' } = step.operation === 'update' ? { ...step.description } : {};
  return hasReferences(after) ? after : before;
}

function valuesOf(field: FieldChange): readonly JsonValue[] {
  switch (field.kind) {
    case 'added':
      return [field.after];
    case 'removed':
      return [field.before];
    case 'changed':
      return [field.before, field.after];
    default:
      return assertNever(field);
  }
}

function mapValues(field: FieldChange, change: (value: JsonValue) => JsonValue): FieldChange {
  switch (field.kind) {
    case 'added':
      return { ...field, after: change(field.after) };
    case 'removed':
      return { ...field, before: change(field.before) };
    case 'changed':
      return { ...field, before: change(field.before), after: change(field.after) };
    default:
      return assertNever(field);
  }
}
