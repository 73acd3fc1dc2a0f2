import type { Diagnostic } from '../../model/diagnostic.ts';
import { MARKER, UNKNOWN_NAMES } from '../yaml/suppression-comments.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { commentBehind } from '../yaml/comment-behind.ts';
import { locateStretch } from '../yaml/locate-stretch.ts';
import { isShared, locateValue, pathKey, scalarAt, settle, throughUses } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument, FilledVariable } from '../yaml/yaml-document.ts';
import type { ExpressionChecker, ExpressionFinding } from './expression-checker.ts';
import type { ExpressionRole } from '../project/rule-expressions.ts';
import { expressionsIn } from '../project/rule-expressions.ts';
import { formatPlace } from '../../model/source.ts';
import { variableAround } from '../yaml/filled-text.ts';

/** Checks every expression of a rule; a finding points at the very characters in the file. */
export function checkExpressions(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  check: ExpressionChecker,
): readonly Diagnostic[] {
  const { document, address, scope } = ruleset;
  return expressionsIn(rule.value).flatMap(({ path, text, role }) => {
    const at = [...rule.path, ...path];
    if ((text === '' && MAY_BE_EMPTY.has(role)) || document.filled?.get(pathKey(at)) === 'broken') {
      return [];
    }
    return foldFindings(check(text, { role, phase: address.phase, level: scope.kind }))
      .filter(({ code }) => !OF_WRITTEN_TEXT.has(code) || !isFilled(document, at))
      .map((found) => placed(document, at, { text, found }));
  });
}

/** An empty counting expression means the rule's own (api.md 3.4); an empty characteristic is the schema's. */
const MAY_BE_EMPTY: ReadonlySet<ExpressionRole> = new Set(['counting', 'characteristic']);

/** What is said of a person's writing; that a list has one item is no fault of the text that names it. */
const OF_WRITTEN_TEXT: ReadonlySet<string> = new Set(['expression/single-item-set']);

function isFilled({ filled }: YamlDocument, path: ValuePath): boolean {
  return filled?.has(pathKey(path)) === true;
}

function placed(
  document: YamlDocument,
  path: ValuePath,
  { text, found }: { readonly text: string; readonly found: ExpressionFinding },
): Diagnostic {
  const { code, severity, message, fix } = found;
  const { where, exact } = locateStretch(document, path, found);
  const { document: own } = settle(document, path);
  const advice = commentHint(document, path, found) ?? found.hint ?? newNameHint(code);
  const value = valueHint(document, path, text, found);
  const hint = advice === undefined || value === undefined ? (advice ?? value) : `${advice} (${value})`;
  const fixable =
    fix !== undefined && exact && !isFilled(document, path) && !isShared(own, scalarAt(document, path));
  return {
    code,
    severity,
    message,
    hint,
    where,
    ...(fixable ? { fixable } : {}),
  };
}

/** So many findings of one code stand each for itself; of more only the first does. */
const MOST = 2;

/**
 * Findings of one expression, those that repeat told once with their number: a list of a hundred old names would drown everything else.
 * Errors all stay.
 */
function foldFindings(findings: readonly ExpressionFinding[]): readonly ExpressionFinding[] {
  if (findings.length <= MOST) {
    return findings;
  }
  const counts = new Map<string, number>();
  for (const { code } of findings) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const told = new Set<string>();
  return findings.flatMap((found) => {
    const count = counts.get(found.code) ?? 0;
    if (found.severity === 'error' || count <= MOST) {
      return [found];
    }
    if (told.has(found.code)) {
      return [];
    }
    told.add(found.code);
    return [{ ...found, message: `${found.message}; ${count - 1} more of this kind in this expression` }];
  });
}

/** Letters of a comment that make it known again. */
const SHOWN = 20;

/** That an expression ends too soon because YAML took the rest of its line for a comment; nothing where that is not so. */
function commentHint(
  document: YamlDocument,
  path: ValuePath,
  { code, message, start }: ExpressionFinding,
): string | undefined {
  const scalar = scalarAt(document, path);
  if (code !== 'expression/syntax' || typeof scalar?.value !== 'string') {
    return undefined;
  }
  const endsTooSoon = scalar.value.slice(start).trim() === '' || message.startsWith('nothing closes');
  const comment = commentBehind(document, path)?.text;
  if (!endsTooSoon || comment === undefined) {
    return undefined;
  }
  const shown = comment.length > SHOWN ? `${comment.slice(0, SHOWN)}…` : comment;
  return `YAML reads \` ${shown}\` as a comment, so the expression ends before it; if it is a part of the expression, put the whole expression in single quotes`;
}

/** How to use what the service has had for a shorter time than this version. What is no call may also be a text without quotes. */
function newNameHint(code: string): string | undefined {
  if (!UNKNOWN_NAMES.has(code)) {
    return undefined;
  }
  const comment = `write above the line in which the expression begins: # ${MARKER} ${code}: since when`;
  return code === 'expression/unknown-field'
    ? `a text needs quotes; if it is a field that the service has, ${comment}`
    : `if the service has it, ${comment}`;
}

/** Where the value stands that a finding is about, when a variable brought it into the expression. */
function valueHint(
  { filled }: YamlDocument,
  path: ValuePath,
  text: string,
  found: ExpressionFinding,
): string | undefined {
  const pieces = filled?.get(pathKey(path)) ?? 'broken';
  // An error of syntax runs to the end of the text; where it begins counts.
  const about = found.code === 'expression/syntax' ? { start: found.start, end: found.start } : found;
  const piece = pieces === 'broken' ? undefined : variableAround(pieces, about);
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
