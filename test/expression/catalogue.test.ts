import { describe, expect, test } from 'vitest';
import { CATALOGUE, FIELDS, FUNCTIONS } from '../../src/expression/language/catalogue.ts';
import { PLACES } from '../../src/expression/language/expression-place.ts';
import { parseType, sameType, typeName } from '../../src/expression/values/type.ts';

describe('the catalogue', () => {
  test('has 242 fields, each with a type and a summary', () => {
    expect(FIELDS.size).toBe(242);
    const wrong = [...FIELDS.values()].filter(({ type, summary }) => {
      const read = parseType(typeName(type));
      return read === undefined || !sameType(read, type) || summary.length < 4 || summary.length > 100;
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['http.host', 'Bytes'],
    ['http.request.headers', 'Map<Array<Bytes>>'],
    ['ip.src', 'Ip'],
    ['ssl', 'Bool'],
    ['cf.bot_management.detection_ids', 'Array<Int>'],
    ['http.request.body.multipart.names', 'Array<Array<Bytes>>'],
    ['cf.llm.prompt.custom_topic_categories', 'Map<Int>'],
  ])('%s is of type %s', (name, type) => {
    expect(typeName(FIELDS.get(name)?.type ?? { kind: 'Bool' })).toBe(type);
  });

  test('names replacements of the same type that exist', () => {
    const deprecated = [...FIELDS.values()].filter(({ replacement }) => replacement !== undefined);
    expect(deprecated).toHaveLength(7);
    expect(deprecated.map(({ replacement }) => FIELDS.get(replacement ?? '')?.type)).toEqual(
      deprecated.map(({ type }) => type),
    );
  });

  test('has 31 functions, each with a mandatory parameter, and with a summary', () => {
    expect(FUNCTIONS.size).toBe(31);
    const wrong = [...FUNCTIONS.values()].filter(({ signature, summary }) => {
      const parameters = [...signature.mandatory, ...signature.optional];
      return (
        signature.mandatory.length === 0 ||
        summary.length < 4 ||
        parameters.some(({ accepts }) => accepts.length === 0)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('reads places and plans from its data', () => {
    expect(FIELDS.get('http.response.code')?.place).toBe('response');
    expect(FIELDS.get('tcp.dstport')?.place).toBe('packet');
    expect(FIELDS.get('cf.waf.score')?.plan).toBe('enterprise');
    expect(FIELDS.get('cf.bot_management.score')).toMatchObject({ plan: 'add-on', between: [1, 99] });
    expect(FUNCTIONS.get('regex_replace')).toMatchObject({ place: 'rewrite-redirect', plan: 'business' });
    const used = new Set([...FIELDS.values(), ...FUNCTIONS.values()].map(({ place }) => place));
    expect(Object.keys(PLACES).filter((place) => !used.has(place as keyof typeof PLACES))).toEqual([]);
  });

  test('is a scheme with true and false, and without any as a function', () => {
    expect(CATALOGUE.fields.get('true')).toEqual({ kind: 'Bool' });
    expect(CATALOGUE.fields.size).toBe(244);
    expect(CATALOGUE.functions.has('any')).toBe(false);
  });
});
