import type { Report } from '../app/events.ts';
import type { CliContext } from './context.ts';

const OBSERVERS = new WeakMap<CliContext, readonly Report[]>();

/** Has all that use cases tell during a command told to somebody else as well. */
export function observe(context: CliContext, report: Report): void {
  OBSERVERS.set(context, [...observersOf(context), report]);
}

/** Who else hears what use cases tell. */
export function observersOf(context: CliContext): readonly Report[] {
  return OBSERVERS.get(context) ?? [];
}
