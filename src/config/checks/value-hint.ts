import { formatPlace } from '../../model/source.ts';
import { variableAround } from '../yaml/filled-text.ts';
import type { FilledVariable } from '../yaml/filled-text.ts';
import { locateValue, pathKey, throughUses } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { ExpressionFinding } from './expression-checker.ts';

/** Where the value stands that a finding is about, when a variable brought it into the expression. */
export function valueHint(
  { filled }: YamlDocument,
  path: ValuePath,
  text: string,
  found: ExpressionFinding,
): string | undefined {
  const pieces = filled?.get(pathKey(path)) ?? 'broken';
  const piece = pieces === 'broken' ? undefined : variableAround(pieces, found);
  if (piece === undefined) {
    return undefined;
  }
  const { start, end, variable } = piece;
  return whereOf(variable, itemAt(text.slice(start, end), found.start - start));
}

function whereOf({ name, where, value }: FilledVariable, item: number): string {
  if (value === undefined) {
    return `\`${name}\` is declared at ${formatPlace(where)}`;
  }
  const { document, path, via } = value;
  const place = locateValue(document, item < 0 ? path : [...path, item]);
  return `the value of \`${name}\` is at ${formatPlace(throughUses(place, via))}`;
}

/** Which item of a list stands at an offset, as an expression spells lists: from 0, or -1 where none does. */
function itemAt(spelled: string, offset: number): number {
  return [...spelled.matchAll(/"(?:\\.|[^"\\])*"|[^\s{}"]+/gsu)].findLastIndex(
    ({ index }) => index <= offset,
  );
}
