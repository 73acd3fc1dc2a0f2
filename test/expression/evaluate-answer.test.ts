import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerLine } from '../../src/expression/answer-line.ts';
import { propertyRuns } from '../property-runs.ts';

function answer(request: unknown): unknown {
  return JSON.parse(
    answerLine(typeof request === 'string' ? request : JSON.stringify(request), 'eval'),
  ) as unknown;
}

function refusal(kind: string, message: string): unknown {
  return { error: { kind, line: 1, column: 1, length: 0, message } };
}

describe('expression eval, one line', () => {
  it('answers with the result of a filter', () => {
    const scheme = { s: 'Bytes', list: 'Array<Int>' };
    expect(answer({ expr: 's eq "a"', scheme, values: { s: 'a' } })).toEqual({ result: true });
    expect(answer({ expr: 'any(list[*] eq 2)', scheme, values: { list: [1, 2] } })).toEqual({ result: true });
    expect(answer({ expr: 'true', scheme: {} })).toEqual({ result: true });
    expect(answer({ expr: 'false', scheme: {} })).toEqual({ result: false });
  });

  it('uses the catalogue when no scheme is given', () => {
    expect(answer({ expr: 'http.host eq "a"', values: { 'http.host': 'a' } })).toEqual({ result: true });
    expect(answer({ expr: 'ip.src in {10/8}', values: { 'ip.src': '10.1.2.3' } })).toEqual({ result: true });
  });

  it('answers with the value of a value expression, null when it is missing', () => {
    const scheme = { s: 'Bytes', ip: 'Ip' };
    expect(answer({ expr: 'concat("/", s)', mode: 'value', scheme, values: { s: 'é' } })).toEqual({
      result: '/é',
    });
    expect(answer({ expr: 's', mode: 'value', scheme, values: { s: [255] } })).toEqual({ result: [255] });
    expect(answer({ expr: 'ip', mode: 'value', scheme, values: { ip: '::1' } })).toEqual({ result: '::1' });
    expect(answer({ expr: 's', mode: 'value', scheme })).toEqual({ result: null });
  });

  it('leaves missing values missing and follows nilNotEqual', () => {
    const request = { expr: 's ne "a"', scheme: { s: 'Bytes' }, values: {} };
    expect(answer(request)).toEqual({ result: false });
    expect(answer({ ...request, nilNotEqual: true })).toEqual({ result: true });
  });

  it('looks values up in lists of their type', () => {
    const scheme = { ip: 'Ip', s: 'Bytes', i: 'Int' };
    const lists = {
      Ip: { office: ['192.0.2.0/24', '::1'] },
      Bytes: { hosts: ['é'] },
      Int: { asns: [64_496] },
    };
    const ask = (expr: string, values: unknown): unknown => answer({ expr, scheme, values, lists });
    expect(ask('ip in $office', { ip: '192.0.2.7' })).toEqual({ result: true });
    expect(ask('ip in $office', { ip: '192.0.3.7' })).toEqual({ result: false });
    expect(ask('ip in $hosts', { ip: '192.0.2.7' })).toEqual({ result: false });
    expect(ask('s in $hosts', { s: 'é' })).toEqual({ result: true });
    expect(ask('i in $asns', { i: 64_496 })).toEqual({ result: true });
    expect(ask('i in $asns', { i: 1 })).toEqual({ result: false });
  });

  it('answers with the error of the parser', () => {
    expect(answer({ expr: 's eq "a" and', scheme: { s: 'Bytes' } })).toMatchObject({
      error: { line: 1, column: 13, length: 0 },
    });
    expect(answer({ expr: 'unknown', scheme: {} })).toEqual({
      error: { kind: 'UnknownIdentifier', line: 1, column: 1, length: 7, message: 'unknown identifier' },
    });
  });

  it('reports a regular expression that it cannot evaluate', () => {
    expect(answer({ expr: 's ~ "(?u)\\bx"', scheme: { s: 'Bytes' } })).toEqual(
      refusal('NotEvaluated', 'regular expression: not supported here: word boundaries of Unicode'),
    );
  });

  it.each([
    ['not JSON', 'expected a JSON object on each line'],
    ['[]', 'expected a JSON object on each line'],
    [{}, 'expr: expected a text'],
    [{ expr: 'true', mode: 'rule' }, 'mode: expected "filter" or "value"'],
    [{ expr: 'true', scheme: [] }, 'scheme: expected an object of fields and their types'],
    [
      { expr: 1, scheme: { a: 'Text', b: 5 } },
      'expr: expected a text; scheme.a: expected a type such as Bytes or Map<Array<Bytes>>; scheme.b: expected a type such as Bytes or Map<Array<Bytes>>',
    ],
    [
      {
        expr: 'true',
        scheme: { s: 'Bytes' },
        values: { s: 1, t: 2 },
        nilNotEqual: 'no',
        lists: { Ip: { a: ['x'], b: 1 }, Bool: {} },
      },
      's: expected a value of type Bytes; t: not a field of the scheme; lists.Ip.a[0]: not an item of such a list; lists.Ip.b: expected an array of items; lists.Bool: expected Int, Bytes or Ip; nilNotEqual: expected true or false',
    ],
    [{ expr: 'true', lists: [] }, 'lists: expected an object'],
  ])('refuses %j', (request, message) => {
    expect(answer(request)).toEqual(refusal('InvalidRequest', message));
  });

  it('answers every line with one line of JSON', () => {
    const lines = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          expr: fc.anything(),
          mode: fc.anything(),
          scheme: fc.anything(),
          values: fc.anything(),
          lists: fc.anything(),
        })
        .map((request) => JSON.stringify(request)),
    );
    fc.assert(
      fc.property(lines, (line) => {
        const given = answerLine(line, 'eval');
        expect(given).not.toContain('\n');
        expect(JSON.parse(given)).toSatisfy((one: object) => 'result' in one || 'error' in one);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
