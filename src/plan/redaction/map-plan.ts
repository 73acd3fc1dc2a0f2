import { assertNever } from '../../data/index.ts';
import type {
  Move,
  RulePosition,
  Protection,
  RuleChange,
  ToEveryRequest,
  FieldChange,
  TextChange,
  GuardFinding,
  CreateStep,
  DeleteStep,
  PlannedScope,
  PlanNote,
  Step,
  UpdateStep,
  RuleContent,
} from '../../model/index.ts';
import { clearIn, writtenSecrets } from './written-secrets.ts';
import { hiddenValues } from './redact-text.ts';

/** A function for each member of a type; leaving one out does not compile. */
export type FieldMappers<T> = {
  readonly [Key in keyof T]-?: (member: NonNullable<T[Key]>) => NonNullable<T[Key]>;
};

/**
 * Applies the functions to the members of a value, in their order; returns the value itself when nothing changes. Absent and null members stay
 * so.
 */
export function mapMembers<T extends object>(value: T, members: FieldMappers<T>): T {
  let mapped = value;
  for (const key in members) {
    const member = value[key];
    if (member !== undefined && member !== null) {
      const changed = members[key](member);
      if (changed !== member) {
        mapped = mapped === value ? { ...value } : mapped;
        mapped[key] = changed;
      }
    }
  }
  return mapped;
}

/** Returns a function that maps each item of a list, and returns the list itself when nothing changes. */
export function eachOf<T>(change: (item: T) => T): (items: readonly T[]) => readonly T[] {
  return (items) => {
    const changed = items.map(change);
    return changed.every((item, index) => item === items[index]) ? items : changed;
  };
}

/** The function for members that tell nothing about live. */
export function keep<T>(member: T): T {
  return member;
}

/** Functions for the texts in which a plan tells what is live. What the files say is not among them, since it has to be applied. */
export interface LiveTexts {
  /** Maps the content of a rule before a change. */
  readonly content: (before: RuleContent, change: RuleChange) => RuleContent;
  readonly fields: (fields: readonly FieldChange[], change: RuleChange) => readonly FieldChange[];
  /** Maps the description of a ruleset before and after. */
  readonly described: (description: TextChange) => TextChange;
  /** Maps texts derived from rules: names, verdicts, messages. */
  readonly prose: (text: string) => string;
}

/** Maps all these texts of a plan; `textsOf` is called once for each step. */
export function mapPlan(
  plan: PlannedScope,
  textsOf: (step: Step) => LiveTexts,
  prose: LiveTexts['prose'],
): PlannedScope {
  return mapMembers<PlannedScope>(plan, {
    kind: keep,
    scope: keep,
    tokenEnv: keep,
    bases: keep,
    steps: eachOf((step) => mapStep(step, textsOf(step))),
    objects: keep,
    findings: eachOf((finding) => mapFinding(finding, prose)),
    notes: eachOf((note) => mapNote(note, prose)),
    managedRules: keep,
    timeZone: keep,
    compared: keep,
  });
}

function mapFinding(finding: GuardFinding, prose: LiveTexts['prose']): GuardFinding {
  return mapMembers<GuardFinding>(finding, {
    kind: keep,
    effect: keep,
    step: keep,
    rule: keep,
    description: prose,
    reason: prose,
    proven: keep,
    message: prose,
  });
}

/** Maps the texts of a note. */
function mapNote(note: PlanNote, prose: LiveTexts['prose']): PlanNote {
  return mapMembers<PlanNote>(note, {
    kind: keep,
    step: keep,
    rule: keep,
    description: prose,
    message: prose,
    fields: keep,
    cause: keep,
  });
}

function mapStep(step: Step, texts: LiveTexts): Step {
  const changes = eachOf((change: RuleChange) => mapChange(change, texts));
  const common = { id: keep, target: keep, base: keep, after: keep, cause: keep, operation: keep, changes };
  switch (step.operation) {
    case 'create':
      return mapMembers<CreateStep>(step, { ...common, description: keep });
    case 'update':
      return mapMembers<UpdateStep>(step, {
        ...common,
        description: texts.described,
        deletesFirst: keep,
        staying: keep,
        others: keep,
      });
    case 'delete':
      return mapMembers<DeleteStep>(step, {
        ...common,
        description: (before) => texts.described({ before, after: '' }).before,
        others: keep,
      });
    default:
      return assertNever(step);
  }
}

type ChangeOf<Kind extends RuleChange['kind']> = FieldMappers<Extract<RuleChange, { readonly kind: Kind }>>;

function mapChange(change: RuleChange, texts: LiveTexts): RuleChange {
  const { prose } = texts;
  const place = (one: RulePosition): RulePosition =>
    mapMembers<RulePosition>(one, { index: keep, after: keep, description: prose, beside: keep });
  const protection = (one: Protection): Protection => mapProtection(one, prose);
  const move = (one: Move): Move => mapMembers<Move>(one, { from: place, to: place, back: protection });
  const ends = (one: ToEveryRequest): ToEveryRequest =>
    mapMembers<ToEveryRequest>(one, { forth: prose, back: prose });
  const before = (content: RuleContent): RuleContent => texts.content(content, change);
  const fields = (all: readonly FieldChange[]): readonly FieldChange[] => texts.fields(all, change);
  const common = {
    kind: keep,
    ref: keep,
    protection,
    ends,
    opens: ends,
    undoing: prose,
    undoingProven: keep,
  };
  switch (change.kind) {
    case 'add': {
      const members: ChangeOf<'add'> = { ...common, content: keep, place, cause: keep };
      return mapMembers(change, members);
    }
    case 'patch': {
      const rule = { id: keep, adopts: keep, before, content: keep, fields };
      const members: ChangeOf<'patch'> = { ...common, ...rule, place, move, cause: keep };
      return mapMembers(change, members);
    }
    case 'move': {
      const members: ChangeOf<'move'> = { ...common, id: keep, description: prose, move, cause: keep };
      return mapMembers(change, members);
    }
    case 'delete': {
      const members: ChangeOf<'delete'> = { ...common, id: keep, before, place };
      return mapMembers(change, members);
    }
    default:
      return assertNever(change);
  }
}

type ProtectionOf<Kind extends Protection['kind']> = Extract<Protection, { readonly kind: Kind }>;

function mapProtection(protection: Protection, prose: LiveTexts['prose']): Protection {
  switch (protection.kind) {
    case 'neutral':
      return protection;
    case 'weakening':
      return mapMembers<ProtectionOf<'weakening'>>(protection, { kind: keep, reason: prose, proven: keep });
    case 'strengthening':
      return mapMembers<ProtectionOf<'strengthening'>>(protection, { kind: keep, reason: prose });
    default:
      return assertNever(protection);
  }
}

/** Returns the notes of a reversal or rollback without the values that it writes where live has references to sensitive values. */
export function hiddenNotes({ steps, notes }: PlannedScope): readonly PlanNote[] {
  const secrets = notes.length === 0 ? [] : steps.flatMap(writtenSecrets);
  if (secrets.length === 0) {
    return notes;
  }
  const { prose } = hiddenValues(secrets, steps.map((step) => clearIn(step, secrets)).join('\n'));
  return notes.map((note) => mapNote(note, prose));
}
