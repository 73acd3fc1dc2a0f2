import { checkWithLanguage } from '../checks/expression-checker.ts';
import type { ExpressionContext, ExpressionFix } from '../checks/expression-checker.ts';
import { expressionsIn } from '../../model/rule-expressions.ts';
import { parseTemplate } from '../compose/template.ts';
import { spanAt } from '../source/source-text.ts';
import { isShared, scalarAt } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { FixableValue } from './fixable-value.ts';
import type { RuleToFix } from './rules-to-fix.ts';
import type { Scalar } from 'yaml';
import type { TextEdit } from '../source/text-edit.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';

/** Returns the expressions of rules that have safe fixes, except those that aliases share. */
export function fixableExpressions(
  document: YamlDocument,
  rules: readonly RuleToFix[],
): readonly FixableValue[] {
  return rules.flatMap((rule) =>
    expressionsIn(rule.value).flatMap(({ path, text, role }) => {
      const [first = [], ...others] = rule.places.map(({ phase, level }) =>
        fixesOf(text, { role, phase, level }),
      );
      const chosen = first.filter((one) => others.every((other) => other.some((same) => isSame(one, same))));
      return fixable(document, { path: [...rule.path, ...path], text, chosen: separate(chosen) });
    }),
  );
}

/** Returns the fixes for an expression as written, except in stretches with a variable or escape, whose final text is unknown here. */
function fixesOf(text: string, context: ExpressionContext): readonly Chosen[] {
  return checkWithLanguage(text, context).flatMap(({ code, fix }) =>
    fix === undefined || !standsForItself(text, fix) ? [] : [{ code, fix }],
  );
}

/** Whether a stretch of a text is composed as written: it has no variables and no escapes, and `${1}` is neither. */
function standsForItself(text: string, { start, end }: ExpressionFix): boolean {
  return parseTemplate(text)
    .filter((part) => part.start < end && start < part.end)
    .every((part) => part.kind === 'text' && part.text === text.slice(part.start, part.end));
}

function isSame(a: Chosen, b: Chosen): boolean {
  return a.fix.start === b.fix.start && a.fix.end === b.fix.end && a.fix.replacement === b.fix.replacement;
}

interface Checked {
  readonly path: ValuePath;
  readonly text: string;
  /** Fixes that do not touch each other. */
  readonly chosen: readonly Chosen[];
}

function fixable(document: YamlDocument, { path, text, chosen }: Checked): readonly FixableValue[] {
  const scalar = chosen.length === 0 ? undefined : scalarAt(document, path);
  if (scalar === undefined || isShared(document, scalar)) {
    return [];
  }
  const { source } = document;
  const placed = chosen.flatMap(({ code, fix }) => {
    const edit = editStretch(source.text, scalar, fix);
    return edit === undefined ? [] : [{ code, fix, edit }];
  });
  const value = applyTo(
    text,
    placed.map(({ fix }) => fix),
  );
  const rewritten = rewriteScalar(scalar, value);
  return placed.length === 0
    ? []
    : [
        {
          path,
          value,
          fixes: placed.map(({ code, fix, edit }) => ({
            code,
            where: spanAt(source, edit.start, edit.end),
            before: text.slice(fix.start, fix.end),
            after: fix.replacement,
          })),
          edits: placed.map(({ edit }) => edit),
          rewritten: rewritten === undefined ? [] : [rewritten],
        },
      ];
}

interface Chosen {
  readonly code: string;
  readonly fix: ExpressionFix;
}

/** Keeps of fixes that touch each other only the first; the others come in a later round, if they still apply. */
function separate(all: readonly Chosen[]): readonly Chosen[] {
  const chosen: Chosen[] = [];
  let end = -1;
  for (const one of [...all].sort((a, b) => a.fix.start - b.fix.start)) {
    if (one.fix.start > end) {
      chosen.push(one);
      end = one.fix.end;
    }
  }
  return chosen;
}

function applyTo(text: string, fixes: readonly ExpressionFix[]): string {
  return fixes.reduceRight(
    (current, { start, end, replacement }) => current.slice(0, start) + replacement + current.slice(end),
    text,
  );
}

/** How a text is written inside a scalar of each style; reading the file back shows where a style cannot hold the text. */
const WRITE: ReadonlyMap<string, (text: string) => string> = new Map([
  ['QUOTE_SINGLE', (text) => text.replaceAll("'", "''")],
  ['QUOTE_DOUBLE', (text) => JSON.stringify(text).slice(1, -1)],
]);

/** Returns the edit that changes a stretch of a scalar's value and nothing else; undefined where the edit cannot be placed. */
function editStretch(source: string, scalar: Scalar, fix: ExpressionFix): TextEdit | undefined {
  const offsets = scalarOffsets(source, scalar);
  if (offsets === undefined) {
    return undefined;
  }
  const write = WRITE.get(scalar.type ?? '') ?? ((text: string) => text);
  const start = offsets.start(fix.start);
  const end = offsets.end(fix.start, fix.end);
  // A line break that is removed takes along the indentation behind it, which means nothing by itself.
  const endsLine = end > start && source[end - 1] === '\n';
  return { start, end: endsLine ? offsets.start(fix.end) : end, text: write(fix.replacement) };
}

/** Returns the edit that rewrites a scalar in single quotes, for a value that its style cannot hold. */
function rewriteScalar({ range, type }: Scalar, value: string): TextEdit | undefined {
  // A block scalar can hold any line of text. The remaining plain and quoted scalars have a range that covers nothing else.
  if (range === null || range === undefined || type?.startsWith('BLOCK') !== false || /[\n\r]/u.test(value)) {
    return undefined;
  }
  return { start: range[0], end: range[1], text: `'${value.replaceAll("'", "''")}'` };
}
