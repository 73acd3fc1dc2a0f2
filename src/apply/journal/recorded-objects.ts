import { isJsonObject, listOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { ObjectStep, Scope } from '../../model/index.ts';
import { readObjectStep } from '../../plan/index.ts';
import { recordedScope, timeOf } from './journal-values.ts';

/** A step on a list or a setting of a run, as recorded in the journal. */
export interface RecordedObject {
  readonly step: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  /** Number of writes that the step takes. */
  readonly writes: number;
  /** Number of writes that landed. */
  readonly landed: number;
  /** The step with all that it replaces, recorded before its first write; null when there was none. */
  readonly saved: ObjectStep | null;
  /** When the write was sent of which nothing is recorded; null when there is none. Milliseconds since 1970. */
  readonly sentAt: number | null;
}

/** Reads the steps on lists and settings of a run from its head and its entries by step. */
export function recordedObjects(
  { lists, settings }: JsonObject,
  entries: ReadonlyMap<JsonValue | undefined, readonly JsonObject[]>,
): readonly RecordedObject[] {
  return [...listOf(lists), ...listOf(settings)].flatMap((value): readonly RecordedObject[] => {
    const { step, scope: where, tokenEnv, writes } = isJsonObject(value) ? value : {};
    const scope = recordedScope(where);
    if (typeof step !== 'string' || scope === null) {
      return [];
    }
    const own = entries.get(step) ?? [];
    const count = (kind: string): number => own.filter((entry) => entry['kind'] === kind).length;
    const answered = own.filter(({ kind, inDoubt }) => kind === 'failed' && inDoubt !== true).length;
    const isOpen = count('intent') > count('landed') + answered;
    const intent = isOpen ? own.findLast(({ kind }) => kind === 'intent') : undefined;
    return [
      {
        step,
        scope,
        ...(typeof tokenEnv === 'string' ? { tokenEnv } : {}),
        writes: typeof writes === 'number' ? writes : 1,
        landed: count('landed'),
        saved: own.map(savedStep).findLast((one) => one !== null) ?? null,
        sentAt: intent === undefined ? null : timeOf(intent),
      },
    ];
  });
}

/** A step on a list or a setting that a run carried out, or tried to. */
export interface SavedObject {
  readonly step: ObjectStep;
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number;
}

/** Returns the last step of this id that the entries of a journal have, of the runs against a service; null when there is none. */
export function lastSavedObject(
  entries: readonly JsonObject[],
  { step, service }: { readonly step: string; readonly service: string },
): SavedObject | null {
  const runs = new Set(
    entries.filter((entry) => entry['kind'] === 'run' && entry['service'] === service).map(({ run }) => run),
  );
  for (const entry of entries.toReversed()) {
    const saved = entry['step'] === step && runs.has(entry['run']) ? savedStep(entry) : null;
    if (saved !== null) {
      return { step: saved, at: timeOf(entry) };
    }
  }
  return null;
}

function savedStep({ kind, list, setting }: JsonObject): ObjectStep | null {
  return kind === 'saved-list' || kind === 'saved-setting' ? readObjectStep(list ?? setting) : null;
}
