import { FIELDS, readValues, typeName } from '../expression/index.ts';
import type { Type, Value, Values } from '../expression/index.ts';
import { NAMES_OF_ONE_VALUE } from './request-values.ts';
import type { NewFields } from './new-fields.ts';
import { didYouMean } from './test-problem.ts';
import type { TestProblem } from './test-problem.ts';

/** The place of field values in a test document. */
type FieldsPath = TestProblem['path'];

/** The values of fields, and what is wrong with them. */
export interface ReadFields {
  readonly values: Values;
  readonly problems: readonly TestProblem[];
}

/** The name under which the value of a field with two names is kept, so that the value of a test replaces a shared one. */
const FIRST_NAME: ReadonlyMap<string, string> = new Map(
  NAMES_OF_ONE_VALUE.map(([first, other]) => [other, first]),
);

/** Whose fields are read, and which fields there are beside those that this version knows. */
export interface MessageSide {
  readonly side: 'request' | 'response';
  readonly newFields: NewFields;
}

/** Reads `fields` of a request or a response. A field that follows from other keys is refused, since the two could disagree. */
export function readFields(
  given: Readonly<Record<string, unknown>>,
  path: FieldsPath,
  { side, newFields }: MessageSide,
): ReadFields {
  const values = new Map<string, Value>();
  const problems: TestProblem[] = [];
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const read = readField(name, value, { side, newFields });
    const first = FIRST_NAME.get(name) ?? name;
    const before = seen.get(first);
    if ('value' in read && before !== undefined) {
      const message = `\`${name}\` is another name of \`${before}\``;
      problems.push({ code: 'test/derived-field', message, hint: 'give one of them', path: [...path, name] });
    } else if ('value' in read) {
      seen.set(first, name);
      values.set(first, read.value);
    } else {
      problems.push({ ...read, path: [...path, name] });
    }
  }
  return { values, problems };
}

function readField(
  name: string,
  given: unknown,
  { side, newFields }: MessageSide,
): { readonly value: Value } | Omit<TestProblem, 'path'> {
  const known = FIELDS.get(name)?.type;
  const type = known ?? newFields.get(name);
  if (type === undefined) {
    const message = `there is no field \`${name}\``;
    return {
      code: 'test/unknown-field',
      message,
      ...didYouMean(name, [...FIELDS.keys(), ...newFields.keys()]),
    };
  }
  const source = fieldSource(name);
  if (known !== undefined && source !== undefined && source !== 'response') {
    const message = `\`${name}\` follows from ${KEYS[source]}`;
    return { code: 'test/derived-field', message, hint: `say it in ${KEYS[source]}` };
  }
  if (side === 'request' && source === 'response') {
    const message = `\`${name}\` is a field of the response`;
    return { code: 'test/derived-field', message, hint: 'give it under `response`' };
  }
  const read = readValues({ [name]: given }, new Map([[name, type]]));
  const value = read.ok ? read.values.get(name) : undefined;
  const wanted = WANTED.get(type.kind) ?? `a value of type ${typeName(type)}`;
  return value === undefined
    ? { code: 'test/field-value', message: `\`${name}\` takes ${wanted}, not ${JSON.stringify(given)}` }
    : { value };
}

/** What messages call the values of scalar types. */
const WANTED: ReadonlyMap<Type['kind'], string> = new Map([
  ['Bool', 'true or false'],
  ['Int', 'a whole number'],
  ['Bytes', 'a text'],
  ['Ip', 'an address'],
]);

/** What a field follows from; `response` for a field that only a response has. */
export type FieldSource = keyof typeof KEYS | 'response';

/** What messages call the keys of a test that determine fields. */
const KEYS = {
  url: '`url`',
  host: '`url`, or the header `host`',
  method: '`method`',
  ip: '`ip`',
  headers: '`headers`',
  body: '`body`',
  zone: '`zone`',
  plan: '`plan`',
  status: '`status` of `response`',
  'response-headers': '`headers` of `response`',
} as const;

/** Returns what a field follows from; undefined for one that is given by itself. */
export function fieldSource(name: string): FieldSource | undefined {
  return SOURCES.find(([pattern]) => pattern.test(name))?.[1];
}

const SOURCES: readonly (readonly [RegExp, FieldSource])[] = [
  [/^(?:raw\.)?http\.request\.(?:full_uri|uri)\b/u, 'url'],
  [/^(?:ssl|cf\.edge\.server_port)$/u, 'url'],
  [/^http\.host$/u, 'host'],
  [/^http\.request\.method$/u, 'method'],
  [/^ip\.src$/u, 'ip'],
  [/^http\.(?:user_agent|referer|cookie|x_forwarded_for)$/u, 'headers'],
  [/^http\.request\.(?:cookies|accepted_languages)$/u, 'headers'],
  [/^(?:raw\.)?http\.request\.headers(?:\.names|\.values)?$/u, 'headers'],
  [/^http\.request\.body\.(?:raw|size|form(?:\.names|\.values)?)$/u, 'body'],
  [/^cf\.zone\.name$/u, 'zone'],
  [/^cf\.zone\.plan$/u, 'plan'],
  [/^http\.response\.code$/u, 'status'],
  [
    /^(?:raw\.)?http\.response\.(?:headers(?:\.names|\.values)?|content_type\.media_type)$/u,
    'response-headers',
  ],
  [/^(?:raw\.)?http\.response\.|^cf\.response\./u, 'response'],
];
