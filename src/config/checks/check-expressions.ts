import type { Diagnostic, ExpressionRole } from '../../model/index.ts';
import { MARKER, commentBehind } from '../yaml/suppression-comments.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateStretch, variableAround } from '../yaml/locate-stretch.ts';
import { isShared, locateValue, pathKey, scalarAt, settle, throughUses } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument, FilledVariable } from '../yaml/yaml-document.ts';
import { expressionsIn, formatPlace } from '../../model/index.ts';
import { shortened } from '../../text/index.ts';
import type { ExpressionChecker, ExpressionFinding } from './expression-checker.ts';

/** Checks every expression of a rule; each finding points at the exact characters in the file. */
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
    const isEntryPoint = address.kind === 'entrypoint';
    return foldFindings(check(text, { role, phase: address.phase, level: scope.kind, isEntryPoint }))
      .filter(({ code }) => !OF_WRITTEN_TEXT.has(code) || !isFilled(document, at))
      .map((found) => placed(document, at, { text, found }));
  });
}

/** An empty counting expression means the rule's own expression (api.md 3.4); an empty characteristic is reported by the schema. */
const MAY_BE_EMPTY: ReadonlySet<ExpressionRole> = new Set(['counting', 'characteristic']);

/** Codes about how a person wrote an expression; that a list has one item is no fault of the text that names the list. */
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
  const advice = commentHint(document, path, found) ?? hintOf(text, found);
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

/** Up to this many findings of one code are reported one by one; of more, only the first. */
const MOST = 2;

/**
 * Folds the warnings of one expression: where a code repeats, the first finding stays and gives the number of the others, since a hundred old
 * names would drown everything else. All errors stay.
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

/** Characters of a comment that a hint quotes, so that the comment can be recognised. */
const SHOWN = 20;

/** Returns the hint that an expression ends too soon because YAML took the rest of its line for a comment; undefined where it did not. */
function commentHint(
  document: YamlDocument,
  path: ValuePath,
  { code, kind, start }: ExpressionFinding,
): string | undefined {
  const scalar = scalarAt(document, path);
  if (code !== 'expression/syntax' || typeof scalar?.value !== 'string') {
    return undefined;
  }
  const endsTooSoon = scalar.value.slice(start).trim() === '' || kind === 'unclosed';
  const comment = commentBehind(document, path)?.text;
  if (!endsTooSoon || comment === undefined) {
    return undefined;
  }
  return `YAML reads \` ${shortened(comment, SHOWN)}\` as a comment, so the expression ends before it; if it is a part of the expression, put the whole expression in single quotes`;
}

/** Returns the hint of a finding; of a name that the service may have since this version, also how to permit it. */
function hintOf(text: string, { code, hint, kind, start, end }: ExpressionFinding): string | undefined {
  if (code !== 'expression/unknown-field' && code !== 'expression/unknown-function') {
    return hint;
  }
  const comment = `write above the line in which the expression begins: # ${MARKER} ${code}: new in the service`;
  if (hint !== undefined) {
    // Fields that are new have names with dots, and other hints are certain what should stand there.
    const isLikeNew = code !== 'expression/unknown-field' || text.slice(start, end).includes('.');
    return isLikeNew && kind === 'guess' ? `${hint} if the service has it, ${comment}` : hint;
  }
  return code === 'expression/unknown-field'
    ? `a text needs quotes; if it is a field that the service has, ${comment}`
    : `if the service has it, ${comment}`;
}

/** Returns where the value behind a finding is written, when a variable brought it into the expression. */
function valueHint(
  { filled }: YamlDocument,
  path: ValuePath,
  text: string,
  found: ExpressionFinding,
): string | undefined {
  const pieces = filled?.get(pathKey(path)) ?? 'broken';
  // A syntax error runs to the end of the text, so only its start tells which piece it is about.
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

/** Returns the index of the list item at an offset, in a list as expressions spell it; -1 where no item stands there. */
function itemAt(spelled: string, offset: number): number {
  return [...spelled.matchAll(/"(?:\\.|[^"\\])*"|[^\s{}"]+/gsu)].findLastIndex(
    ({ index }) => index <= offset,
  );
}
