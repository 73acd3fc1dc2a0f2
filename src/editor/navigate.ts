import { cursorAt } from '../config/index.ts';
import type { SourceSpan } from '../model/index.ts';
import { readNames } from './edited-file.ts';
import type { EditedFile } from './edited-file.ts';
import { parsedOf } from './open-project.ts';
import type { NameInFile, NameInText, NamedKind } from './symbols.ts';
import { namesIn } from './symbols.ts';

/** The name at an offset of a file. */
function nameAt(file: EditedFile, offset: number): NameInText | undefined {
  const cursor = cursorAt(file.source, offset);
  return cursor && namesIn(cursor).find(({ start, end }) => start <= cursor.at && cursor.at <= end);
}

/** All places of what the name at an offset means; in a file that does not parse, those of its last good text are unknown. */
async function placesOf(file: EditedFile, offset: number): Promise<readonly NameInFile[]> {
  const name = nameAt(file, offset);
  if (name === undefined) {
    return [];
  }
  const { all } = await readNames(file);
  const same = all.filter((one) => one.kind === name.kind && one.name === name.name);
  return name.kind === 'variable' ? visibleFrom(file, same) : same;
}

/**
 * Narrows the places of a variable to those that mean the same one: a file that declares it keeps it to itself and to packs, and the project's is
 * that of all other files.
 */
function visibleFrom(
  { path, open, project }: EditedFile,
  places: readonly NameInFile[],
): readonly NameInFile[] {
  const declaring = new Set(places.filter(({ isDeclared }) => isDeclared).map(({ where }) => where.file));
  const isPack = (file: string): boolean => project.packs.includes(file);
  if (isPack(path)) {
    return places;
  }
  const isOwn = declaring.has(path) && path !== open.file;
  return places.filter(({ where: { file } }) =>
    isPack(file) ? true : isOwn ? file === path : file === open.file || !declaring.has(file),
  );
}

/** Returns where the name at an offset is declared. */
export async function definition(file: EditedFile, offset: number): Promise<readonly SourceSpan[]> {
  return (await placesOf(file, offset)).filter(({ isDeclared }) => isDeclared).map(({ where }) => where);
}

/** Returns where the name at an offset is used, and if wanted where it is declared. */
export async function references(
  file: EditedFile,
  offset: number,
  { withDeclaration }: { readonly withDeclaration: boolean },
): Promise<readonly SourceSpan[]> {
  return (await placesOf(file, offset))
    .filter(({ isDeclared }) => withDeclaration || !isDeclared)
    .map(({ where }) => where);
}

/** Kinds of names that only files know: a change of them changes nothing live. */
const RENAMED: ReadonlySet<NamedKind> = new Set(['pack', 'variable', 'parameter']);

/** What a new name may be, by kind. */
const FORMS: Readonly<Partial<Record<NamedKind, RegExp>>> = {
  pack: /^[a-z0-9][a-z0-9-]*$/u,
  variable: /^[A-Za-z_][A-Za-z0-9_]*$/u,
  parameter: /^[A-Za-z_][A-Za-z0-9_]*$/u,
};

/** The stretch of the name at an offset, where it can be renamed; or why it cannot. */
export type Renaming =
  | { readonly kind: 'name'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Returns what is renamed at an offset. */
export function prepareRename(file: EditedFile, offset: number): Renaming {
  const cursor = cursorAt(file.source, offset);
  const name = cursor && namesIn(cursor).find(({ start, end }) => start <= cursor.at && cursor.at <= end);
  if (cursor === undefined || name === undefined || !RENAMED.has(name.kind)) {
    return {
      kind: 'refused',
      reason: 'packs, their parameters and variables can be renamed; this is none of them',
    };
  }
  const start = offset - (cursor.at - name.start);
  const end = start + name.end - name.start;
  return { kind: 'name', start, end, text: file.source.text.slice(start, end) };
}

/** Returns the places at which a new name has to stand, or why it cannot be given. */
export async function rename(
  file: EditedFile,
  offset: number,
  newName: string,
): Promise<readonly SourceSpan[] | { readonly reason: string }> {
  const name = nameAt(file, offset);
  const prepared = prepareRename(file, offset);
  if (name === undefined || prepared.kind === 'refused') {
    return { reason: prepared.kind === 'refused' ? prepared.reason : 'there is no name here' };
  }
  if (FORMS[name.kind]?.test(newName) !== true) {
    return {
      reason:
        name.kind === 'pack'
          ? 'the name of a pack is lower-case letters, digits and `-`'
          : 'a name is letters, digits and `_`, and begins with no digit',
    };
  }
  const { all, unread } = await readNames(file);
  if (unread.length > 0 || parsedOf(file.source).document === undefined) {
    return { reason: `${unread[0] ?? file.path} cannot be read, so it is not known whether it has the name` };
  }
  const target = name.kind === 'parameter' ? name.name.replace(/\w+$/u, () => newName) : newName;
  const taken = all.find((one) => one.kind === name.kind && one.name === target && one.isDeclared);
  return taken === undefined
    ? (await placesOf(file, offset)).map(({ where }) => where)
    : { reason: `${taken.where.file} has the name \`${newName}\` already` };
}
