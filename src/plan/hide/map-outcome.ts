import { assertNever } from '../../model/assert-never.ts';
import type { FieldChange, TextChange } from '../../model/field-change.ts';
import type {
  ChangedLiveRule,
  ForeignWrite,
  LiveDifference,
  LiveRuleName,
} from '../../model/live-difference.ts';
import type { NormalisedRule, Outcome, ServiceRefusal } from '../../model/outcome.ts';
import type { Members } from './map-members.ts';
import { eachOf, keep, mapMembers } from './map-members.ts';

/** Functions for the texts in which an outcome tells what is live, or was live meanwhile. */
export interface OutcomeTexts {
  /** Maps the fields of a live rule, given by id or by `ref`. A rule of which no field is left is dropped. */
  readonly fields: (fields: readonly FieldChange[], rule: string) => readonly FieldChange[];
  /** Maps the description of a live rule, given by id. */
  readonly name: (description: string, id: string) => string;
  /** Maps the description of the ruleset. */
  readonly described: (description: TextChange) => TextChange;
  readonly prose: (text: string) => string;
}

type OutcomeOf<Kind extends Outcome['kind']> = Members<Extract<Outcome, { readonly kind: Kind }>>;

/** Maps all these texts of an outcome. */
export function mapOutcome(outcome: Outcome, texts: OutcomeTexts): Outcome {
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

function mapForeign(write: ForeignWrite, texts: OutcomeTexts): ForeignWrite {
  const names = eachOf(nameIn(texts));
  return mapMembers<ForeignWrite>(write, {
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
