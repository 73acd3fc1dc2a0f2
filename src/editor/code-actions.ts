import {
  MARKER,
  cursorAt,
  fixFile,
  isPermittable,
  locateValue,
  placesOfPacks,
  proposeFixes,
  rulesOfPack,
  rulesOfScopeFile,
  scopeFilesIn,
  suggestedWord,
} from '../config/index.ts';
import type { RulesToFix, TextEdit } from '../config/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { counted, shortened } from '../text/index.ts';
import type { EditedFile } from './edited-file.ts';
import { parsedOf } from './open-project.ts';
import { offsetOf } from './positions.ts';

/** A change of a file that mends something, by offsets. */
export interface FileAction {
  readonly title: string;
  readonly kind: 'quickfix' | 'source.fixAll.rulewright';
  readonly edits: readonly TextEdit[];
  /** What it mends. */
  readonly mends: readonly Diagnostic[];
  /** Whether it is the one to take if there is no reason for another. */
  readonly isPreferred: boolean;
}

/** Longest text that a title shows. */
const MOST_CHARACTERS = 40;

/** Returns what can be done about findings of a file that touch a stretch of it. */
export async function fileActions(
  file: EditedFile,
  stretch: { readonly start: number; readonly end: number },
  diagnostics: readonly Diagnostic[],
): Promise<readonly FileAction[]> {
  const { source } = file;
  const here = diagnostics.filter(({ where }) => {
    const span = where?.file === file.path ? where : undefined;
    return (
      span !== undefined &&
      offsetOf(source, span.start) <= stretch.end &&
      offsetOf(source, span.end) >= stretch.start
    );
  });
  const isFixable = diagnostics.some(({ fixable, where }) => fixable === true && where?.file === file.path);
  const rules = isFixable ? await rulesToFix(file) : undefined;
  return [
    ...here.flatMap((found) => suggestion(file, found) ?? []),
    ...(rules === undefined ? [] : safeFixes(file, rules, here)),
    ...(rules === undefined ? [] : allFixes(file, rules, diagnostics)),
    ...here.flatMap((found) => suppression(file, found) ?? []),
  ];
}

/** Puts the word that a hint suggests in the place of the one that is there. */
function suggestion({ source, path }: EditedFile, found: Diagnostic): FileAction | undefined {
  const word = suggestedWord(found.hint ?? '');
  const { where } = found;
  if (word === undefined || where?.file !== path) {
    return undefined;
  }
  const [start, end] = [offsetOf(source, where.start), offsetOf(source, where.end)];
  const written = source.text.slice(start, end);
  const [, open = '', old, close = ''] = /^(["']|\$\{|\$)?([^"'\s${}]+)(["']|\})?$/u.exec(written) ?? [];
  return old === undefined
    ? undefined
    : {
        title: `Change \`${shortened(old, MOST_CHARACTERS)}\` to \`${word}\``,
        kind: 'quickfix',
        edits: [{ start: start + open.length, end: end - close.length, text: word.replace(/^\$/u, '') }],
        mends: [found],
        isPreferred: true,
      };
}

/** Returns the rules of a file that `validate --fix` would look at; undefined where not all uses of a pack are known. */
async function rulesToFix({ kind, open, project, path }: EditedFile): Promise<RulesToFix | undefined> {
  if (kind === 'zone' || kind === 'account') {
    return rulesOfScopeFile;
  }
  const name = [...project.composer.packs.values()].find(
    ({ document }) => document.source.path === path,
  )?.name;
  if (kind !== 'pack' || name === undefined) {
    return undefined;
  }
  const documents = await Promise.all(
    project.files.map(async (one) => {
      const read = await open.read(one);
      return read.kind === 'read' ? parsedOf(read.source).document : undefined;
    }),
  );
  const scopes = documents.map((document) => (document === undefined ? undefined : scopeFilesIn(document)));
  const places = placesOfPacks(
    scopes.flatMap((one) => one ?? []),
    project.composer.packs,
  ).get(name);
  return scopes.includes(undefined) || places === undefined ? undefined : rulesOfPack(places);
}

function safeFixes(
  { source }: EditedFile,
  rules: RulesToFix,
  here: readonly Diagnostic[],
): readonly FileAction[] {
  return proposeFixes(source, rules).flatMap(({ fixes, edits }): readonly FileAction[] => {
    const mends = here.filter(({ code, fixable, where }) =>
      fixes.some(
        (fix) =>
          fixable === true &&
          fix.code === code &&
          fix.where.start.line <= (where?.end.line ?? 0) &&
          fix.where.end.line >= (where?.start.line ?? Infinity),
      ),
    );
    const [first, ...others] = fixes;
    const title =
      others.length > 0 || first === undefined
        ? `Make the ${counted(fixes.length, 'safe fix', 'safe fixes')} here`
        : `Write \`${shortened(first.after, MOST_CHARACTERS)}\` in place of \`${shortened(first.before, MOST_CHARACTERS)}\``;
    return mends.length === 0 ? [] : [{ title, kind: 'quickfix', edits, mends, isPreferred: true }];
  });
}

/** Makes all safe fixes, as `validate --fix` does. */
function allFixes(
  { source, path }: EditedFile,
  rules: RulesToFix,
  diagnostics: readonly Diagnostic[],
): readonly FileAction[] {
  const fixed = fixFile(source, rules);
  return fixed.fixes.length === 0
    ? []
    : [
        {
          title: `Make ${fixed.fixes.length === 1 ? 'the one safe fix' : `all ${fixed.fixes.length} safe fixes`} of this file`,
          kind: 'source.fixAll.rulewright',
          edits: [{ start: 0, end: source.text.length, text: fixed.text }],
          mends: diagnostics.filter(({ fixable, where }) => fixable === true && where?.file === path),
          isPreferred: false,
        },
      ];
}

/** Puts a comment that suppresses a finding above the line in which what it is about begins. */
function suppression({ source, kind, path }: EditedFile, found: Diagnostic): FileAction | undefined {
  const { code, severity, where } = found;
  const isSuppressible = (severity !== 'error' || isPermittable(code)) && !code.startsWith('suppression/');
  if (where?.file !== path || kind === 'test' || !isSuppressible) {
    return undefined;
  }
  const cursor = cursorAt(source, offsetOf(source, where.start));
  const { document } = parsedOf(source);
  const begin =
    cursor?.part === 'value' && document !== undefined
      ? locateValue(document, cursor.path).start
      : where.start;
  const start = source.lineStarts[begin.line - 1] ?? 0;
  const indent = /^ */u.exec(source.text.slice(start))?.[0] ?? '';
  const end = source.text.includes('\r\n') ? '\r\n' : '\n';
  return {
    title: `Suppress ${code} here, with a reason`,
    kind: 'quickfix',
    edits: [{ start, end: start, text: `${indent}# ${MARKER} ${code}: say why it may stay${end}` }],
    mends: [found],
    isPreferred: false,
  };
}
