import type { RouteMethod, SourceSpan } from '../../model/index.ts';
import { ROUTE_METHODS } from '../../model/index.ts';
import { findPaths, matchRoutes } from './deprecated-paths.ts';
import type { RouteMatch } from './deprecated-paths.ts';

/** The text around a path, up to the paths before and behind it. */
interface Surroundings {
  /** The text before the path; its last line is the start of the path's own line. */
  readonly before: string;
  readonly after: string;
}

/** A method, and whether the line of the path itself names it. */
interface FoundMethod {
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
function findMethod({ before, after }: Surroundings): FoundMethod | null {
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
function methodNamed(text: string | undefined): RouteMethod | null {
  const name = text?.toUpperCase();
  return ROUTE_METHODS.find((method) => method === name) ?? null;
}

/** A line that opens the operations of a path in an OpenAPI document: `/path:` in YAML, `"/path": {` in JSON. */
const PATH_ITEM = /^(\s*)(["']?)\/[^"']*\2\s*:\s*\{?\s*$/u;
const OPERATION = /^(\s*)(["']?)(get|post|put|patch|delete)\2\s*:/u;

/** Reads the operations below a path, line by line. */
interface OperationBlock {
  /** Returns the operation that a line names; `inside` for another line of the block, `over` for the first line behind it. */
  read(line: string): RouteMethod | 'inside' | 'over';
}

/** Returns the block that a line opens; null for a line that opens none. */
function openOperations(line: string): OperationBlock | null {
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

/** A request to a retired route, with its method where the text tells it. */
export interface FoundRequest {
  readonly match: RouteMatch;
  readonly method: RouteMethod | null;
  readonly where: SourceSpan;
}

/** Callbacks for the routes and requests that are found. */
export interface RequestListener {
  /** Called for any route of the registry, including one that only carries retired fields. */
  readonly route: (match: RouteMatch, line: number) => void;
  readonly request: (request: FoundRequest) => void;
}

/** A line of a file, or a piece of a long one. */
export interface FileLine {
  readonly file: string;
  readonly text: string;
  readonly number: number;
  /** Offset at which a piece begins in its line. */
  readonly offset: number;
}

/** Reads a text line by line; `mayHavePath` is false for a line that certainly has no path. */
export interface RequestReader {
  line(line: FileLine, mayHavePath: boolean): void;
  end(): void;
}

/** Numbers of lines before and behind a path that may tell its method. */
const LINES_BEFORE = 12;
const LINES_BEHIND = 6;

/** Most characters of a long line, such as a recording on one line, that count as near. */
const MAX_NEARBY = 2000;

/** A path, and the retired routes that it may be a request to. */
interface RetiredPath {
  readonly where: SourceSpan;
  readonly matches: readonly RouteMatch[];
}

/** A path whose method may be on the lines behind it. */
interface Pending extends RetiredPath {
  readonly before: string;
  after: string;
  left: number;
}

/** Finds the requests that a text makes, documents or records. */
export function readRequests(listener: RequestListener): RequestReader {
  const operations = readOperations(listener);
  let recent: string[] = [];
  let pending: Pending | null = null;

  const settle = (): void => {
    if (pending !== null) {
      reportPending(listener, pending);
      pending = null;
    }
  };
  const readPaths = (line: FileLine): number => {
    const { text, number } = line;
    let from = 0;
    for (const path of findPaths(text)) {
      const matches = matchRoutes(path);
      for (const match of matches) {
        listener.route(match, number);
      }
      if (pending !== null) {
        pending.after += text.slice(from, path.start).slice(0, MAX_NEARBY);
        settle();
      }
      const retired = matches.filter((match) => match.retired);
      const where = spanOf(line, [path.start, path.end]);
      const block = retired.length === 0 ? null : openOperations(text);
      if (block !== null) {
        operations.begin(block, { where, matches: retired });
      } else if (retired.length > 0) {
        const before = [...recent, text.slice(from, path.start)].join('\n').slice(-MAX_NEARBY);
        pending = { where, matches: retired, before, after: '', left: LINES_BEHIND };
      }
      from = path.end;
      recent = [];
    }
    return from;
  };

  return {
    line(line, mayHavePath) {
      const { text } = line;
      operations.line(line);
      const from = mayHavePath ? readPaths(line) : 0;
      if (pending !== null) {
        pending.after += `${text.slice(from, from + MAX_NEARBY)}\n`;
        pending.left -= 1;
        if (pending.left <= 0) {
          settle();
        }
      }
      recent = [...recent, text.slice(Math.max(from, text.length - MAX_NEARBY))].slice(-LINES_BEFORE);
    },
    end() {
      settle();
      operations.end();
    },
  };
}

/** Reports a path with the method near it; a method that certainly belongs to another route rules this one out. */
function reportPending(listener: RequestListener, pending: Pending): void {
  const found = findMethod(pending);
  report(listener, pending, ({ route }) =>
    found === null || route.methods.includes(found.method)
      ? (found?.method ?? null)
      : found.certain
        ? 'other'
        : null,
  );
}

/** Finds the operations that an OpenAPI document has under a path, up to its next path. */
function readOperations(listener: RequestListener) {
  let open: { readonly block: OperationBlock; readonly path: RetiredPath; named: boolean } | null = null;
  const end = (): void => {
    if (open !== null && !open.named) {
      report(listener, open.path, () => null);
    }
    open = null;
  };
  return {
    begin(block: OperationBlock, path: RetiredPath): void {
      end();
      open = { block, path, named: false };
    },
    line(line: FileLine): void {
      const { text } = line;
      const said = open?.block.read(text) ?? 'inside';
      if (said === 'over') {
        end();
      } else if (open !== null && said !== 'inside') {
        open.named = true;
        const start = text.length - text.trimStart().length;
        const where = spanOf(line, [start, text.trimEnd().length]);
        const { matches } = open.path;
        report(listener, { matches, where }, ({ route }) => (route.methods.includes(said) ? said : 'other'));
      }
    },
    end,
  };
}

function report(
  listener: RequestListener,
  { matches, where }: RetiredPath,
  methodOf: (match: RouteMatch) => RouteMethod | null | 'other',
): void {
  for (const match of matches) {
    const method = methodOf(match);
    if (method !== 'other') {
      listener.request({ match, method, where });
    }
  }
}

/** Returns the span of a stretch of a line, by offsets. */
export function spanOf(
  { file, number, offset }: FileLine,
  [start, end]: readonly [start: number, end: number],
): SourceSpan {
  const at = (index: number) => ({ line: number, column: offset + index + 1 });
  return { file, start: at(start), end: at(end) };
}
