import type { ListName, Operand } from '../language/ast.ts';
import type { Report } from './finding.ts';
import type { CheckContext, Subject } from './subject.ts';
import { plainField } from '../language/field-tests.ts';

/** The managed lists, which the service itself keeps; all hold addresses (`rules-language.md` 4). */
const MANAGED_LISTS: readonly string[] = [
  'cf.anonymizer',
  'cf.botnetcc',
  'cf.malware',
  'cf.open_proxies',
  'cf.vpn',
];

const OWN_NAME = /^[a-z0-9_]{1,50}$/u;
const FIELDS_WITH_LISTS: Readonly<Record<string, readonly string[]>> = {
  Bytes: ['http.host'],
  Int: ['ip.src.asnum', 'ip.geoip.asnum'],
};

/** The field that bulk redirects look up in a list of redirects (api.md 5.6). */
export const REDIRECT_FIELD = 'http.request.full_uri';
const REDIRECT_PHASE = 'http_request_redirect';

/** Whether a name, without `$`, is that of a managed list. */
export function isManagedList(name: string): boolean {
  return name.startsWith('cf.');
}

/** Reports list names that are impossible or unknown, and operands that have no lists (`rules-language.md` 1.3, 4). */
export function checkLists({ comparisons, context }: Subject, report: Report): void {
  for (const { left, right } of comparisons) {
    if (right.kind === 'list') {
      checkList({ left, list: right, context }, report);
    }
  }
}

interface ListTest {
  readonly left: Operand;
  readonly list: ListName;
  readonly context: CheckContext;
}

function checkList({ left, list, context }: ListTest, report: Report): void {
  const { name, span } = list;
  const { lists: known, phase } = context;
  const isManaged = isManagedList(name);
  const field = plainField(left);
  if (!isManaged && !OWN_NAME.test(name)) {
    const hint = 'names have up to 50 lower-case letters, digits and underscores';
    report('expression/list-name', { message: `no list can be called $${name}`, span, hint });
  } else if (isManaged ? !MANAGED_LISTS.includes(name) : known !== undefined && !known.has(name)) {
    const hint = isManaged
      ? `managed lists are $${MANAGED_LISTS.join(', $')}`
      : 'an unknown list never matches';
    report('expression/unknown-list', { message: `there is no list $${name}`, span, hint });
  }
  if (!isManaged && field === REDIRECT_FIELD && (phase ?? REDIRECT_PHASE) === REDIRECT_PHASE) {
    return;
  }
  const fields = isManaged && left.type.kind !== 'Ip' ? [] : FIELDS_WITH_LISTS[left.type.kind];
  if (fields !== undefined && (field === undefined || !fields.includes(field))) {
    const hint = isManaged
      ? 'managed lists hold addresses, as ip.src is one'
      : 'lists hold addresses, host names (for http.host) or AS numbers (for ip.src.asnum)';
    report('expression/list-field', {
      message: `${field ?? 'this value'} cannot be looked up in a ${isManaged ? 'managed ' : ''}list`,
      span: left.span,
      hint,
    });
  }
}
