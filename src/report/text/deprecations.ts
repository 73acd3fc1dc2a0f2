import type { Deprecation } from '../../model/retired/deprecation.ts';
import { effectiveDate } from '../../model/retired/deprecation.ts';
import { counted } from '../../model/count.ts';
import type { Line, Span } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** The number of days within which an effect counts as near. */
const NEAR_DAYS = 90;

/** Where a row stands on a day: its effect has come, comes within 90 days, or comes later. */
export type Standing = 'past' | 'near' | 'later';

function standingOf(row: Deprecation, today: string): Standing {
  const days = daysBetween(today, effectiveDate(row));
  return days <= 0 ? 'past' : days <= NEAR_DAYS ? 'near' : 'later';
}

const HEADINGS: Readonly<Record<Standing, string>> = {
  near: `Within ${NEAR_DAYS} days`,
  later: 'Later',
  past: 'Past, the newest first',
};

/** Formats the registry by date: near, later, then past; `today` is `YYYY-MM-DD`. */
export function deprecationsText(
  rows: readonly Deprecation[],
  { today, ...look }: Look & { readonly today: string },
): string {
  const byDate = rows.toSorted((a, b) => (effectiveDate(a) < effectiveDate(b) ? 1 : -1));
  const groups = (['near', 'later', 'past'] as const).flatMap((standing): readonly Line[] => {
    const group = byDate.filter((row) => standingOf(row, today) === standing);
    const inOrder = standing === 'past' ? group : group.toReversed();
    return inOrder.length === 0
      ? []
      : [
          line(0, span('heading', HEADINGS[standing])),
          BLANK,
          ...inOrder.flatMap((row) => rowLines(row, today)),
        ];
  });
  return layOut(
    [...groups, line(0, span('strong', `${counted(rows.length, 'deprecation')}, on ${today}.`))],
    look,
  );
}

/** Returns the effective date in words: `since 2026-01-01`, `from 2026-12-01, in 10 days`. */
export function dayWords(row: Deprecation, today: string): Span {
  const day = effectiveDate(row);
  const days = daysBetween(today, day);
  return days <= 0
    ? span(row.effect.kind === 'gone' || row.effect.kind === 'refused' ? 'error' : 'warning', `since ${day}`)
    : span('warning', `from ${day}, in ${counted(days, 'day')}`);
}

/** Returns a line about what to use instead, if there is something. */
export function replacementLine({ replacement }: Deprecation): readonly Line[] {
  return replacement === null ? [] : [line(2, span('label', 'instead: '), replacement)];
}

/** Returns the registry as one JSON value. */
export function deprecationsDocument(rows: readonly Deprecation[], today: string) {
  return {
    kind: 'deprecations',
    formatVersion: 1,
    today,
    deprecations: rows.map((row) => ({
      ...row,
      effective: effectiveDate(row),
      standing: standingOf(row, today),
    })),
  };
}

function rowLines(row: Deprecation, today: string): readonly Line[] {
  return [
    line(0, span('strong', row.id), ` · ${row.subject} · `, dayWords(row, today)),
    line(2, row.change),
    ...replacementLine(row),
    ...row.affects.map(({ methods, path }) => line(2, span('dim', `${methods.join(', ')} ${path}`))),
    ...(row.fields.length === 0 ? [] : [line(2, span('dim', `fields ${row.fields.join(', ')}`))]),
    BLANK,
  ];
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
