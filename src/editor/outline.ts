import { SymbolKind } from 'vscode-languageserver';
import { locateKey, locateValue } from '../config/index.ts';
import type { ValuePath, YamlDocument } from '../config/index.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { phaseFacts } from '../model/index.ts';
import type { SourceSpan } from '../model/index.ts';
import { shortened } from '../text/index.ts';

/** A part of a file as an outline shows it. */
export interface OutlinePart {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  /** Where its name stands; the part goes from there to the part that follows. */
  readonly where: SourceSpan;
  readonly parts: readonly OutlinePart[];
}

/** Longest name of a rule without `ref`. */
const MOST_CHARACTERS = 60;

/** Returns the phases, rulesets, rules, variables and tests of a file. */
export function outline(document: YamlDocument): readonly OutlinePart[] {
  const value = objectOf(document.value);
  const { entrypoints, rulesets, rules, vars, params, tests } = value;
  const keys = (path: ValuePath, holder: JsonValue | undefined, kind: SymbolKind): readonly OutlinePart[] =>
    Object.entries(objectOf(holder)).map(([name, member]) => ({
      name,
      detail: isJsonObject(member)
        ? textOf(member['type'])
        : shortened(JSON.stringify(member), MOST_CHARACTERS),
      kind,
      where: locateKey(document, [...path, name]),
      parts: [],
    }));
  return [
    ...keys(['vars'], vars, SymbolKind.Variable),
    ...keys(['params'], params, SymbolKind.TypeParameter),
    ...Object.entries(objectOf(entrypoints)).map(([phase, body]) => ({
      name: phase,
      detail: phaseFacts(phase)?.product ?? '',
      kind: SymbolKind.Module,
      where: locateKey(document, ['entrypoints', phase]),
      parts: rulesOf(document, ['entrypoints', phase, 'rules'], objectOf(body)['rules']),
    })),
    ...listOf(rulesets).map((body, index) => ({
      name: textOf(objectOf(body)['name']) || `ruleset ${index + 1}`,
      detail: textOf(objectOf(body)['phase']),
      kind: SymbolKind.Module,
      where: locateValue(document, ['rulesets', index, 'name']),
      parts: rulesOf(document, ['rulesets', index, 'rules'], objectOf(body)['rules']),
    })),
    ...rulesOf(document, ['rules'], rules),
    ...listOf(tests).map((test, index) => ({
      name: textOf(objectOf(test)['name']) || `test ${index + 1}`,
      detail: '',
      kind: SymbolKind.Event,
      where: locateKey(document, ['tests', index]),
      parts: [],
    })),
  ];
}

function rulesOf(
  document: YamlDocument,
  path: ValuePath,
  rules: JsonValue | undefined,
): readonly OutlinePart[] {
  return listOf(rules).map((rule, index) => {
    const { ref, description, use, expression, action } = objectOf(rule);
    const name =
      textOf(ref) || textOf(use) || textOf(description) || textOf(expression) || `rule ${index + 1}`;
    return {
      name: shortened(name, MOST_CHARACTERS),
      detail: use === undefined ? textOf(action) : 'pack',
      kind: use === undefined ? SymbolKind.Function : SymbolKind.Package,
      where: locateKey(document, [...path, index]),
      parts: [],
    };
  });
}
