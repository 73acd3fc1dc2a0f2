import type { AppliedFix } from '../../model/diagnostic.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import { checkWithLanguage } from '../checks/expression-checker.ts';
import type { ExpressionFinding, ExpressionFix } from '../checks/expression-checker.ts';
import { expressionsIn } from '../checks/rule-expressions.ts';
import { readScopeFile } from '../project/scope-file.ts';
import { spanAt } from '../source-text.ts';
import { isShared, scalarAt } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { editStretch, rewriteScalar } from './edit-scalar.ts';
import type { TextEdit } from './edit-scalar.ts';

/** An expression of a file with fixes that can be made at one time. */
export interface FixableExpression {
  readonly path: ValuePath;
  /** What the expression is with them. */
  readonly value: string;
  readonly fixes: readonly AppliedFix[];
  /** The stretches that change. */
  readonly edits: readonly TextEdit[];
  /** The same as one change of the whole text, in quotes; empty where that cannot be. */
  readonly rewritten: readonly TextEdit[];
}

/** The expressions of a zone or account file that have safe fixes. Those that aliases share are left alone. */
export function fixableExpressions(document: YamlDocument): readonly FixableExpression[] {
  const [file] = readScopeFile(document).files;
  return (file?.rulesets ?? []).flatMap(({ address, scope, rules }) =>
    rules.flatMap((rule) =>
      expressionsIn(rule.value).flatMap(({ path, text, role }) => {
        const findings = checkWithLanguage(text, { role, phase: address.phase, level: scope.kind });
        return fixable(document, { path: [...rule.path, ...path], text, findings });
      }),
    ),
  );
}

interface Checked {
  readonly path: ValuePath;
  readonly text: string;
  readonly findings: readonly ExpressionFinding[];
}

function fixable(document: YamlDocument, { path, text, findings }: Checked): readonly FixableExpression[] {
  const chosen = separate(findings.flatMap(({ code, fix }) => (fix === undefined ? [] : [{ code, fix }])));
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

/** Of fixes that touch each other only the first; the others come in a later round, if they still apply. */
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

/** A document's value with the expressions as they are to be. */
export function replaceValues(value: JsonValue, wanted: readonly FixableExpression[]): JsonValue {
  return wanted.reduce<JsonValue>((current, one) => replaceAt(current, one.path, one.value), value);
}

function replaceAt(value: JsonValue, [key, ...rest]: ValuePath, leaf: JsonValue): JsonValue {
  if (key === undefined) {
    return leaf;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === key ? replaceAt(item, rest, leaf) : item));
  }
  return isJsonObject(value) ? { ...value, [key]: replaceAt(value[key] ?? null, rest, leaf) } : value;
}
