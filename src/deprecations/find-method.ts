import type { RouteMethod } from '../model/retired/deprecation.ts';
import { ROUTE_METHODS } from '../model/retired/deprecation.ts';

/** The text around a path, up to the paths before and behind it. */
export interface Surroundings {
  /** The text before the path; its last line is the start of the path's own line. */
  readonly before: string;
  readonly after: string;
}

/** A method, and whether the line of the path itself names it. */
export interface FoundMethod {
  readonly method: RouteMethod;
  readonly certain: boolean;
}

const NAMES = ROUTE_METHODS.join('|');

/** `GET /path`, as in access logs, HTTP files and prose. */
const METHOD_BEFORE_PATH = new RegExp(String.raw`\b(${NAMES})\s+\S*$`, 'u');

/** A method as curl, client libraries and recorded JSON write it. */
const METHOD_MENTIONS = new RegExp(
  [
    String.raw`(?:-X\s*|--request[ =])["']?(${NAMES})\b`,
    String.raw`\bmethod["']?\s*[:=]>?\s*["'\x60](${NAMES})["'\x60]`,
    String.raw`["'\x60](${NAMES})["'\x60]\s*,`,
    String.raw`(?<![\w$])(${NAMES})\s*[(<]`,
    String.raw`\bMethod(${NAMES})\b`,
  ].join('|'),
  'giu',
);

const CURL = /\b(?:curl|wget)\b/u;
const CURL_DATA_FLAG = /\s(?:-d|--data(?:-\w+)?|--json|-F|--form)[\s=]/u;

/** Returns the method of a request, where the text around its path tells it; null where it does not. */
export function findMethod({ before, after }: Surroundings): FoundMethod | null {
  const directly = methodNamed(METHOD_BEFORE_PATH.exec(before)?.[1]);
  if (directly !== null) {
    return { method: directly, certain: true };
  }
  const command = commandAround(before, after);
  if (command !== null) {
    return { method: methodOfCommand(command), certain: false };
  }
  const behind = [...after.matchAll(METHOD_MENTIONS)][0];
  const ahead = [...before.matchAll(METHOD_MENTIONS)].at(-1);
  const toBehind = behind?.index ?? Infinity;
  const toAhead = ahead === undefined ? Infinity : before.length - ahead.index - ahead[0].length;
  const nearest = toAhead <= toBehind ? ahead : behind;
  const method = methodNamed(nearest?.slice(1).find((group) => group !== undefined));
  if (method === null) {
    return null;
  }
  const between = nearest === ahead ? before.slice(before.length - toAhead) : after.slice(0, toBehind);
  return { method, certain: !between.includes('\n') };
}

/** Returns all lines of the curl or wget command that has the path; null where there is none. */
function commandAround(before: string, after: string): string | null {
  const above = before.split('\n');
  let first = above.length - 1;
  while (first > 0 && above[first - 1]?.trimEnd().endsWith('\\') === true) {
    first -= 1;
  }
  const begin = above.slice(first).join('\n');
  if (!CURL.test(begin)) {
    return null;
  }
  const below = after.split('\n');
  const last = below.findIndex((line) => !line.trimEnd().endsWith('\\'));
  return begin + below.slice(0, last === -1 ? below.length : last + 1).join('\n');
}

function methodOfCommand(command: string): RouteMethod {
  const said = [...command.matchAll(METHOD_MENTIONS)][0]?.slice(1).find((group) => group !== undefined);
  return methodNamed(said) ?? (CURL_DATA_FLAG.test(command) ? 'POST' : 'GET');
}

/** Returns the method with a name in any case; null when there is none. */
export function methodNamed(text: string | undefined): RouteMethod | null {
  const name = text?.toUpperCase();
  return ROUTE_METHODS.find((method) => method === name) ?? null;
}
