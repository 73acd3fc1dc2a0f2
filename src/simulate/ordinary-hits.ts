import type { Condition } from '../expression/language/ast.ts';
import { takeInventory } from '../expression/check/take-inventory.ts';
import { compileFilter } from '../expression/evaluate/compile.ts';
import type { EvaluationContext } from '../expression/functions/options.ts';
import { firstDemand } from '../expression/imply/first-demand.ts';
import { flatten } from '../expression/language/ungroup.ts';
import type { Values } from '../expression/index.ts';
import { createCameBefore } from '../model/came-before.ts';
import { mayGoTo, ordinaryRequest, TRIED } from './ordinary-requests.ts';
import type { Asked, Requests } from './ordinary-requests.ts';

/** The ordinary requests that meet a condition: these at least, and those at most where it cannot be said of each. */
export interface Hits {
  readonly least: Requests;
  readonly most: Requests;
}

/** Of what nothing is known. */
export const UNTRIED: Hits = { least: 0, most: TRIED };

/** What is true of none of them. */
const NONE: Hits = { least: 0, most: 0 };

/** The ordinary requests that meet both of two conditions. */
export function bothHit(one: Hits, other: Hits): Hits {
  return { least: one.least & other.least, most: one.most & other.most };
}

/** The ordinary requests that meet one of two conditions at least. */
export function eitherHits(one: Hits, other: Hits): Hits {
  return { least: one.least | other.least, most: one.most | other.most };
}

type Test = (request: Values) => boolean;

/** What is known of a condition before it is known to which zone the requests go. */
interface Trial {
  /** Requests that meet all clauses that do not look at the zone. */
  readonly anywhere: Requests;
  /** The clauses that do. */
  readonly atZone: readonly Test[];
  /** Whether one of these looks a name up in a list. */
  readonly asksListOfHosts: boolean;
  /** Whether there are clauses that cannot be evaluated. */
  readonly isWhole: boolean;
}

/** A list of a thousand rules is tried from both sides. */
const MOST = 4096;
const trials = new Map<string, Trial>();
const cameBefore = createCameBefore();

/**
 * The ordinary requests to a zone, to one name of it, or to zones of an account that is not told which, that meet a condition; `root` gives
 * the tree of its text. Clause by clause: most conditions miss all requests by one that is not about the zone, which is then the same for all zones.
 */
export function ordinaryHits(text: string, asked: Asked, root: () => Condition | undefined): Hits {
  if (isForAnother(text, asked)) {
    return NONE;
  }
  const { anywhere, atZone, asksListOfHosts, isWhole } = trials.get(text) ?? keep(text, tryAnywhere(root()));
  let most = anywhere;
  // Lists that hold the name of every other request hold one name always, or never.
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

/** Whether a condition begins with a host to which no ordinary request goes: what differs from zone to zone is mostly this. */
function isForAnother(text: string, asked: Asked): boolean {
  const first = firstDemand(text);
  return first?.field === 'http.host' && !first.values.some((host) => mayGoTo(host, asked));
}

/** Nothing is kept of a text that comes the first time: most come from one zone alone. */
function keep(text: string, trial: Trial): Trial {
  if (cameBefore(text)) {
    if (trials.size >= MOST) {
      trials.clear();
    }
    trials.set(text, trial);
  }
  return trial;
}

function tryAnywhere(condition: Condition | undefined): Trial {
  const atZone: Test[] = [];
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

function meeting(test: Test, requests: Requests): Requests {
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

/** Whether a field may have another value in a request to another zone. */
export function asksZone(field: string): boolean {
  return OF_ZONE.test(field);
}

/** What a list holds, a plan does not know: of addresses no ordinary one, and of hosts that of every other request. */
const CONTEXT: EvaluationContext = {
  inList: (_name, value) => typeof value === 'string' && value.startsWith('www.'),
};
