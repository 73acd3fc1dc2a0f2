import type { DoctorStatus, DoctorCheck, DoctorGroup, DoctorReport } from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import { someNames, counted } from '../../text/index.ts';
import { scopeNames } from '../alike-scopes.ts';
import type { Line, Look, Style } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';

const SIGNS = {
  good: ['good', '✓'],
  warning: ['warning', '!'],
  problem: ['error', '✗'],
  unknown: ['dim', '?'],
} as const satisfies Readonly<Record<DoctorStatus, readonly [Style, string]>>;

/**
 * Formats checks with their signs, and hints below them. For several scopes, unless each is wanted, only checks that are not good are
 * shown.
 */
export function doctorText(report: DoctorReport, look: Look): string {
  const { way, scopes, leftOut } = report;
  const each = look.detail === 'each' || scopes.length + leftOut.length < 2;
  const lines = [
    ...groupLines(way),
    ...(each ? scopes.flatMap((group) => groupLines(group)) : summedUp(scopes)),
    ...leftOutLines(leftOut),
  ];
  return layOut([...lines, line(0, summary(report))], look);
}

function groupLines({ name, checks }: DoctorGroup): readonly Line[] {
  return [line(0, span('heading', name)), ...checks.flatMap((check) => checkLines(check)), BLANK];
}

/** Groups scopes with the same problems; scopes without any come last, in one line. */
function summedUp(scopes: readonly DoctorGroup[]): readonly Line[] {
  const telling = scopes
    .map(({ name, checks }) => ({ name, checks: checks.filter(({ status }) => status !== 'good') }))
    .filter(({ checks }) => checks.length > 0);
  const alike = groupBy(telling, ({ checks }) => JSON.stringify(checks));
  const well = scopes.filter(({ checks }) => checks.every(({ status }) => status === 'good'));
  return [
    ...[...alike.values()].flatMap((members) =>
      groupLines({ name: namesText(members.map(({ name }) => name)), checks: members[0]?.checks ?? [] }),
    ),
    ...wellLines(well),
  ];
}

function wellLines(scopes: readonly DoctorGroup[]): readonly Line[] {
  const subjects = new Set(scopes.flatMap(({ checks }) => checks.map(({ subject }) => subject)));
  const tried = (right: 'read' | 'write'): number =>
    [...subjects].filter((subject) => subject.startsWith(`${right} `) && subject !== 'read lists').length;
  const written = tried('write');
  const can =
    written === 0
      ? `can be read, in ${counted(tried('read'), 'phase')}; writes not checked`
      : `can be read and written, in ${counted(written, 'phase')}`;
  const text = `${counted(scopes.length, 'scope')}: ${can}`;
  return scopes.length === 0 ? [] : [line(0, span('good', '✓'), ` ${text}`), BLANK];
}

function leftOutLines(leftOut: readonly string[]): readonly Line[] {
  return leftOut.length === 0
    ? []
    : [
        line(
          0,
          span('dim', '?'),
          ` ${counted(leftOut.length, 'scope')} only looked up: the rights of a token are usually alike, and it was tried in others`,
        ),
        line(2, span('label', 'hint: '), '--all checks each, --target SCOPE one of them'),
        BLANK,
      ];
}

/** The number of unchecked subjects that are named. */
const MOST_NAMED = 3;

function namesText(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : scopeNames(names, (name) => name);
}

function checkLines({ subject, status, message, hint }: DoctorCheck): readonly Line[] {
  const [style, sign] = SIGNS[status];
  return [
    line(2, span(style, sign), ' ', span('strong', subject), `: ${message}`),
    ...(hint === undefined ? [] : [line(4, span('label', 'hint: '), hint)]),
  ];
}

function summary({ way, scopes, leftOut }: DoctorReport): string {
  const checks = [way, ...scopes].flatMap((group) => group.checks);
  const having = (wanted: DoctorStatus): readonly DoctorCheck[] =>
    checks.filter(({ status }) => status === wanted);
  const parts = [
    [having('problem').length, 'problem'],
    [having('warning').length, 'warning'],
  ] as const;
  const found = parts.flatMap(([number, word]) => (number === 0 ? [] : [counted(number, word)]));
  const unknown = having('unknown');
  const subjects = [...new Set(unknown.map(({ subject }) => subject))];
  return [
    found.length > 0 ? found.join(', ') : unknown.length === 0 ? 'All is well' : 'No problem found',
    ...(unknown.length === 0 ? [] : [`${unknown.length} not checked (${someNames(subjects, MOST_NAMED)})`]),
    ...(leftOut.length === 0 ? [] : [`${counted(leftOut.length, 'scope')} only looked up`]),
  ]
    .join('; ')
    .concat('.');
}

/** Returns the report as one JSON value: the connection to the service, then each scope that was checked. */
export function doctorDocument(report: DoctorReport) {
  const { way, scopes, leftOut } = report;
  return {
    kind: 'doctor',
    formatVersion: 1,
    healthy: isHealthy(report),
    groups: [way, ...scopes],
    leftOut,
  };
}

/** Whether no check found a problem. */
export function isHealthy({ way, scopes }: DoctorReport): boolean {
  return [way, ...scopes].every(({ checks }) => checks.every(({ status }) => status !== 'problem'));
}
