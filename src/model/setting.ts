import type { JsonObject, JsonValue } from '../data/index.ts';
import type { Protection } from './change.ts';
import type { PlanLevel } from './quota.ts';
import type { Cause, FileCause, SourceSpan } from './source.ts';

/** What a field of a setting may be. */
export type SettingValues =
  | { readonly kind: 'flag' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'texts'; readonly pattern: string };

/** What the values of a field do to security. */
export type ValueStrength =
  | { readonly kind: 'neutral' }
  /** From the weakest to the strongest, those of one strength together; a value that is missing cannot be compared. `of`: what they protect. */
  | { readonly kind: 'order'; readonly values: readonly (readonly JsonValue[])[]; readonly of: string }
  | { readonly kind: 'amount'; readonly stronger: 'more' | 'less'; readonly of: string }
  /** What a change does cannot be told from the values. */
  | { readonly kind: 'unknown'; readonly of: string };

/** A field of a setting. */
export interface SettingField {
  readonly says: string;
  readonly values: SettingValues;
  /** Its value where nobody has set it; absent where that is not known, or not one for all plan levels. */
  readonly standard?: JsonValue;
  readonly strength: ValueStrength;
  /** Values that the service takes for one another, so that none of them is a difference to the others. */
  readonly alike?: readonly JsonValue[];
  /** The lowest plan level that has the field. */
  readonly from?: PlanLevel;
  /** Values that only a higher plan level has. */
  readonly valuesFrom?: Readonly<Record<string, PlanLevel>>;
  /** Why nobody can write it. */
  readonly readOnly?: string;
  /** Another value may block, challenge, redirect or turn away requests, by which no rule shows it. */
  readonly stops?: true;
  /** The beginnings of the names of rule fields that have values only while it is on; the weakest value turns it off. */
  readonly supplies?: readonly string[];
  /** The beginnings of the names of rule fields whose values it changes. */
  readonly shapes?: readonly string[];
}

/** How a setting stands in requests and answers: as an object, as the `value` of a zone setting, or as lists of switches (`id`, `enabled`). */
export type SettingForm =
  | {
      readonly kind: 'object';
      /** `changed`: a write merges what it names; `whole`: it has to name every field. */
      readonly sends: 'changed' | 'whole';
    }
  | { readonly kind: 'value' }
  | { readonly kind: 'switches'; readonly lists: Readonly<Record<string, readonly string[]>> };

/** A setting of a zone on which rules depend, with all that is known of it. A new one is a row of `settings.ts`. */
export interface SettingFacts {
  /** Its key in files, and in the ids of steps. */
  readonly name: string;
  /** Whether it stands below `zone:`, as all that the service calls zone settings do. */
  readonly group?: 'zone';
  readonly says: string;
  /** Below the zone, such as `/bot_management`. */
  readonly path: string;
  readonly method: 'PATCH' | 'PUT' | 'POST';
  readonly form: SettingForm;
  /** By JSON Pointer into the setting; a setting that is one value has one field, the empty pointer. */
  readonly fields: Readonly<Record<string, SettingField>>;
  /** The permission group of tokens, without Read or Write. */
  readonly permission: string;
}

/** A field of a setting as a file declares it. */
export interface DesiredSettingField {
  readonly path: string;
  readonly value: JsonValue;
}

/** A setting that files declare: the fields that they name, and no others. */
export interface DesiredSetting {
  readonly name: string;
  readonly fields: readonly DesiredSettingField[];
  readonly cause: FileCause;
}

/** A field of a setting in a file, with its place. */
export interface DeclaredSettingField extends DesiredSettingField {
  readonly name: string;
  readonly where: SourceSpan;
}

/** A live setting. */
export interface LiveSetting {
  readonly name: string;
  /** The values of known fields, by pointer; those that the answer lacks are missing. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** All that the service showed of it, so that a write which has to name every field keeps also those that are not known here. */
  readonly whole: JsonObject;
  /** Whether the service lets it be changed; it says so of zone settings only. */
  readonly editable: boolean;
}

/** The setting that a step writes. */
export interface SettingTarget {
  readonly kind: 'setting';
  readonly name: string;
}

/** A field that changes. */
export interface SettingFieldChange {
  /** JSON Pointer into the setting; empty for one that is one value. */
  readonly path: string;
  /** Null where the service did not show the field. */
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** A step that changes fields of a setting of a zone. */
export interface SettingStep {
  /** Stable name of the step, such as `zone:shop.example/setting:ssl`. */
  readonly id: string;
  readonly operation: 'update';
  readonly target: SettingTarget;
  readonly fields: readonly SettingFieldChange[];
  readonly protection: Protection;
  /** What strengthens, or feeds rules, comes before the rulesets; what weakens after them. */
  readonly turn: 'first' | 'last';
  readonly cause?: Cause | undefined;
}
