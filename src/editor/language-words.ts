import { FIELDS, FUNCTIONS, PLACES, typeName } from '../expression/index.ts';
import type { FieldFacts, FunctionFacts, PlanNeed, SignatureParameter } from '../expression/index.ts';

const NEEDS: Readonly<Record<PlanNeed, string>> = {
  pro: 'needs the Pro plan',
  business: 'needs the Business plan',
  enterprise: 'needs the Enterprise plan',
  'add-on': 'needs the Enterprise plan with an add-on',
};

/** Explains a field, in Markdown. */
export function fieldText({
  name,
  type,
  summary,
  place,
  plan,
  product,
  replacement,
  oneOf,
}: FieldFacts): string {
  return linesOf([
    `\`\`\`\n${name}: ${typeName(type)}\n\`\`\``,
    summary,
    replacement === undefined ? '' : `Old name of \`${replacement}\`.`,
    notes([
      place === undefined ? '' : `belongs in ${PLACES[place].where}`,
      plan === undefined ? '' : NEEDS[plan],
      product === undefined ? '' : `comes with ${product}`,
      oneOf === undefined ? '' : `is one of ${oneOf.map((value) => `\`${value}\``).join(', ')}`,
    ]),
  ]);
}

/** Explains a function, in Markdown. */
export function functionText(facts: FunctionFacts): string {
  const { summary, place, plan } = facts;
  return linesOf([
    `\`\`\`\n${signatureText(facts).label}\n\`\`\``,
    summary,
    notes([
      place === undefined ? '' : `belongs in ${PLACES[place].where}`,
      plan === undefined ? '' : NEEDS[plan],
    ]),
  ]);
}

/** Returns the signature of a function as a text, and the stretch of each parameter in it. */
export function signatureText({ name, signature }: FunctionFacts): {
  readonly label: string;
  readonly parameters: readonly (readonly [start: number, end: number])[];
} {
  const { mandatory, optional, rest, returns } = signature;
  const texts = [
    ...mandatory.map(parameterText),
    ...optional.map((one) => `[${parameterText(one)}]`),
    ...(rest === undefined ? [] : [`...${parameterText(rest)}`]),
  ];
  const parameters: (readonly [number, number])[] = [];
  let label = `${name}(`;
  for (const [index, text] of texts.entries()) {
    label += index === 0 ? '' : ', ';
    parameters.push([label.length, label.length + text.length]);
    label += text;
  }
  return { label: `${label}): ${returns === 'first' ? 'as its argument' : returns}`, parameters };
}

function parameterText({ name, accepts }: SignatureParameter): string {
  const types = accepts.map((type) => (type === '_' ? 'any' : type === 'first' ? 'same' : type));
  return `${name}: ${types.join(' | ')}`;
}

/** Explains a word of the rules language, in Markdown; undefined of one that means nothing. */
export function wordText(word: string): string | undefined {
  const field = FIELDS.get(word);
  const called = FUNCTIONS.get(word);
  return field === undefined
    ? called === undefined
      ? OPERATORS.get(word)
      : functionText(called)
    : fieldText(field);
}

/** What operators and words of the language do. */
export const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['eq', 'equals'],
  ['ne', 'does not equal'],
  ['lt', 'is less than'],
  ['le', 'is at most'],
  ['gt', 'is greater than'],
  ['ge', 'is at least'],
  ['in', 'is in a set `{…}` or a list `$name`'],
  ['contains', 'contains the text'],
  ['matches', 'matches the regular expression'],
  ['wildcard', 'matches the pattern with `*`, in any case'],
  ['strict wildcard', 'matches the pattern with `*`, upper and lower case apart'],
  ['bitwise_and', 'has one of these bits'],
  ['and', 'both hold'],
  ['or', 'one of both holds, or both'],
  ['xor', 'exactly one of both holds'],
  ['not', 'does not hold'],
  ['any', 'one of the items, by `[*]`, meets the condition'],
  ['all', 'all items, by `[*]`, meet the condition'],
]);

function notes(texts: readonly string[]): string {
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? '' : `_It ${said.join('; ')}._`;
}

function linesOf(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
