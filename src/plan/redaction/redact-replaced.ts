import {
  isReplaced,
  isWritten,
  redactIn,
  redactContent,
  contentToWire,
  addressKey,
} from '../../model/index.ts';
import type {
  RuleChange,
  FieldChange,
  PlannedScope,
  Step,
  RuleContent,
  DesiredRuleset,
} from '../../model/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { addressOf } from '../names/ruleset-names.ts';
import { valueAt } from '../compare/compare-rules.ts';
import type { Hiding, HiddenValues } from './redact-text.ts';
import {
  hasReferences,
  hide,
  hideContent,
  hideText,
  valuesBeside,
  valuesIn,
  hiddenValues,
  saidIn,
} from './redact-text.ts';
import type { LiveTexts } from './map-plan.ts';
import { mapPlan } from './map-plan.ts';

/**
 * Hides in a plan each text that a sensitive value replaces: it may be the previous value, which stays secret until the plan is applied.
 * Deleted rules are checked like written ones, since a rule that got another `ref` still has its old value. So are rulesets as files declared
 * them at the base of a change, which may remove the declaration. A value found at one place is hidden wherever the plan tells about live.
 */
export function hideReplaced(plan: PlannedScope, former: readonly DesiredRuleset[] = []): PlannedScope {
  const declared = new Map(former.map(({ address, rules }) => [addressKey(address), rules.flatMap(modelOf)]));
  const modelsIn = (step: Step): readonly Model[] => [
    ...step.changes.flatMap((change) => (isWritten(change) ? modelOf(change) : [])),
    ...(declared.get(addressKey(addressOf(step.target))) ?? []),
  ];
  const models = new Map(plan.steps.map((step) => [step, modelsIn(step)]));
  const found = plan.steps.flatMap((step) => valuesOf(step, models.get(step) ?? []));
  if (found.length === 0) {
    return plan;
  }
  const values = hiddenValues(found, JSON.stringify([plan.scope, ...models.values()]) + saidIn(plan.steps));
  return mapPlan(plan, (step) => textsOf(models.get(step) ?? [], values), values.prose);
}

/** A rule with a sensitive value that files declare or declared. */
interface Model {
  readonly ref: string | undefined;
  readonly content: RuleContent;
}

function modelOf({
  ref,
  content,
}: {
  readonly ref?: string;
  readonly content: RuleContent;
}): readonly Model[] {
  return hasReferences(content) ? [{ ref, content }] : [];
}

/**
 * Returns how a model hides values in a change: in the rule with its own name everything in place of its references, in other rules only texts
 * like it.
 */
function howIn(change: RuleChange, { ref }: Model): Hiding {
  const isItsOwn =
    ref !== undefined && (ref === change.ref || (change.kind === 'patch' && ref === change.adopts));
  return isItsOwn ? 'all' : 'like';
}

function valuesOf(step: Step, models: readonly Model[]): readonly string[] {
  const { before = '', after = '' } =
    step.operation === 'update' && step.description !== undefined ? step.description : {};
  return [
    ...valuesIn(before, after, 'all'),
    ...step.changes.filter(isReplaced).flatMap((change) => {
      const wire = contentToWire(change.before);
      return models.flatMap((model) =>
        valuesBeside(wire, contentToWire(model.content), howIn(change, model)),
      );
    }),
  ];
}

function textsOf(models: readonly Model[], { redactions, prose }: HiddenValues): LiveTexts {
  return {
    prose,
    content: (before, change) =>
      redactContent(
        models.reduce((shown, model) => hideContent(shown, model.content, howIn(change, model)), before),
        redactions,
      ),
    fields: (fields, change) => {
      const wires = models.map((model) => [contentToWire(model.content), howIn(change, model)] as const);
      return fields.map((field): FieldChange => {
        if (field.kind === 'added') {
          return field;
        }
        const shown = wires.reduce<JsonValue>(
          (value, [wire, how]) => hide(value, valueAt(wire, field.path), how),
          field.kind === 'changed' ? hide(field.before, field.after, 'all') : field.before,
        );
        return { ...field, before: redactIn(shown, redactions) };
      });
    },
    described: ({ before, after }) => ({ before: prose(hideText(before, after, 'all')), after }),
  };
}
