import { groupBy } from '../../model/group-by.ts';
import type { JsonObject } from '../../model/json.ts';
import { objectOf, textOf } from '../../model/json.ts';
import { phaseFacts } from '../../model/phase.ts';
import { readsCredentials } from './credential-headers.ts';
import { decidingHeader, maxAge, REQUEST_HEADERS, RESPONSE_HEADERS } from './deciding-headers.ts';
import type { DecidingHeader } from './deciding-headers.ts';
import type { Role } from './role.ts';
import type { Named, Reading } from './trait.ts';

/** Reads what changed headers do. Their names tell which of them matter, regardless of case. */
export const headerChanges: Reading = (headers, { stand: { phase } }) => {
  // In a phase that this version does not know, they may be headers of either side.
  const stage = phaseFacts(phase)?.stage;
  const byName = groupBy(Object.entries(objectOf(headers)), ([name]) => name.toLowerCase());
  return [...byName].flatMap(([name, entries]) => {
    const changes = entries.map(([, change]) => objectOf(change));
    return [
      ...(stage === 'response'
        ? []
        : changesOf(`the request header ${name}`, decidingHeader(REQUEST_HEADERS, name), changes)),
      ...(stage === 'request' ? [] : inAnswer(name, changes)),
    ];
  });
};

function changesOf(
  header: string,
  row: DecidingHeader | undefined,
  changes: readonly JsonObject[],
): readonly Named[] {
  const [change = {}, ...more] = changes;
  if (row === undefined) {
    return [];
  }
  if (more.length > 0) {
    return [[header, { role: 'both', label: `${header} twice, of which either may count`, value: changes }]];
  }
  const role = roleOf(row, change);
  const label =
    change['operation'] === 'remove'
      ? `the removal of ${header}`
      : `${header}${role === 'protects' ? '' : `, ${row.why}`}`;
  return role === 'none' ? [] : [[header, { role, label, value: change }]];
}

function roleOf({ set, add, remove }: DecidingHeader, { operation, value }: JsonObject): Role {
  if (operation === 'remove') {
    return remove;
  }
  const role = typeof set === 'string' ? set : set(typeof value === 'string' ? value.trim() : undefined);
  return operation !== 'add' || add === undefined || (add === 'none' && role === 'protects') ? role : add;
}

const TRANSPORT_SECURITY = 'strict-transport-security';

function inAnswer(name: string, changes: readonly JsonObject[]): readonly Named[] {
  const header = `the header ${name}`;
  const found = changesOf(header, decidingHeader(RESPONSE_HEADERS, name), changes);
  const [change = {}] = changes;
  const shown = changes.map(({ expression }) => textOf(expression)).filter(readsCredentials);
  return [
    ...(name === TRANSPORT_SECURITY && change['operation'] === 'set' && found[0]?.[1].role === 'protects'
      ? transportSecurity(header, textOf(change['value']))
      : found),
    ...shown.map((value): Named => [
      `${header} with credentials`,
      { role: 'permits', label: `${header}, which shows scripts the credentials of the request`, value },
    ]),
  ];
}

/** Reads Strict-Transport-Security: a longer time protects more. */
function transportSecurity(header: string, value: string): readonly Named[] {
  const time = maxAge(value);
  const subdomains = `${header} of subdomains`;
  return [
    [header, { role: 'protects', label: header, value: `max-age=${time}`, height: time }],
    ...(/;\s*includesubdomains/i.test(value)
      ? [[subdomains, { role: 'protects', label: subdomains, value: true }] as const]
      : []),
  ];
}
