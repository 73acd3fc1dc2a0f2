import type { Condition, EvaluationContext, Values } from '../expression/index.ts';
import { takeInventory, compileFilter, firstDemand, flatten } from '../expression/index.ts';
import { createCameBefore, createLimitedMap } from '../data/index.ts';
import { mayGoTo, ordinaryRequest, TRIED } from './ordinary-requests.ts';
import type { RequestDemand, Requests } from './ordinary-requests.ts';

/** The ordinary requests that satisfy a condition: at least those in `least` and at most those in `most`, which differ where it is not known. */
export interface Hits {
  readonly least: Requests;
  readonly most: Requests;
}

/** The hits of a condition of which nothing is known. */
export const UNTRIED: Hits = { least: 0, most: TRIED };

/** The hits of a condition that no ordinary request satisfies. */
const NONE: Hits = { least: 0, most: 0 };

/** Returns the ordinary requests that satisfy both of two conditions. */
export function bothHit(one: Hits, other: Hits): Hits {
  return { least: one.least & other.least, most: one.most & other.most };
}

/** Returns the ordinary requests that satisfy at least one of two conditions. */
export function eitherHits(one: Hits, other: Hits): Hits {
  return { least: one.least | other.least, most: one.most | other.most };
}

type RequestTester = (request: Values) => boolean;

/** What is known of a condition for requests to any zone. */
interface Trial {
  /** The requests that satisfy all clauses that do not depend on the zone. */
  readonly anywhere: Requests;
  /** The clauses that depend on the zone. */
  readonly atZone: readonly RequestTester[];
  /** Whether a clause in `atZone` looks something up in a list. */
  readonly asksListOfHosts: boolean;
  /** Whether all clauses can be evaluated. */
  readonly isWhole: boolean;
}

/** The maximum number of kept trials: a list of a thousand rules is tried before and after a change. */
const MOST = 4096;
const trials = createLimitedMap<Trial>(MOST);
const cameBefore = createCameBefore();

/**
 * Returns the ordinary requests that satisfy a condition. They go to a zone, to one host name of it, or to unspecified zones of an account;
 * `root` returns the tree of the text. The condition is tried clause by clause: in most conditions one clause that does not depend on the
 * zone excludes all requests, and that result is shared by all zones.
 */
export function ordinaryHits(text: string, asked: RequestDemand, root: () => Condition | undefined): Hits {
  if (isForAnother(text, asked)) {
    return NONE;
  }
  const { anywhere, atZone, asksListOfHosts, isWhole } = trials.get(text) ?? keep(text, tryAnywhere(root()));
  let most = anywhere;
  // `CONTEXT` assumes that lists hold every other host name. With a single host name this would be all requests or none, so nothing is
  // certain.
  let unsaid = isWhole && !(asksListOfHosts && asked.host !== undefined) ? 0 : TRIED;
  for (const bit of atZone.length === 0 ? [] : bitsOf(anywhere)) {
    const request = ordinaryRequest(bit, asked);
    if (request === undefined) {
      unsaid |= 1 << bit;
    } else if (!atZone.every((test) => test(request))) {
      most &= ~(1 << bit);
    }
  }
  return { least: most & ~unsaid, most };
}

/** Whether a condition first demands a host to which no ordinary request goes. This is mostly what differs from zone to zone. */
function isForAnother(text: string, asked: RequestDemand): boolean {
  const first = firstDemand(text);
  return first?.field === 'http.host' && !first.values.some((host) => mayGoTo(host, asked));
}

/** Keeps the trial of a text that came before. Nothing is kept the first time, because most texts occur in one zone only. */
function keep(text: string, trial: Trial): Trial {
  return cameBefore(text) ? trials.keep(text, trial) : trial;
}

function tryAnywhere(condition: Condition | undefined): Trial {
  const atZone: RequestTester[] = [];
  let asksListOfHosts = false;
  let anywhere = TRIED;
  let isWhole = condition !== undefined;
  for (const clause of condition === undefined ? [] : flatten(condition, 'and')) {
    const compiled = compileFilter(clause, { context: CONTEXT });
    const { fields, comparisons } = takeInventory('', { mode: 'filter', root: clause });
    if (!compiled.ok) {
      isWhole = false;
    } else if (fields.some(({ name }) => asksZone(name))) {
      atZone.push(compiled.evaluate);
      asksListOfHosts ||= comparisons.some(({ right }) => right.kind === 'list');
    } else {
      anywhere = meeting(compiled.evaluate, anywhere);
      if (anywhere === 0) {
        return { anywhere, atZone: [], asksListOfHosts: false, isWhole };
      }
    }
  }
  return { anywhere, atZone, asksListOfHosts, isWhole };
}

function meeting(test: RequestTester, requests: Requests): Requests {
  let met = 0;
  for (const bit of bitsOf(requests)) {
    const request = ordinaryRequest(bit, {});
    met |= request !== undefined && test(request) ? 1 << bit : 0;
  }
  return met;
}

function* bitsOf(requests: Requests): Iterable<number> {
  for (let bit = 0; 1 << bit <= requests; bit += 1) {
    if ((requests & (1 << bit)) !== 0) {
      yield bit;
    }
  }
}

const OF_ZONE = /host|full_uri|request\.headers|referer|cf\.zone/u;

/** Whether a field may have another value in requests to another zone. */
export function asksZone(field: string): boolean {
  return OF_ZONE.test(field);
}

/** A plan does not know the items of lists: it assumes no ordinary address, and the host name of every other request. */
const CONTEXT: EvaluationContext = {
  inList: (_name, value) => typeof value === 'string' && value.startsWith('www.'),
};
