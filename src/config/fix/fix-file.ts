import type { Scalar } from 'yaml';
import type { AppliedFix } from '../../model/index.ts';
import { jsonEqual } from '../../data/index.ts';
import { sourceText, spanAt, applyEdits } from '../source/source-text.ts';
import type { SourceText, TextEdit } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { YamlDocument, ValuePath } from '../yaml/yaml-document.ts';
import { repairScalar } from '../schema/describe-value.ts';
import { schemaErrorsIn } from '../project/scope-file.ts';
import { checkWithLanguage } from '../checks/expression-checker.ts';
import type { ExpressionContext, ExpressionFix } from '../checks/expression-checker.ts';
import { expressionsIn } from '../../model/index.ts';
import { parseTemplate } from '../compose/template.ts';
import { isShared, scalarAt, withValueAt } from '../yaml/yaml-document.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';
import type { JsonValue } from '../../data/index.ts';
import type { RulesToFix, RuleToFix } from './rules-to-fix.ts';

/** Returns the expressions of rules that have safe fixes, except those that aliases share. */
function fixableExpressions(document: YamlDocument, rules: readonly RuleToFix[]): readonly FixableValue[] {
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
function fixesOf(text: string, context: ExpressionContext): readonly ChosenFix[] {
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

function isSame(a: ChosenFix, b: ChosenFix): boolean {
  return a.fix.start === b.fix.start && a.fix.end === b.fix.end && a.fix.replacement === b.fix.replacement;
}

interface FixableText {
  readonly path: ValuePath;
  readonly text: string;
  /** Fixes that do not touch each other. */
  readonly chosen: readonly ChosenFix[];
}

function fixable(document: YamlDocument, { path, text, chosen }: FixableText): readonly FixableValue[] {
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

interface ChosenFix {
  readonly code: string;
  readonly fix: ExpressionFix;
}

/** Keeps of fixes that touch each other only the first; the others come in a later round, if they still apply. */
function separate(all: readonly ChosenFix[]): readonly ChosenFix[] {
  const chosen: ChosenFix[] = [];
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

/** A file with its safe fixes made, and the list of these fixes. */
export interface FixedFile {
  readonly text: string;
  readonly fixes: readonly AppliedFix[];
}

/** Most rounds: one fix may bring another to light, but more rounds would mean that two fixes undo each other. */
const MAX_ROUNDS = 20;

/**
 * Makes the safe fixes in a file until none is left. Only the characters at fault change, and the result is read back to prove that the document
 * differs in the fixed values alone. Fixing the result again changes nothing.
 */
export function fixFile(source: SourceText, rulesToFix: RulesToFix): FixedFile {
  const fixes: AppliedFix[] = [];
  let current = source;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { document } = parseYaml(current);
    const made = document === undefined ? undefined : fixOnce(document, rulesToFix(document));
    if (made === undefined) {
      break;
    }
    fixes.push(...made.fixes);
    current = sourceText(source.path, made.text);
  }
  return { text: current.text, fixes };
}

/** Safe fixes of one value, and the edits that make them. */
export interface ProposedFixes {
  readonly fixes: readonly AppliedFix[];
  readonly edits: readonly TextEdit[];
}

/** Returns the safe fixes of a file value by value, each proven like those of `fixFile`. */
export function proposeFixes(source: SourceText, rulesToFix: RulesToFix): readonly ProposedFixes[] {
  const { document } = parseYaml(source);
  if (document === undefined) {
    return [];
  }
  return [...fixableExpressions(document, rulesToFix(document)), ...fixableScalars(document)].flatMap(
    (one) => {
      const how = HOW.find((way) => make(document, [one], way) !== undefined);
      return how === undefined ? [] : [{ fixes: one.fixes, edits: one[how] }];
    },
  );
}

const HOW = ['edits', 'rewritten'] as const;

/** Fixes all values at once or, where that does not come out right, the first value that can be fixed alone. */
function fixOnce(document: YamlDocument, rules: readonly RuleToFix[]): FixedFile | undefined {
  const wanted = [...fixableExpressions(document, rules), ...fixableScalars(document)];
  const whole = make(document, wanted, 'edits');
  if (whole !== undefined || wanted.length === 0) {
    return whole;
  }
  for (const one of wanted) {
    const made = make(document, [one], 'edits') ?? make(document, [one], 'rewritten');
    if (made !== undefined) {
      return made;
    }
  }
  return undefined;
}

/** Applies the fixes of some values; undefined where the file would not say exactly what they intend. */
function make(
  { source, value }: YamlDocument,
  wanted: readonly FixableValue[],
  how: 'edits' | 'rewritten',
): FixedFile | undefined {
  if (wanted.length === 0) {
    return undefined;
  }
  const text = applyEdits(
    source.text,
    wanted.flatMap((one) => one[how]),
  );
  const { document } = parseYaml(sourceText(source.path, text));
  return document !== undefined && jsonEqual(document.value, replaceValues(value, wanted))
    ? { text, fixes: wanted.flatMap(({ fixes }) => fixes) }
    : undefined;
}

/** Returns the values of a zone or account file that have the wrong type but leave no doubt which value of the right type is meant. */
function fixableScalars(document: YamlDocument): readonly FixableValue[] {
  const { source } = document;
  return schemaErrorsIn(document).flatMap((error) => {
    const repair = error.keyword === 'type' ? repairScalar(error) : undefined;
    const range = repair?.place?.scalar.range;
    if (repair?.place === undefined || range === undefined || range === null) {
      return [];
    }
    const [start, end] = range;
    const edit = { start, end, text: repair.text };
    return [
      {
        path: repair.place.path,
        value: repair.value,
        fixes: [
          {
            code: 'schema/wrong-type',
            where: spanAt(source, start, end),
            before: source.text.slice(start, end),
            after: repair.text,
          },
        ],
        edits: [edit],
        rewritten: [],
      },
    ];
  });
}

/** A value of a file, with fixes that can be made together. */
interface FixableValue {
  readonly path: ValuePath;
  /** The value with these fixes made. */
  readonly value: JsonValue;
  readonly fixes: readonly AppliedFix[];
  /** The edits of the stretches that change. */
  readonly edits: readonly TextEdit[];
  /** The same change as one edit that rewrites the whole text in quotes; empty where that is impossible. */
  readonly rewritten: readonly TextEdit[];
}

/** Returns a document's value with the fixed values in place. */
function replaceValues(value: JsonValue, wanted: readonly FixableValue[]): JsonValue {
  return wanted.reduce<JsonValue>((current, one) => withValueAt(current, one.path, one.value), value);
}
