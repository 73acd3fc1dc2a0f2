import { assertNever } from '../../data/index.ts';
import type { Outcome, Plan, PlanNote, OutcomesDocument } from '../../model/index.ts';
import { describedName } from '../../model/index.ts';
import { noteRule } from '../notes.ts';
import { untilAllowed } from '../allowing.ts';
import { outcomesAttention, isFound } from '../attention.ts';
import { outcomeMessages, outcomesSummary } from '../outcomes-summary.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText, placeOf } from './annotation.ts';
import { attentionAnnotations, causeIn, failedAnnotations, stepsById } from './plan-annotations.ts';

/** Formats everything of an apply that was refused or did not go as planned as GitHub annotations, at the rulesets in the files. */
export function outcomesAnnotations(plan: Plan, document: OutcomesDocument, folder: string): string {
  const { outcomes, rollback, differences = [], leftOut = [] } = document;
  const steps = stepsById(plan);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      ...attentionAnnotations(
        outcomesAttention(document)
          .filter(isFound)
          .map((item) => ({ ...item, cause: causeIn(steps.get(item.step ?? ''), item.rule) })),
        { folder, refused: untilAllowed },
      ),
      ...differences.map(({ place, rule, message }): Annotation => ({
        level: 'error',
        title: `not the reviewed plan: ${rule ?? place}`,
        message: `${place}: ${message}`,
        ...placeOf(folder, causeIn(steps.get(place), rule)),
      })),
      ...outcomes.flatMap((outcome): readonly Annotation[] => {
        const told = trouble(outcome);
        const title = `${outcome.step}: ${outcome.kind}`;
        return told === null ? [] : [{ ...told, title, ...placeOf(folder, steps.get(outcome.step)?.cause) }];
      }),
      ...(rollback?.outcomes ?? []).flatMap((outcome): readonly Annotation[] => {
        const told = trouble(outcome);
        const title = `${outcome.step}: not put back`;
        return told === null ? [] : [{ ...told, title, ...placeOf(folder, steps.get(outcome.step)?.cause) }];
      }),
      ...leftOut.map((note): Annotation => ({
        level: 'warning',
        title: `${note.step}: left out`,
        message: noteText(note),
        ...placeOf(folder, note.cause),
      })),
      ...(rollback?.notes ?? []).map((note): Annotation => ({
        level: 'warning',
        title: `${note.step}: put back`,
        message: noteText(note),
        ...placeOf(folder, causeIn(steps.get(note.step), note.rule)),
      })),
    ],
    outcomesSummary(document),
  );
}

function noteText(note: PlanNote): string {
  return `${noteRule(note)} ${note.message}`.trimStart();
}

function trouble(outcome: Outcome): Pick<Annotation, 'level' | 'message'> | null {
  switch (outcome.kind) {
    case 'done':
    case 'skipped':
      return null;
    case 'not-reached':
      return { level: 'warning', message: outcomeMessages(outcome).join('\n') };
    case 'refused':
    case 'failed':
    case 'conflict': {
      const refusals = outcome.kind === 'failed' ? (outcome.refusals ?? []) : [];
      const lines = [
        ...outcomeMessages(outcome),
        ...refusals.map(
          ({ rule = 'ruleset', description = '', message }) =>
            `${describedName(rule, description)}: ${message}`,
        ),
      ];
      return {
        level: 'error',
        message: [...lines, ...(outcome.hint === undefined ? [] : [outcome.hint])].join('\n'),
      };
    }
    default:
      return assertNever(outcome);
  }
}
