import { parseYaml, scopeFilesIn, sourceText } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { Replaced } from './require-saved.ts';

/** What becomes of the lists or settings of a file so that it says what is live, and what is reported of it. */
export interface ObjectsFollowed {
  /** Members at the top of the file; one without a value goes. */
  readonly members: Map<string, JsonValue | undefined>;
  /** The texts of files with items, by path. */
  readonly texts: Map<string, string>;
  /** The names of the lists and settings that change. */
  readonly names: Set<string>;
  readonly kept: string[];
  readonly removed: string[];
  readonly dropped: string[];
  readonly replaced: Replaced[];
}

/** A file that says what is live already. */
export function nothingFollowed(): ObjectsFollowed {
  return {
    members: new Map(),
    texts: new Map(),
    names: new Set(),
    kept: [],
    removed: [],
    dropped: [],
    replaced: [],
  };
}

/** Returns what the text of a file says of its first scope, such as one that Git has; nothing where it cannot be read. */
export function scopeValueIn(text: string): JsonObject {
  const { document } = parseYaml(sourceText('', text));
  return document === undefined ? {} : (scopeFilesIn(document)[0]?.value ?? {});
}
