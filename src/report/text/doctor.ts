import { counted } from '../count.ts';
import type { Line } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import type { Look, Style } from '../theme.ts';

/** How a check came out; `unknown`: it could not be made. */
export type DoctorStatus = 'good' | 'warning' | 'problem' | 'unknown';

/** One thing that was looked at. */
export interface DoctorCheck {
  /** What it is about, such as `token`, or `read http_ratelimit`. */
  readonly subject: string;
  readonly status: DoctorStatus;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Checks that belong together: those of the way to the service, and those of each scope. */
export interface DoctorGroup {
  readonly name: string;
  readonly checks: readonly DoctorCheck[];
}

/** All that was looked at. */
export interface DoctorReport {
  readonly groups: readonly DoctorGroup[];
}

const SIGNS = {
  good: ['good', '✓'],
  warning: ['warning', '!'],
  problem: ['error', '✗'],
  unknown: ['dim', '?'],
} as const satisfies Readonly<Record<DoctorStatus, readonly [Style, string]>>;

/** Every check with its sign, and what to do below those that need it. */
export function doctorText({ groups }: DoctorReport, look: Look): string {
  const lines = groups.flatMap(({ name, checks }): readonly Line[] => [
    line(0, span('heading', name)),
    ...checks.flatMap((check) => checkLines(check)),
    BLANK,
  ]);
  return layOut([...lines, line(0, summary(groups))], look);
}

function checkLines({ subject, status, message, hint }: DoctorCheck): readonly Line[] {
  const [style, sign] = SIGNS[status];
  return [
    line(2, span(style, sign), ' ', span('strong', subject), `: ${message}`),
    ...(hint === undefined ? [] : [line(4, span('label', 'hint: '), hint)]),
  ];
}

function summary(groups: readonly DoctorGroup[]): string {
  const count = (wanted: DoctorStatus): number =>
    groups.flatMap(({ checks }) => checks).filter(({ status }) => status === wanted).length;
  const parts = [
    [count('problem'), 'problem'],
    [count('warning'), 'warning'],
  ] as const;
  const found = parts.flatMap(([number, word]) => (number === 0 ? [] : [counted(number, word)]));
  const unknown = count('unknown');
  return `${found.length === 0 ? 'All is well' : found.join(', ')}${unknown === 0 ? '' : `; ${unknown} not checked`}.`;
}

/** The report as one JSON value. */
export interface DoctorDocument extends DoctorReport {
  readonly kind: 'doctor';
  readonly formatVersion: 1;
  readonly healthy: boolean;
}

/** The document of `doctor`. */
export function doctorDocument(report: DoctorReport): DoctorDocument {
  return { kind: 'doctor', formatVersion: 1, healthy: isHealthy(report), groups: report.groups };
}

/** Whether nothing stands in the way of work. */
export function isHealthy({ groups }: DoctorReport): boolean {
  return groups.every(({ checks }) => checks.every(({ status }) => status !== 'problem'));
}
