import type { RegistryRoute } from '../../model/index.ts';
import { REGISTRY_ROUTES } from '../../model/index.ts';

/** A path of a request in a text: its segments, and what stands before it. */
interface FoundPath {
  /** Offset of its first segment. */
  readonly start: number;
  readonly end: number;
  /** `null` where the text has a variable instead of a word. */
  readonly segments: readonly (string | null)[];
  /** `service`: behind the service's base path or a variable; `relative`: nothing, or only a slash, stands before it. */
  readonly base: 'service' | 'relative';
}

/** Forms of a variable inside of a text: `${x}`, `{{x}}`, `#{x}`, `{x}`, `$(x)`, `<x>`, `:x`, `%s`, `$x`, `*`. */
const VARIABLE = String.raw`\$?\{\{[^{}]{1,80}\}\}|[$#]?\{[^{}/]{1,80}\}|\$\([^()]{1,80}\)|<[\w -]{1,60}>|:\w+|%[sdv]|\$\w+|\*`;

/**
 * A concatenation: `GLUE` is its operator, `JOINED` the end of a text, a value, and the start of the next text if there is one, as in `" + zone +
 * "`.
 */
const GLUE = String.raw`\s{0,4}(?:\+|\.\.|\.|&)\s{0,4}`;
const JOINED = `["'\`]${GLUE}[\\w$.()\\[\\]>-]{1,80}?(?:${GLUE}["'\`]|(?=[\\s,;)]|$))`;

const SEGMENT = `(?:(?:${VARIABLE}|[\\w.~%@-])+|${JOINED})`;
const PATH = new RegExp(
  `(?<![\\w.-])(?:zones|accounts|organizations|user|radar)(?:/${SEGMENT})*(?![\\w-])`,
  'gu',
);
const PARTS = new RegExp(`/(${SEGMENT})`, 'gu');
const WORD = /^[\w.~@-]+$/u;

/** The text before a path, back to a blank, a quote, a bracket or another separator. */
const BEFORE = /[^\s"'`(<>,=|]*$/u;

/** Returns paths that could be requests to the service, from left to right, without those of other hosts and other bases. */
export function findPaths(text: string): readonly FoundPath[] {
  return [...text.matchAll(PATH)].flatMap((match): FoundPath[] => {
    const [whole] = match;
    const before = BEFORE.exec(text.slice(Math.max(0, match.index - 200), match.index))?.[0] ?? '';
    const base = baseOf(before);
    if (base === null || (before === '' && !whole.includes('/'))) {
      return [];
    }
    const [root = ''] = whole.split('/', 1);
    const segments = [...whole.slice(root.length).matchAll(PARTS)].map(([, part = '']) =>
      WORD.test(part) ? part : null,
    );
    return [{ start: match.index, end: match.index + whole.length, segments: [root, ...segments], base }];
  });
}

/** The variable at the end of a base, with the slash behind it. */
const VARIABLE_BASE = /(?:\}|\)|\$\w+|%s)\/$/u;

function baseOf(before: string): FoundPath['base'] | null {
  if (before === '' || before === '/') {
    return 'relative';
  }
  if (/(?:^|\/)client\/v4\/$/u.test(before) || VARIABLE_BASE.test(before)) {
    return 'service';
  }
  return null;
}

/** A route of the registry that a path may be. */
export interface RouteMatch extends RegistryRoute {
  /** Whether other services have such paths too; then the file has to show that it means this service. */
  readonly common: boolean;
}

/** Words that many services use in paths below zones and accounts. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  'filters',
  'settings',
  'dns_records',
  'devices',
  'tunnels',
  'gateway',
  'rules',
  'registrar',
  'domains',
  'load_balancers',
  'pools',
  'access',
  'apps',
  'bookmarks',
]);

const COMMON: ReadonlySet<RegistryRoute> = new Set(
  REGISTRY_ROUTES.filter(({ segments }) => isCommon(segments)),
);

/** Returns the routes of the registry that a path may be; empty for an unknown path. */
export function matchRoutes({ segments, base }: FoundPath): readonly RouteMatch[] {
  return REGISTRY_ROUTES.filter(
    (known) =>
      known.segments.length === segments.length &&
      known.segments.every((wanted, index) => fits(wanted, segments[index] ?? null, index)),
  ).map((known) => ({ ...known, common: base === 'relative' && COMMON.has(known) }));
}

/** Product names in real paths where the registry has a neutral word (specification 9, api.md 12.2). */
const PRODUCTS: ReadonlyMap<string, string> = new Map([['accelerators', 'railguns']]);

function fits(wanted: string, given: string | null, index: number): boolean {
  if (!wanted.startsWith('{')) {
    return given === wanted || (given !== null && given === PRODUCTS.get(wanted));
  }
  // A word in place of an identifier means another route: in `devices/policies`, `policies` is not a device.
  return given === null || index === 1 || /[\d.*]|^[A-Z_]+$/u.test(given);
}

function isCommon([root, ...rest]: readonly string[]): boolean {
  const words = rest.filter((segment) => !segment.startsWith('{'));
  return root === 'user' || root === 'organizations' || words.every((word) => COMMON_WORDS.has(word));
}
