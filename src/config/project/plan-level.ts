import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { PLAN_LEVELS } from '../../model/index.ts';
import type { Labels, PlanLevel, ScopeRef, SourceSpan } from '../../model/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';

/** A plan level that something says of a zone. */
export interface StatedLevel {
  readonly level: PlanLevel;
  /** Where it is said; absent where the command line says it. */
  readonly where?: SourceSpan;
}

/** A plan level that the project gives to all zones with a label. */
export interface LabelLevel extends Required<StatedLevel> {
  readonly name: string;
  readonly text: string;
}

/** Reads `plans` of a project: `label:NAME=TEXT` and the level of the zones that carry it. */
export function readLabelLevels(
  document: YamlDocument,
  { plans = {} }: ProjectDocument,
): readonly LabelLevel[] {
  return Object.entries(plans).flatMap(([key, level]) => {
    const [, name, text] = /^label:([^=]+)=(.+)$/u.exec(key) ?? [];
    return name === undefined || text === undefined || level === undefined
      ? []
      : [{ name, text, level, where: locateKey(document, ['plans', key]) }];
  });
}

/** A scope as its file names it, with what says its plan level. */
interface LevelSource {
  readonly ref: ScopeRef;
  readonly labels: Labels;
  /** The value of `plan`, and its path. */
  readonly plan?: { readonly path: ValuePath; readonly value: JsonValue };
}

/**
 * Returns what is said of a zone's plan level; what is nearer counts: the command line, then `plan` of its file, then its labels, of which
 * several may say something. Empty for accounts, and where nothing is said.
 */
export function levelsOf(
  document: YamlDocument,
  { ref, labels, plan }: LevelSource,
  { given, byLabel }: { readonly given?: PlanLevel | undefined; readonly byLabel: readonly LabelLevel[] },
): readonly StatedLevel[] {
  if (ref.kind === 'account') {
    return [];
  }
  if (given !== undefined) {
    return [{ level: given }];
  }
  const level = PLAN_LEVELS.find((one) => one === plan?.value);
  return plan !== undefined && level !== undefined
    ? [{ level, where: locateValue(document, plan.path) }]
    : byLabel.filter(({ name, text }) => Object.hasOwn(labels, name) && labels[name] === text);
}
