import type { ErrorText } from './describe-error.ts';
import { isIndex, nameOf } from './schema-error.ts';
import type { SchemaError } from './schema-error.ts';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['rules', 'write `rules: []` for no rules, or remove the ruleset to let go of it'],
  ['entrypoints', 'name a phase under it, or remove the key'],
  ['rulesets', 'write `rulesets: []`, or remove the key'],
  ['expression', 'write `true` for a rule that matches every request'],
]);

/** A key with nothing behind its colon. It never means "empty". */
export function describeEmptyValue(error: SchemaError): ErrorText {
  const last = error.path.at(-1);
  if (last === undefined) {
    return { code: 'schema/no-value', message: 'the document has no value' };
  }
  if (isIndex(last)) {
    return {
      code: 'schema/no-value',
      message: `${nameOf(error)} has no value`,
      hint: 'write the item after its `-`, or remove the `-`',
    };
  }
  const isPhase = error.path.length === 2 && error.path[0] === 'entrypoints';
  return {
    code: 'schema/no-value',
    message: `\`${last}\` has no value`,
    hint: isPhase
      ? 'write `rules: []` under it for no rules, or remove the key to let go of the phase'
      : (HINTS.get(last) ?? 'write a value, or remove the key'),
  };
}
