import { assertNever, jsonEqual, textOf } from '../../data/index.ts';
import { isWritten, redactIn, contentToWire } from '../../model/index.ts';
import type {
  FieldChange,
  TextChange,
  Outcome,
  NormalisedRule,
  ServiceRefusal,
  Step,
  ChangedLiveRule,
  ConcurrentWrite,
  LiveDifference,
  LiveRuleName,
} from '../../model/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { valueAt } from '../compare/compare-rules.ts';
import { clearIn, writtenSecrets } from './written-secrets.ts';
import { hasReferences, hide, hideText, valuesBeside, valuesIn, hiddenValues } from './redact-text.ts';
import type { FieldMappers } from './map-plan.ts';
import { eachOf, keep, mapMembers } from './map-plan.ts';

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
  const { redactions, prose } = hiddenValues(found, clearIn(step, written));
  return mapOutcome(outcome, {
    // A field whose values differ only in hidden text is dropped.
    fields: (fields, id) =>
      fields.flatMap((field) => {
        const model = modelAt(models, id, field.path);
        const hidden = mapValues(field, (value) => redactIn(hide(value, model, 'all'), redactions));
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

/** Functions for the texts in which an outcome tells what is live, or was live meanwhile. */
interface OutcomeTexts {
  /** Maps the fields of a live rule, given by id or by `ref`. A rule of which no field is left is dropped. */
  readonly fields: (fields: readonly FieldChange[], rule: string) => readonly FieldChange[];
  /** Maps the description of a live rule, given by id. */
  readonly name: (description: string, id: string) => string;
  /** Maps the description of the ruleset. */
  readonly described: (description: TextChange) => TextChange;
  readonly prose: (text: string) => string;
}

type OutcomeOf<Kind extends Outcome['kind']> = FieldMappers<Extract<Outcome, { readonly kind: Kind }>>;

/** Maps all these texts of an outcome. */
function mapOutcome(outcome: Outcome, texts: OutcomeTexts): Outcome {
  const { prose } = texts;
  const common = { kind: keep, step: keep };
  const told = { ...common, writes: keep, message: prose, hint: prose };
  const failed = { ...told, code: keep };
  switch (outcome.kind) {
    case 'done': {
      const normalised = (rules: readonly NormalisedRule[]): readonly NormalisedRule[] =>
        rules
          .map((rule) =>
            mapMembers<NormalisedRule>(rule, {
              rule: keep,
              fields: (fields) => texts.fields(fields, rule.rule),
            }),
          )
          .filter(({ fields }) => fields.length > 0);
      const members: OutcomeOf<'done'> = { ...common, version: keep, writes: keep, normalised };
      return mapMembers(outcome, members);
    }
    case 'skipped': {
      const members: OutcomeOf<'skipped'> = { ...common, reason: prose, toWrite: keep };
      return mapMembers(outcome, members);
    }
    case 'not-reached': {
      const members: OutcomeOf<'not-reached'> = { ...common, reason: prose };
      return mapMembers(outcome, members);
    }
    case 'refused': {
      const difference = differenceIn(texts);
      const members: OutcomeOf<'refused'> = { ...failed, difference };
      return mapMembers(outcome, members);
    }
    case 'failed': {
      const refusals = eachOf((refusal: ServiceRefusal) => mapRefusal(refusal, prose));
      const members: OutcomeOf<'failed'> = { ...failed, inDoubt: keep, refusals };
      return mapMembers(outcome, members);
    }
    case 'conflict': {
      const members: OutcomeOf<'conflict'> = {
        ...told,
        inDoubt: keep,
        allLanded: keep,
        others: eachOf((write) => mapForeign(write, texts)),
        unread: keep,
        broughtBack: eachOf(nameIn(texts)),
      };
      return mapMembers(outcome, members);
    }
    default:
      return assertNever(outcome);
  }
}

function mapRefusal(refusal: ServiceRefusal, prose: OutcomeTexts['prose']): ServiceRefusal {
  return mapMembers<ServiceRefusal>(refusal, {
    message: prose,
    code: keep,
    pointer: keep,
    rule: keep,
    description: prose,
    cause: keep,
  });
}

function mapForeign(write: ConcurrentWrite, texts: OutcomeTexts): ConcurrentWrite {
  const names = eachOf(nameIn(texts));
  return mapMembers<ConcurrentWrite>(write, {
    version: keep,
    lastUpdated: keep,
    difference: differenceIn(texts),
    lost: names,
    atRisk: names,
  });
}

function differenceIn(texts: OutcomeTexts): (difference: LiveDifference) => LiveDifference {
  const names = eachOf(nameIn(texts));
  return (difference) =>
    mapMembers<LiveDifference>(difference, {
      from: keep,
      to: keep,
      added: names,
      removed: names,
      changed: (rules) => rules.flatMap((rule) => changedIn(rule, texts)),
      moved: names,
      description: texts.described,
      complete: keep,
    });
}

function nameIn({ name }: OutcomeTexts): (rule: LiveRuleName) => LiveRuleName {
  return (rule) =>
    mapMembers<LiveRuleName>(rule, {
      id: keep,
      ref: keep,
      description: (description) => name(description, rule.id),
    });
}

function changedIn(rule: ChangedLiveRule, { name, fields }: OutcomeTexts): readonly ChangedLiveRule[] {
  const changed = mapMembers<ChangedLiveRule>(rule, {
    id: keep,
    ref: keep,
    description: (description) => name(description, rule.id),
    fields: (all) => fields(all, rule.id),
  });
  return changed.fields.length === 0 && rule.fields.length > 0 ? [] : [changed];
}
