import { CompletionItemKind } from 'vscode-languageserver';
import type { CompletionItem } from 'vscode-languageserver';
import { FIELDS, FUNCTIONS, MANAGED_LISTS, belongsIn, operatorsOf, typeName } from '../expression/index.ts';
import type { ExpressionSetting } from './edited-file.ts';
import type { ExpressionCursor } from './expression-cursor.ts';
import { typeOfOperand } from './expression-cursor.ts';
import { OPERATORS, fieldText, functionText, signatureText } from './language-words.ts';

/** An item, and the text that it puts in. */
export type Proposal = Omit<CompletionItem, 'textEdit' | 'insertText'> & { readonly insert?: string };

/** What an expression may name besides fields and functions. */
export interface ExpressionNames {
  readonly lists: readonly string[];
}

/** Returns what may stand at the cursor of an expression. Labels are whole names. */
export function completeExpression(
  cursor: ExpressionCursor,
  setting: ExpressionSetting,
  { lists }: ExpressionNames,
): readonly Proposal[] {
  const { expects, left, operator, string } = cursor;
  const named = left === '' ? undefined : FIELDS.get(left);
  if (string !== undefined) {
    return (expects === 'right' || expects === 'set-item') && named?.oneOf !== undefined
      ? named.oneOf.map((value) => ({ label: value, kind: CompletionItemKind.Value }))
      : [];
  }
  const listItems = [...lists, ...MANAGED_LISTS].map((name): Proposal => ({
    label: `$${name}`,
    kind: CompletionItemKind.Variable,
    detail: MANAGED_LISTS.includes(name) ? 'managed list of addresses' : 'list of the account',
    sortText: `0${name}`,
  }));
  switch (expects) {
    case 'operand':
      return operands(setting);
    case 'operator':
      return operatorsFor(left);
    case 'right':
      return operator === 'in'
        ? [
            {
              label: '{ }',
              kind: CompletionItemKind.Snippet,
              detail: 'a set',
              insert: '{$1}',
              insertTextFormat: 2,
            },
            ...listItems,
          ]
        : [...valuesOf(left), ...(setting.role === 'filter' ? sameTyped(left, setting) : [])];
    case 'set-item':
      return valuesOf(left);
    default:
      return joiners();
  }
}

/** The use of an expression, as the rules language calls it. */
function contextOf({ role, phase, level }: ExpressionSetting) {
  const use = role === 'filter' ? 'filter' : role === 'counting' ? 'counting' : 'value';
  return {
    use,
    ...(phase === undefined ? {} : { phase }),
    ...(level === undefined ? {} : { level }),
  } as const;
}

function operands(setting: ExpressionSetting): readonly Proposal[] {
  return [
    ...fieldItems(setting, () => true),
    ...functionItems(setting),
    ...(setting.role === 'filter' ? PREFIXES : []),
  ];
}

const PREFIXES: readonly Proposal[] = ['not', 'any', 'all', 'true', 'false'].map((label) => ({
  label,
  kind: CompletionItemKind.Keyword,
  ...(OPERATORS.has(label) ? { detail: OPERATORS.get(label) ?? '' } : {}),
  sortText: `2${label}`,
}));

function fieldItems(setting: ExpressionSetting, fits: (type: string) => boolean): readonly Proposal[] {
  const context = contextOf(setting);
  return [...FIELDS.values()].flatMap((field): readonly Proposal[] =>
    belongsIn(context, field.place) && fits(typeName(field.type))
      ? [
          {
            label: field.name,
            kind: CompletionItemKind.Field,
            detail: typeName(field.type),
            documentation: { kind: 'markdown', value: fieldText(field) },
            sortText: `${field.replacement === undefined ? 0 : 3}${field.name}`,
            ...(field.replacement === undefined ? {} : { tags: [1] }),
          },
        ]
      : [],
  );
}

function functionItems(setting: ExpressionSetting): readonly Proposal[] {
  const context = contextOf(setting);
  return [...FUNCTIONS.values()].flatMap((facts): readonly Proposal[] =>
    belongsIn(context, facts.place)
      ? [
          {
            label: facts.name,
            kind: CompletionItemKind.Function,
            detail: signatureText(facts).label,
            documentation: { kind: 'markdown', value: functionText(facts) },
            sortText: `1${facts.name}`,
            insert: `${facts.name}($1)`,
            insertTextFormat: 2,
          },
        ]
      : [],
  );
}

function operatorsFor(left: string): readonly Proposal[] {
  const type = typeOfOperand(left);
  const fitting =
    type === undefined || type.kind === 'Array' || type.kind === 'Map'
      ? ['eq', 'ne', 'in', 'contains', 'matches', 'wildcard', 'lt', 'le', 'gt', 'ge']
      : operatorsOf(type);
  const items = fitting.map((label, index): Proposal => ({
    label,
    kind: CompletionItemKind.Operator,
    detail: OPERATORS.get(label) ?? '',
    sortText: `0${String(index).padStart(2, '0')}`,
  }));
  return type === undefined || type.kind === 'Bool' ? [...items, ...joiners()] : items;
}

function joiners(): readonly Proposal[] {
  return ['and', 'or', 'xor'].map((label) => ({
    label,
    kind: CompletionItemKind.Operator,
    detail: OPERATORS.get(label) ?? '',
    sortText: `1${label}`,
  }));
}

function valuesOf(left: string): readonly Proposal[] {
  const { oneOf = [] } = FIELDS.get(left) ?? {};
  return oneOf.map((value) => ({
    label: `"${value}"`,
    kind: CompletionItemKind.Value,
    sortText: `0${value}`,
  }));
}

/** Fields that the left side may be compared with. */
function sameTyped(left: string, setting: ExpressionSetting): readonly Proposal[] {
  const type = typeOfOperand(left);
  return type === undefined ? [] : fieldItems(setting, (name) => name === typeName(type));
}
