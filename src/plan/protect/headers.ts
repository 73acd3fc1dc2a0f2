import type { JsonObject } from '../../model/json.ts';
import { objectOf, textOf } from '../../model/json.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { Role } from './role.ts';
import type { Named, Reading, Trait } from './trait.ts';

/** Reads what changed headers do. Their names tell which of them matter, regardless of case. */
export const headerChanges: Reading = (headers, { stand: { phase } }) => {
  // In a phase that this version does not know, they may be headers of either side.
  const stage = phaseFacts(phase)?.stage;
  return Object.entries(objectOf(headers)).flatMap(([name, change]) => [
    ...(stage === 'response' ? [] : toOrigin(name.toLowerCase(), objectOf(change))),
    ...(stage === 'request' ? [] : inAnswer(name.toLowerCase(), objectOf(change))),
  ]);
};

/** Names of request headers that tell the origin who asks, or that the request came through this service. */
const TRUSTED =
  /auth|token|secret|passw|credential(?!-check)|signature|jwt|session|cookie|key|cert|user(?!-agent)|admin|internal|role|verified|forwarded|real-ip|client-ip|method-override/;

function toOrigin(name: string, change: JsonObject): readonly Named[] {
  const header = `the request header ${name}`;
  // A visitor cannot forge a header that is removed.
  const trait: Trait =
    change['operation'] === 'remove'
      ? { role: 'protects', label: `the removal of ${header}`, value: change }
      : {
          role: 'both',
          label: `${header}, which the origin may trust`,
          value: change,
        };
  return TRUSTED.test(name) ? [[header, trait]] : [];
}

/** Response headers by which a browser protects its user, each with a test for values that do. */
const PROTECTING: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['content-security-policy', restrictsScripts],
  ['cross-origin-embedder-policy', oneOf('require-corp', 'credentialless')],
  ['cross-origin-opener-policy', oneOf('same-origin', 'same-origin-allow-popups', 'noopener-allow-popups')],
  ['cross-origin-resource-policy', oneOf('same-origin', 'same-site')],
  ['permissions-policy', (value) => !value.includes('*')],
  [
    'referrer-policy',
    oneOf('no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'),
  ],
  ['strict-transport-security', (value) => maxAge(value) > 0],
  ['x-content-type-options', oneOf('nosniff')],
  ['x-frame-options', oneOf('deny', 'sameorigin')],
]);

/** Response headers that make a browser trust other sites, go elsewhere, or keep another session. */
const OPENING = /^access-control-allow-/;
const STEERING: ReadonlySet<string> = new Set(['location', 'refresh', 'set-cookie']);

function inAnswer(name: string, change: JsonObject): readonly Named[] {
  const isRemoved = change['operation'] === 'remove';
  const header = `the header ${name}`;
  const one = (role: Role, why = ''): readonly Named[] => [
    [
      header,
      {
        role,
        label: isRemoved ? `the removal of ${header}` : `${header}${why}`,
        value: change,
      },
    ],
  ];
  if (OPENING.test(name)) {
    return one(isRemoved ? 'protects' : 'permits', ', by which other sites may read answers');
  }
  if (STEERING.has(name)) {
    return one('both', ', which steers browsers');
  }
  const protects = PROTECTING.get(name);
  if (protects === undefined) {
    return [];
  }
  if (isRemoved) {
    return one('permits');
  }
  const value = textOf(change['value']).trim();
  if (value === '' || !protects(value)) {
    return one('both', ', whose value is not known to protect');
  }
  return name === 'strict-transport-security' ? transportSecurity(name, value) : one('protects');
}

/** Reads Strict-Transport-Security: a longer time protects more. */
function transportSecurity(name: string, value: string): readonly Named[] {
  const time = maxAge(value);
  const label = `the header ${name}`;
  return [
    [label, { role: 'protects', label, value: `max-age=${time}`, height: time }],
    ...(/;\s*includesubdomains/i.test(value)
      ? [
          [
            `${label} of subdomains`,
            { role: 'protects', label: `${label} of subdomains`, value: true },
          ] as const,
        ]
      : []),
  ];
}

function maxAge(value: string): number {
  return Number(/(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(value)?.[1] ?? 0);
}

function oneOf(...values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value.toLowerCase());
}

/** Script sources that anybody could provide. */
const ANYBODY = /(?:^|\s)(?:\*|https?:|data:|blob:|'unsafe-(?:inline|eval)')(?:\s|$)/i;

/** Whether a policy restricts scripts; of two directives with one name the first counts. */
function restrictsScripts(policy: string): boolean {
  const directives = policy.split(';').map((directive) => directive.trim());
  const find = (name: RegExp): string | undefined => directives.find((directive) => name.test(directive));
  return !ANYBODY.test(find(/^script-src\s/i) ?? find(/^default-src\s/i) ?? '');
}
