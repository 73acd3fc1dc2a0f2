import type { AppliedFix } from '../../model/diagnostic.ts';
import { jsonEqual } from '../../model/json.ts';
import { sourceText } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { applyEdits } from '../source/text-edit.ts';
import { fixableExpressions } from './fixable-expressions.ts';
import { fixableScalars } from './fixable-scalars.ts';
import { replaceValues } from './fixable-value.ts';
import type { FixableValue } from './fixable-value.ts';
import type { RulesToFix, RuleToFix } from './rules-to-fix.ts';

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
