import type { ProjectDocument } from '../../model/generated/documents.ts';
import type { JsonObject } from '../../data/index.ts';
import { mapTexts } from '../../data/index.ts';
import type { Environment } from '../../model/index.ts';
import { isSensitiveEntry, referenceTo, referencesIn } from '../../model/index.ts';

/** The names of a project's sensitive variables, by the references that stand for their values. */
export type SensitiveNames = ReadonlyMap<string, string>;

/** Returns the sensitive variables that the `env` of a project file declares. */
export function sensitiveNames(env: ProjectDocument['env'], environment: Environment): SensitiveNames {
  return new Map(
    Object.entries(env ?? {}).flatMap(([name, said]) =>
      typeof said === 'object' && isSensitiveEntry(said)
        ? [[referenceTo(said.from, environment), name] as const]
        : [],
    ),
  );
}

/** Replaces the references that stand for sensitive values in live texts by the variables that hold these values. */
export function nameSensitive(value: JsonObject, names: SensitiveNames): JsonObject {
  return names.size === 0 ? value : mapTexts(value, (text) => namedIn(text, names));
}

function namedIn(text: string, names: SensitiveNames): string {
  return referencesIn(text).reduce((current, reference) => {
    const name = names.get(reference);
    return name === undefined ? current : current.replaceAll(reference, () => `\${${name}}`);
  }, text);
}
