import type { TestDocument } from '../model/generated/documents.ts';
import { quoted } from '../text/index.ts';
import type { Mismatch } from '../model/index.ts';
import type { Scenario } from './exchange.ts';
import type { PreparedRule, PreparedZone } from './prepared.ts';
import { simulate } from './simulate.ts';
import type { Assumed, Trace } from './trace.ts';

/** One way that a request may take, by what rules do of which nobody here can tell whether they match. */
export interface PossibleWorld {
  readonly assumed: Assumed;
  readonly trace: Trace;
}

/** The most ways of a request that are tried. */
const MOST_WORLDS = 16;

/** A test of which some rules may be open. */
interface OpenTest {
  readonly zone: PreparedZone;
  readonly scenario: Scenario;
  readonly expect: TestDocument['tests'][number]['expect'];
}

/**
 * Returns every way that the request of a test may take: each rule that cannot be evaluated is tried with both answers, except those that the
 * test expects to be undecided. A request that could go more ways than are tried has only the way on which these rules do nothing, and stay
 * undecided.
 */
export function worldsOf({ zone, scenario, expect }: OpenTest, trace: Trace): readonly PossibleWorld[] {
  const worlds: PossibleWorld[] = [];
  const waiting: PossibleWorld[] = [{ assumed: new Map(), trace }];
  for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
    const rule = world.trace.open.find(({ name }) => expect.rules?.[name] !== 'undecided');
    if (rule === undefined) {
      worlds.push(world);
    } else {
      // The last one is tried first, so that the first way is the one on which no such rule matches.
      for (const matches of [true, false]) {
        const assumed = new Map([...world.assumed, [rule, matches]]);
        waiting.push({ assumed, trace: simulate(zone, scenario, { assumed }) });
      }
    }
    if (worlds.length + waiting.length > MOST_WORLDS) {
      return [{ assumed: new Map(), trace }];
    }
  }
  return worlds;
}

/**
 * Returns what is wrong on every way of a request; where some ways meet the expectation and others do not, the rules on which that depends.
 */
export function mismatchesOf(
  worlds: readonly PossibleWorld[],
  check: (trace: Trace) => readonly Mismatch[],
): readonly Mismatch[] {
  const checked = worlds.map(({ assumed, trace }) => ({ assumed, trace, found: check(trace) }));
  const [first] = checked;
  const failed = checked.filter(({ found }) => found.length > 0);
  if (first === undefined || failed.length === 0 || failed.length === checked.length) {
    return first?.found ?? [];
  }
  const rules = [...new Set(checked.flatMap(({ assumed }) => [...assumed.keys()]))];
  const share = (rule: PreparedRule, matches: boolean): number => {
    const own = checked.filter(({ assumed }) => assumed.get(rule) === matches);
    return own.filter(({ found }) => found.length > 0).length / own.length;
  };
  const deciding = rules.filter((rule) => share(rule, true) !== share(rule, false));
  return (deciding.length === 0 ? rules : deciding).map((rule) => ({
    key: 'rules',
    message: `the result depends on ${quoted(rule.name)}, which cannot be evaluated: ${whyOf(rule)}`,
  }));
}

function whyOf({ undecidable, newFields }: PreparedRule): string {
  return undecidable ?? `give ${newFields.join(', ')} in \`fields\``;
}
