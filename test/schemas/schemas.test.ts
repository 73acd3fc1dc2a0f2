import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateAccount, validateProject, validateZone } from '../../src/config/generated/validators.mjs';
import { KNOWN_ACTION_PARAMETERS, KNOWN_RATELIMIT_FIELDS } from '../../src/model/generated/known-fields.ts';
import { isJsonArray, isJsonObject } from '../../src/data/json.ts';
import type { JsonObject, JsonValue } from '../../src/data/json.ts';
import { STAR_PATTERN } from '../../src/text/star-pattern.ts';
import { PHASES } from '../../src/model/phases.ts';
import { ALLOWABLE_KINDS } from '../../src/model/guard.ts';

const NAMES = [
  'project',
  'zone',
  'account',
  'pack',
  'variables',
  'ruleset',
  'rule',
  'settings',
  'action-parameters',
  'test',
] as const;

const SCHEMAS: ReadonlyMap<string, JsonObject> = new Map(
  NAMES.map((name) => [name, JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as JsonObject]),
);

/** The value at a path inside a schema. */
function at(schema: string, ...path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, part) =>
      isJsonArray(value) ? value[Number(part)] : isJsonObject(value) ? value[String(part)] : undefined,
    SCHEMAS.get(schema),
  );
}

function keysAt(schema: string, ...path: readonly (string | number)[]): readonly string[] {
  const value = at(schema, ...path);
  return isJsonObject(value) ? Object.keys(value) : [];
}

describe('the schemas agree with the model', () => {
  test.each(['zone', 'account'] as const)('on entry points and custom rulesets of %s', (kind) => {
    const entrypoints = PHASES.filter((phase) => phase.entrypoints.includes(kind)).map(({ name }) => name);
    const custom = PHASES.filter((phase) => phase.custom.includes(kind)).map(({ name }) => name);
    expect(keysAt(kind, 'properties', 'entrypoints', 'properties')).toEqual(entrypoints);
    expect(at(kind, 'definitions', 'customRuleset', 'properties', 'phase', 'enum')).toEqual(custom);
  });

  test('on the phases that a rule can skip', () => {
    expect(at('action-parameters', 'definitions', 'skip', 'properties', 'phases', 'items', 'enum')).toEqual(
      PHASES.map(({ name }) => name),
    );
  });

  test('on the kinds of guards that can be allowed', () => {
    expect(at('project', 'definitions', 'allowance', 'properties', 'kind', 'enum')).toEqual(ALLOWABLE_KINDS);
  });

  test('on the actions, which are the same in the list for editors and in the branches', () => {
    const branches = at('rule', 'oneOf');
    const actions = (isJsonArray(branches) ? branches : []).flatMap((_, index): readonly unknown[] => {
      const several = at('rule', 'oneOf', index, 'properties', 'action', 'enum');
      return isJsonArray(several) ? several : [at('rule', 'oneOf', index, 'properties', 'action', 'const')];
    });
    expect(actions).toEqual(at('rule', 'properties', 'action', 'enum'));
    expect([...KNOWN_ACTION_PARAMETERS.keys()]).toEqual(actions.map(String).sort());
  });

  test('on the keys of rate limits and of the parameters of some actions', () => {
    expect([...KNOWN_RATELIMIT_FIELDS]).toEqual(
      [...keysAt('rule', 'definitions', 'ratelimit', 'properties')].sort(),
    );
    expect([...(KNOWN_ACTION_PARAMETERS.get('redirect') ?? [])]).toEqual(['from_list', 'from_value']);
    expect([...(KNOWN_ACTION_PARAMETERS.get('log') ?? ['none'])]).toEqual([]);
  });
});

describe('the schemas for editors', () => {
  test.each(NAMES)('give %s an id, a title and a description of every key', (name) => {
    expect(at(name, '$id')).toBe(`https://rulewright.example/schemas/${name}.schema.json`);
    expect(at(name, 'title')).toBeTypeOf('string');
    expect(undescribed(SCHEMAS.get(name) ?? null, name)).toEqual([]);
  });

  test('have only valid examples', () => {
    const ajv = new Ajv({ discriminator: true, strict: false, allErrors: true });
    for (const schema of SCHEMAS.values()) {
      ajv.addSchema(schema);
    }
    const failures = NAMES.flatMap((name) =>
      examplesIn(SCHEMAS.get(name) ?? null, '#').flatMap(({ pointer, examples }) =>
        examples
          .filter(
            (example) =>
              !ajv.validate(`https://rulewright.example/schemas/${name}.schema.json${pointer}`, example),
          )
          .map((example) => `${name}${pointer}: ${JSON.stringify(example)} ${ajv.errorsText()}`),
      ),
    );
    expect(failures).toEqual([]);
  });
});

describe('the compiled validators', () => {
  test.each([
    ['project', validateProject, { version: 1, files: ['zones/*.yaml'] }, { version: 1 }],
    ['zone', validateZone, { zone: 'a' }, { account: 'a' }],
    ['account', validateAccount, { account: 'a' }, { zone: 'a' }],
  ] as const)('tell valid from invalid documents: %s', (_, validator, valid, invalid) => {
    expect(validator(valid)).toBe(true);
    expect(validator(invalid)).toBe(false);
    expect(validator.errors?.length).toBeGreaterThan(0);
  });

  test('count characters, not UTF-16 units', () => {
    const zone = (content: string) => ({
      zone: 'a',
      entrypoints: {
        http_custom_errors: {
          rules: [{ action: 'serve_error', expression: 'ssl', action_parameters: { content } }],
        },
      },
    });
    expect(validateZone(zone('😀'.repeat(10_240)))).toBe(true);
    expect(validateZone(zone('😀'.repeat(10_241)))).toBe(false);
  });
});

/** Keys under `properties` without a description, a `$ref` or a `const`. */
function undescribed(schema: JsonValue, place: string): readonly string[] {
  if (isJsonArray(schema)) {
    return schema.flatMap((item, index) => undescribed(item, `${place}/${index}`));
  }
  if (!isJsonObject(schema)) {
    return [];
  }
  const properties = schema['properties'];
  const named =
    isJsonObject(properties) && schema['required'] === undefined && schema['type'] === undefined
      ? {}
      : properties;
  const missing = Object.entries(isJsonObject(named) ? named : {})
    .filter(
      ([, value]) =>
        isJsonObject(value) && !('description' in value) && !('$ref' in value) && !('const' in value),
    )
    .map(([key]) => `${place}/${key}`);
  return [
    ...missing,
    ...Object.entries(schema)
      // A condition does not define any keys.
      .filter(([key]) => key !== 'if')
      .flatMap(([key, value]) => undescribed(value, `${place}/${key}`)),
  ];
}

interface Examples {
  readonly pointer: string;
  readonly examples: readonly JsonValue[];
}

function examplesIn(schema: JsonValue, pointer: string): readonly Examples[] {
  if (isJsonArray(schema)) {
    return schema.flatMap((item, index) => examplesIn(item, `${pointer}/${index}`));
  }
  if (!isJsonObject(schema)) {
    return [];
  }
  const { examples } = schema;
  return [
    ...(isJsonArray(examples) ? [{ pointer, examples }] : []),
    ...Object.entries(schema)
      .filter(([key]) => key !== 'examples')
      .flatMap(([key, value]) => examplesIn(value, `${pointer}/${key.replaceAll('/', '~1')}`)),
  ];
}

test('the schema of ref patterns has the regular expression that the checks use', () => {
  expect(at('ruleset', 'definitions', 'refPattern', 'pattern')).toBe(STAR_PATTERN.source);
});
