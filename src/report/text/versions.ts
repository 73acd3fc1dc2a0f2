import type { VersionList, VersionEntry } from '../../model/index.ts';
import { scopeLabel, MOST_VERSIONS, shortName } from '../../model/index.ts';
import { counted, someNames } from '../../text/index.ts';
import type { Line, StyledSpan, Look } from '../layout.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import { momentText } from '../moment.ts';
import { SYMBOLS } from '../telling.ts';

/** The maximum number of rules named for each kind of change. */
const MOST_NAMED = 5;

/** The kinds of changes of a version, with their symbols. */
const KINDS = [
  ['added', SYMBOLS.plan.add],
  ['changed', SYMBOLS.plan.patch],
  ['deleted', SYMBOLS.plan.delete],
  ['moved', SYMBOLS.plan.move],
] as const;

/** Formats number, time, rule count, changes and description of every version, newest first, and below each the rules that it changed. */
export function versionsText({ scope, ruleset, versions, older }: VersionList, look: Look): string {
  const wide = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length), 1);
  const numbers = wide(versions.map(({ version }) => version));
  const rules = wide(versions.map(rulesText));
  return layOut(
    [
      line(0, span('heading', `${scopeLabel(scope)}/${ruleset.phase}`), ` · ${ruleset.name} · ${ruleset.id}`),
      BLANK,
      ...versions
        .map((entry, index): readonly Line[] => {
          const isOldest = index === 0 && older === 0;
          return [
            hanging(
              2,
              numbers + 2,
              span('strong', entry.version.padStart(numbers)),
              `  ${entry.lastUpdated === '' ? 'at an unknown time' : momentText(entry.lastUpdated)}`,
              `  ${rulesText(entry).padStart(rules)}`,
              ...changesSpans(entry, { isOldest }),
              ...(entry.description === '' ? [] : [span('dim', `  ${entry.description}`)]),
              ...(entry.version === ruleset.version ? [span('good', '  in force')] : []),
            ),
            ...changedRules(entry, numbers + 4),
          ];
        })
        .reverse()
        .flat(),
      ...(older === 0
        ? []
        : [line(2, span('dim', `${counted(older, 'older version')}${limitText(versions.length, older)}`))]),
    ],
    look,
  );
}

function rulesText({ rules }: Pick<VersionEntry, 'rules'>): string {
  return rules === null ? 'not kept' : counted(rules, 'rule');
}

/** Returns how to list older versions, after a semicolon; nothing when the flag cannot list more. */
function limitText(listed: number, older: number): string {
  if (listed >= MOST_VERSIONS) {
    return '';
  }
  return listed + older <= MOST_VERSIONS
    ? `; --limit ${listed + older} lists all`
    : `; --limit ${MOST_VERSIONS} lists the latest ${MOST_VERSIONS}`;
}

/** Returns what a version changed, in numbers. */
function changesSpans(
  { changes, rules }: VersionEntry,
  { isOldest }: { readonly isOldest: boolean },
): readonly StyledSpan[] {
  if (changes === null) {
    return rules !== null && isOldest ? [span('dim', '  the oldest that is kept')] : [];
  }
  const parts = KINDS.flatMap(([kind]) =>
    changes[kind].length === 0 ? [] : [`${changes[kind].length} ${kind}`],
  );
  const told = [...parts, ...(changes.description ? ['another description'] : [])];
  return [{ text: `  ${told.length === 0 ? 'the same rules' : told.join(', ')}` }];
}

/** Returns a line for each kind of change, with the names of its rules. */
function changedRules({ changes }: VersionEntry, indent: number): readonly Line[] {
  return KINDS.flatMap(([kind, { sign, style }]) => {
    const names = (changes?.[kind] ?? []).map(({ ref, description = '' }) => shortName(ref, description));
    return names.length === 0 ? [] : [line(indent, span(style, `${sign} `), someNames(names, MOST_NAMED))];
  });
}
