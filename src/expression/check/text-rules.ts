import type { TextTest } from '../language/field-tests.ts';
import type { Code } from './check-finding.ts';

/** What a field's value looks like: `sound` matches the literals that can occur in the kinds of tests in `how`. */
export interface TextRule {
  readonly code: Code;
  readonly how: readonly TextTest['how'][];
  readonly sound: RegExp;
  readonly says: (value: string) => string;
}

const WHOLE = ['whole'] as const;
const ANYWHERE = ['whole', 'start', 'end', 'part', 'wildcard'] as const;
const FROM_START = ['whole', 'start', 'wildcard'] as const;

/** Rules for the literals that some fields are compared with (`rules-language.md` 5). */
const TEXT_RULES: readonly (readonly [fields: readonly string[], rules: readonly TextRule[]])[] = [
  [
    ['http.request.method'],
    [
      {
        code: 'expression/value-case',
        how: WHOLE,
        sound: /^[^a-z]*$/u,
        says: (value) => `methods are in upper case: ${value.toUpperCase()}`,
      },
    ],
  ],
  [
    ['ip.src.country', 'ip.geoip.country', 'ip.dst.country'],
    [
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^(?:[A-Z]{2}|T1|)$/u,
        says: (value) => `country codes have two upper-case letters, not ${value}`,
      },
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^(?!UK$)/u,
        says: () => 'the code of the United Kingdom is GB',
      },
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^(?!EU$)/u,
        says: () => 'no country has the code EU: ip.src.is_in_european_union tells its members',
      },
    ],
  ],
  [
    ['http.host'],
    [
      {
        code: 'expression/impossible-value',
        how: ANYWHERE,
        sound: /^[^/?#@]*$/u,
        says: (value) => `a host name has no scheme and no path${hostIn(value)}`,
      },
      {
        code: 'expression/value-case',
        how: WHOLE,
        sound: /^[^A-Z]*$/u,
        says: (value) => `clients send host names in lower case: ${value.toLowerCase()}`,
      },
    ],
  ],
  [
    rawToo('http.request.uri', 'http.request.uri.path'),
    [
      {
        code: 'expression/path-slash',
        how: ['whole', 'start'],
        sound: /^(?:\/|$)/u,
        says: (value) => `no path starts with ${value.slice(0, 20)}`,
      },
      {
        code: 'expression/path-slash',
        how: ['wildcard'],
        sound: /^[/*]/u,
        says: (value) => `no path starts with ${value.slice(0, 20)}`,
      },
    ],
  ],
  [
    rawToo('http.request.uri.path'),
    [
      {
        code: 'expression/impossible-value',
        how: ANYWHERE,
        sound: /^[^?]*$/u,
        says: () => 'a path ends before the ?; http.request.uri is the path with the query',
      },
    ],
  ],
  [
    rawToo('http.request.uri.query'),
    [
      {
        code: 'expression/impossible-value',
        how: ['whole', 'start', 'wildcard'],
        sound: /^(?!\?.)/u,
        says: (value) => `the query begins after the ?: ${value.slice(1)}`,
      },
      {
        // Within a query another ? may stand, as in attacks with ?%00.
        code: 'expression/impossible-value',
        how: ['part'],
        sound: /^(?!\?[\w-]+=)/u,
        says: (value) => `the query begins after the ?: ${value.slice(1)}`,
      },
    ],
  ],
  [
    rawToo('http.request.uri', 'http.request.full_uri', 'http.request.uri.path'),
    [
      {
        code: 'expression/impossible-value',
        how: FROM_START,
        sound: /^[^#]*$/u,
        says: () => 'clients keep what follows a # to themselves',
      },
    ],
  ],
  [
    rawToo('http.request.uri.path.extension'),
    [
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^[^.A-Z]*$/u,
        says: (value) =>
          `extensions are in lower case and without the dot: ${value.replaceAll('.', '').toLowerCase()}`,
      },
    ],
  ],
  [
    rawToo('http.request.full_uri'),
    [
      {
        code: 'expression/impossible-value',
        how: ['whole', 'start'],
        sound: /^(?:h|$)/u,
        says: () => 'full URIs start with http:// or https://',
      },
      {
        code: 'expression/impossible-value',
        how: ['wildcard'],
        sound: /^[h*]/iu,
        says: () => 'full URIs start with http:// or https://',
      },
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^[^:]*$|:\/\/[^/]*\//u,
        says: (value) => `full URIs have a path: ${value}/`,
      },
    ],
  ],
];

const RULES_OF = new Map<string, readonly TextRule[]>();
for (const [fields, rules] of TEXT_RULES) {
  for (const field of fields) {
    RULES_OF.set(field, [...(RULES_OF.get(field) ?? []), ...rules]);
  }
}

/** Returns the rules for the literals that a field is compared with, the most specific first. */
export function textRulesOf(field: string): readonly TextRule[] | undefined {
  return RULES_OF.get(field);
}

/** Returns the host name in what may be a URL, as the end of a message; empty if there is none. */
function hostIn(value: string): string {
  const [, name = ''] = /^(?:[^/]*:\/\/)?(?:[^/?#]*@)?([^/?#@]*)/u.exec(value) ?? [];
  return name === '' ? '' : `: ${name}`;
}

function rawToo(...fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => [field, `raw.${field}`]);
}
