import { groupBy } from '../data/index.ts';
import type { DoctorCheck, DoctorGroup, DoctorReport, DoctorStatus } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { scopeNames } from './alike-scopes.ts';
import type { Detail } from './layout.ts';
import type { Block, EntryBlock, EntryMark, Document, SectionBlock } from './tree.ts';
import { entry, hintBlocks, section, span } from './tree.ts';

const MARKS: Readonly<Record<DoctorStatus, EntryMark>> = {
  good: { sign: '✓', style: 'good' },
  warning: { sign: '!', style: 'warning' },
  problem: { sign: '✗', style: 'error' },
  unknown: { sign: '?', style: 'dim' },
};

/** Documents checks with hints below them. For several scopes, unless each is wanted, only checks that are not good are shown. */
export function doctorDocument(report: DoctorReport, detail: Detail = 'summed-up'): Document {
  const { way, scopes, leftOut } = report;
  const each = detail === 'each' || scopes.length + leftOut.length < 2;
  return {
    title: 'Rulewright doctor',
    body: [
      groupSection(way),
      ...(each ? scopes.map(groupSection) : summedUp(scopes)),
      ...leftOutEntries(leftOut),
    ],
    summary: [[summary(report)]],
  };
}

function groupSection({ name, checks }: DoctorGroup): SectionBlock {
  return section(2, [span('heading', name)], checks.map(checkEntry));
}

function checkEntry({ subject, status, message, hint }: DoctorCheck): EntryBlock {
  return entry(MARKS[status], [span('strong', subject), `: ${message}`], { body: hintBlocks(hint) });
}

/** Groups scopes with the same problems; scopes without any come last, in one line. */
function summedUp(scopes: readonly DoctorGroup[]): readonly Block[] {
  const speaking = scopes
    .map(({ name, checks }) => ({ name, checks: checks.filter(({ status }) => status !== 'good') }))
    .filter(({ checks }) => checks.length > 0);
  const alike = groupBy(speaking, ({ checks }) => JSON.stringify(checks));
  const well = scopes.filter(({ checks }) => checks.every(({ status }) => status === 'good'));
  return [
    ...[...alike.values()].map((members) =>
      groupSection({ name: namesText(members.map(({ name }) => name)), checks: members[0]?.checks ?? [] }),
    ),
    ...wellEntries(well),
  ];
}

function wellEntries(scopes: readonly DoctorGroup[]): readonly EntryBlock[] {
  const all = scopes.flatMap(({ checks }) => checks);
  const tried = (right: 'read' | 'write'): number =>
    new Set(all.filter(({ phaseRight }) => phaseRight === right).map(({ subject }) => subject)).size;
  const written = tried('write');
  const can =
    written === 0
      ? `can be read, in ${counted(tried('read'), 'phase')}; writes not checked`
      : `can be read and written, in ${counted(written, 'phase')}`;
  return scopes.length === 0
    ? []
    : [entry(MARKS.good, [`${counted(scopes.length, 'scope')}: ${can}`], { apart: true })];
}

function leftOutEntries(leftOut: readonly string[]): readonly EntryBlock[] {
  const text = `${counted(leftOut.length, 'scope')} only looked up: the rights of a token are usually alike, and it was tried in others`;
  return leftOut.length === 0
    ? []
    : [
        entry(MARKS.unknown, [text], {
          apart: true,
          body: hintBlocks('--all checks each, --target SCOPE one of them'),
        }),
      ];
}

function namesText(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : scopeNames(names, (name) => name);
}

/** The number of unchecked subjects that are named. */
const MOST_NAMED = 3;

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
export function doctorJson(report: DoctorReport) {
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
