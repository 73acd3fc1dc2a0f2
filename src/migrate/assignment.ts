import type { Value } from '../expression/index.ts';

/** Values of some fields: part of a request. */
export type Assignment = ReadonlyMap<string, Value>;
