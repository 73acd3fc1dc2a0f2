import { describe, expect, test } from 'vitest';
import type { Dispatch, WireRequest } from '../../src/api/request.ts';
import { withSensitive } from '../../src/api/sensitive-border.ts';
import { serviceError } from './caught.ts';
import { startLoopback } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const VALUES = [
  { reference: '<sensitive:SHORT>', value: 'abcdefgh' },
  { reference: '<sensitive:LONG>', value: 'abcdefgh-ijkl' },
];

const REQUEST: WireRequest = {
  id: 1,
  attempt: 1,
  method: 'PUT',
  target: '/zones',
  repeat: 'read',
  insist: false,
};

/** A dispatch whose service answers every request with this text, and the bodies that it was sent. */
function service(text: string): { readonly dispatch: Dispatch; readonly bodies: (string | undefined)[] } {
  const bodies: (string | undefined)[] = [];
  const dispatch: Dispatch = (request) => {
    bodies.push(request.body);
    return Promise.resolve({ kind: 'answered', status: 200, headers: new Map(), text });
  };
  return { dispatch: withSensitive(dispatch, VALUES), bodies };
}

describe('withSensitive', () => {
  test('puts values in requests and references in answers, however JSON escapes the values', async () => {
    const { dispatch, bodies } = service(
      String.raw`{"a": "x abcdefgh-ijkl", "abc\u0064efgh": ["\u0061bcdefgh"]}`,
    );
    const result = await dispatch({ ...REQUEST, body: '{"a":"<sensitive:LONG> <sensitive:SHORT>"}' });
    expect(bodies).toEqual(['{"a":"abcdefgh-ijkl abcdefgh"}']);
    expect(result).toMatchObject({
      text: '{"a":"x <sensitive:LONG>","<sensitive:SHORT>":["<sensitive:SHORT>"]}',
    });
  });

  test('masks values in an answer that is not JSON too', async () => {
    const { dispatch } = service('<html>abcdefgh</html>');
    expect(await dispatch(REQUEST)).toMatchObject({ text: '<html><sensitive:SHORT></html>' });
  });

  test.each(['<sensitive:OTHER>', '<sensitive>'])(
    'sends nothing if the value of a reference is not known: %s',
    async (text) => {
      const { dispatch, bodies } = service('{}');
      await expect(dispatch({ ...REQUEST, body: JSON.stringify(text) })).rejects.toMatchObject({
        code: 'sensitive/unknown-value',
      });
      expect(bodies).toEqual([]);
    },
  );

  test('refuses an answer that already contains a reference', async () => {
    const { dispatch } = service('{"a":"<sensitive:SHORT>"}');
    expect(await dispatch(REQUEST)).toMatchObject({
      kind: 'broken',
      reason: 'foreign-reference',
      sent: true,
    });
  });

  test('leaves the effect of a write unknown if its answer contains a reference', async () => {
    const server = await startLoopback((_seen, response) => {
      response.end(String.raw`{"success":true,"result":{"name":"\u003csensitive:SHORT>"}}`);
    });
    const { client } = openWriter(server.baseUrl, { sensitive: VALUES });
    const error = await serviceError(client.send({ method: 'PUT', path: '/a', body: {} }));
    expect(error).toMatchObject({ code: 'sensitive/foreign-reference', effect: 'unknown', attempts: 1 });
    expect(error.message).toContain('holds a text that looks like a reference');
  });

  test('refuses an answer that is nested too deeply, as it would be without sensitive values', async () => {
    const depth = 20_000;
    const server = await startLoopback((_seen, response) => {
      response.end(`{"success":true,"result":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    });
    const { client } = openReader(server.baseUrl, { sensitive: VALUES });
    expect(await serviceError(client.get('/a'))).toMatchObject({ code: 'api/unexpected-answer' });
  });
});
