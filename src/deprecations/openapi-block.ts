import type { RouteMethod } from '../model/retired/deprecation.ts';
import { methodNamed } from './find-method.ts';

/** A line that opens the operations of a path in an OpenAPI document: `/path:` in YAML, `"/path": {` in JSON. */
const PATH_ITEM = /^(\s*)(["']?)\/[^"']*\2\s*:\s*\{?\s*$/u;
const OPERATION = /^(\s*)(["']?)(get|post|put|patch|delete)\2\s*:/u;

/** Reads the operations below a path, line by line. */
export interface OperationBlock {
  /** Returns the operation that a line names; `inside` for another line of the block, `over` for the first line behind it. */
  read(line: string): RouteMethod | 'inside' | 'over';
}

/** Returns the block that a line opens; null for a line that opens none. */
export function openOperations(line: string): OperationBlock | null {
  const opened = PATH_ITEM.exec(line);
  if (opened === null) {
    return null;
  }
  const outer = opened[1]?.length ?? 0;
  let inner: number | undefined;
  return {
    read(next) {
      if (next.trim() === '') {
        return 'inside';
      }
      const indent = next.length - next.trimStart().length;
      if (indent <= outer) {
        return 'over';
      }
      inner ??= indent;
      return methodNamed(indent === inner ? OPERATION.exec(next)?.[3] : undefined) ?? 'inside';
    },
  };
}
