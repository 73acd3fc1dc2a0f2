import type { Cause, SourceSpan } from '../../model/source.ts';
import { isVersion } from '../../model/source.ts';
import type { AnnotationPlace } from './annotation.ts';

/** Returns the path of a project file in its repository; `folder` is the project's folder there, "" for the root. */
export function repositoryPath(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`;
}

/** Returns the place of a finding or of the cause of a step, in the form of an annotation. */
export function placeOf(
  folder: string,
  place: SourceSpan | Cause | undefined,
): { readonly where?: AnnotationPlace } {
  if (place === undefined || isVersion(place)) {
    return {};
  }
  const file = repositoryPath(folder, place.file);
  return 'start' in place
    ? {
        where: {
          file,
          line: place.start.line,
          column: place.start.column,
          endLine: place.end.line,
          endColumn: place.end.column,
        },
      }
    : { where: { file, line: place.line, column: place.column } };
}
