import type { Report } from '../app/events.ts';
import type { CliContext } from './context.ts';

const OBSERVERS = new WeakMap<CliContext, readonly Report[]>();

/** Adds an observer of the events of a command. */
export function observe(context: CliContext, report: Report): void {
  OBSERVERS.set(context, [...observersOf(context), report]);
}

/** The observers of the events of a command. */
export function observersOf(context: CliContext): readonly Report[] {
  return OBSERVERS.get(context) ?? [];
}
