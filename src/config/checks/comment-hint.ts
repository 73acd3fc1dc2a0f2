import { scalarAt, settle } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { ExpressionFinding } from './expression-checker.ts';
import { UNCLOSED_TEXT } from '../../expression/check/unfinished.ts';

/** Letters of a comment that make it known again. */
const SHOWN = 20;

/** That an expression ends too soon because YAML took the rest of its line for a comment; nothing where that is not so. */
export function commentHint(
  document: YamlDocument,
  path: ValuePath,
  { code, message, start }: ExpressionFinding,
): string | undefined {
  const scalar = scalarAt(document, path);
  if (code !== 'expression/syntax' || scalar?.type !== 'PLAIN' || typeof scalar.value !== 'string') {
    return undefined;
  }
  const endsTooSoon = scalar.value.slice(start).trim() === '' || message === UNCLOSED_TEXT;
  const behind = settle(document, path).document.source.text.slice(scalar.range?.[1]);
  const [, comment] = /^[ \t]+(#[^\r\n]*)/u.exec(behind) ?? [];
  if (!endsTooSoon || comment === undefined) {
    return undefined;
  }
  const shown = comment.length > SHOWN ? `${comment.slice(0, SHOWN)}…` : comment;
  return `YAML reads \` ${shown}\` as a comment, so the expression ends before it; if it is a part of the expression, put the whole expression in single quotes`;
}
