import type { VersionEntry, VersionList } from '../model/index.ts';
import { MOST_VERSIONS, scopeLabel, shortName } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { momentText } from './print-value.ts';
import { MARKS, signOf } from './perspective.ts';
import type { Block, EntryBlock, Inline, Document } from './tree.ts';
import { entry, paragraph, section, span } from './tree.ts';

/** The maximum number of rules named for each kind of change. */
const MOST_NAMED = 5;

/** The kinds of changes of a version, with their signs. */
const KINDS = [
  ['added', MARKS.plan.add],
  ['changed', MARKS.plan.patch],
  ['deleted', MARKS.plan.delete],
  ['moved', MARKS.plan.move],
] as const;

/** Documents number, time, rule count, changes and description of every version, newest first, and below each the rules that it changed. */
export function versionsDocument({ scope, ruleset, versions, older }: VersionList): Document {
  const wide = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length), 1);
  const columns = {
    number: wide(versions.map(({ version }) => version)),
    rules: wide(versions.map(rulesText)),
  };
  const entries = versions.map((one, index) =>
    versionEntry(one, {
      columns,
      isOldest: index === 0 && older === 0,
      inForce: one.version === ruleset.version,
    }),
  );
  const rest: readonly Block[] =
    older === 0
      ? []
      : [paragraph(span('dim', `${counted(older, 'older version')}${limitText(versions.length, older)}`))];
  const title = [span('code', `${scopeLabel(scope)}/${ruleset.phase}`)];
  return {
    title: 'Rulewright versions',
    body: [section(1, title, [...entries.reverse(), ...rest], { facts: [[ruleset.name], [ruleset.id]] })],
  };
}

interface VersionContext {
  readonly columns: { readonly number: number; readonly rules: number };
  readonly isOldest: boolean;
  readonly inForce: boolean;
}

function versionEntry(one: VersionEntry, { columns, isOldest, inForce }: VersionContext): EntryBlock {
  const { version, lastUpdated, description } = one;
  return entry(
    undefined,
    [
      span('strong', version.padStart(columns.number)),
      `  ${lastUpdated === '' ? 'at an unknown time' : momentText(lastUpdated)}  ${rulesText(one).padStart(columns.rules)}`,
    ],
    {
      facts: [
        ...changesFacts(one, isOldest),
        ...(description === '' ? [] : [[span('dim', description)]]),
        ...(inForce ? [[span('good', 'in force')]] : []),
      ],
      body: changedRules(one),
    },
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
function changesFacts({ changes, rules }: VersionEntry, isOldest: boolean): readonly Inline[] {
  if (changes === null) {
    return rules !== null && isOldest ? [[span('dim', 'the oldest that is kept')]] : [];
  }
  const parts = KINDS.flatMap(([kind]) =>
    changes[kind].length === 0 ? [] : [`${changes[kind].length} ${kind}`],
  );
  const told = [...parts, ...(changes.description ? ['another description'] : [])];
  return [[told.length === 0 ? 'the same rules' : told.join(', ')]];
}

/** Returns an entry for each kind of change, with the names of its rules. */
function changedRules({ changes }: VersionEntry): readonly EntryBlock[] {
  return KINDS.flatMap(([kind, mark]) => {
    const names = (changes?.[kind] ?? []).map(({ ref, description = '' }) => shortName(ref, description));
    return names.length === 0 ? [] : [entry(signOf(mark), [someNames(names, MOST_NAMED)])];
  });
}
