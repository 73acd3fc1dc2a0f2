import { describe, expect, test } from 'vitest';

import type { Dispatch, WireRequest } from '../../src/api/dispatch.ts';
import { withSensitive } from '../../src/api/sensitive.ts';

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

/** A service that answers with a text, and what it was sent. */
function service(text: string): { readonly dispatch: Dispatch; readonly bodies: (string | undefined)[] } {
  const bodies: (string | undefined)[] = [];
  const dispatch: Dispatch = (request) => {
    bodies.push(request.body);
    return Promise.resolve({ kind: 'answered', status: 200, headers: new Map(), text });
  };
  return { dispatch: withSensitive(dispatch, VALUES), bodies };
}

describe('the border of sensitive values', () => {
  test('requests carry values, and answers references, however JSON spells them', async () => {
    const { dispatch, bodies } = service(
      String.raw`{"a": "x abcdefgh-ijkl", "abc\u0064efgh": ["\u0061bcdefgh"]}`,
    );
    const result = await dispatch({ ...REQUEST, body: '{"a":"<sensitive:LONG> <sensitive:SHORT>"}' });
    expect(bodies).toEqual(['{"a":"abcdefgh-ijkl abcdefgh"}']);
    expect(result).toMatchObject({
      text: '{"a":"x <sensitive:LONG>","<sensitive:SHORT>":["<sensitive:SHORT>"]}',
    });
  });

  test('an answer that is no JSON is masked as well', async () => {
    const { dispatch } = service('<html>abcdefgh</html>');
    expect(await dispatch(REQUEST)).toMatchObject({ text: '<html><sensitive:SHORT></html>' });
  });

  test.each(['<sensitive:OTHER>', '<sensitive>'])(
    'nothing is sent for a reference without its value: %s',
    async (text) => {
      const { dispatch, bodies } = service('{}');
      await expect(dispatch({ ...REQUEST, body: JSON.stringify(text) })).rejects.toMatchObject({
        code: 'sensitive/unknown-value',
      });
      expect(bodies).toEqual([]);
    },
  );

  test('a reference that the service holds is not taken for ours', async () => {
    const { dispatch } = service('{"a":"<sensitive:SHORT>"}');
    await expect(dispatch(REQUEST)).rejects.toMatchObject({ code: 'sensitive/foreign-reference' });
  });
});
