import { describe, expect, test } from 'vitest';

import { api, blockRule, entryPoint, refusalOf, startBench } from './bench.ts';

const CUSTOM = entryPoint(api, 'http_request_firewall_custom');

const RATELIMIT = {
  characteristics: ['cf.colo.id', 'ip.src'],
  period: 10,
  requests_per_period: 5,
  mitigation_timeout: 10,
};

/** A redirect whose target URL is computed. */
function redirect(expression: string): Record<string, unknown> {
  const parameters = { from_value: { target_url: { expression }, status_code: 301 } };
  return { action: 'redirect', expression: 'true', action_parameters: parameters };
}

describe('wrong expressions are refused as the service does (api.md 1.6)', () => {
  test('with the pointer, the line, and carets under the characters', async () => {
    const bench = await startBench();
    const rules = [blockRule(), blockRule({ ref: 'b', expression: 'ssl and\n  http.host eq 5' })];
    expect(refusalOf(await bench.call('PUT', CUSTOM, { rules }))).toEqual({
      status: 400,
      code: 20127,
      message:
        "'ssl and\n  http.host eq 5' is not a valid value for expression because could not parse filter expression: Filter parsing error (2:16):\n  http.host eq 5\n               ^ expected 2 characters, but found 1\n",
      pointer: '/rules/1/expression',
    });
  });

  test.each([
    ['', 20125, "'' is not a valid value for expression because the expression cannot be blank"],
    [' \n', 20125, "' \n' is not a valid value for expression because the expression cannot be blank"],
    [`http.host eq "${'a'.repeat(4100)}"`, 20127, 'expression size 4115 exceeded maximum 4096'],
    ['http.nope', 20127, 'unknown identifier'],
    ['http.request.uri.path', 20127, 'expected ComparisonOp'],
  ])('%j', async (expression, code, message) => {
    const bench = await startBench();
    const refusal = refusalOf(await bench.call('PUT', CUSTOM, { rules: [blockRule({ expression })] }));
    expect(refusal).toMatchObject({ status: 400, code, pointer: '/rules/0/expression' });
    expect(refusal.message).toContain(message);
  });

  test('in the target URL of a redirect, and in a counting expression', async () => {
    const bench = await startBench();
    const computed = await bench.call('PUT', entryPoint(api, 'http_request_dynamic_redirect'), {
      rules: [redirect('concat("https://a.example"')],
    });
    expect(refusalOf(computed)).toMatchObject({
      code: 20127,
      pointer: '/rules/0/action_parameters/from_value/target_url/expression',
    });
    const ratelimit = {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 60,
      requests_per_period: 5,
      counting_expression: 'http.response.code eq "x"',
    };
    const counted = await bench.call('PUT', entryPoint(api, 'http_ratelimit'), {
      rules: [blockRule({ ratelimit })],
    });
    expect(refusalOf(counted)).toMatchObject({
      code: 20127,
      pointer: '/rules/0/ratelimit/counting_expression',
    });
    expect(refusalOf(counted).message).toContain('is not a valid value for counting_expression because');
  });

  test.each([
    ['http.response.code eq 200', 'http.response.code does not belong in http_request_firewall_custom'],
    ['tcp.srcport eq 1', 'tcp.srcport does not belong in http_request_firewall_custom'],
    [
      `concat(${Array(33).fill('http.host').join(',')}) eq "a"`,
      'concat() takes at most 32 arguments, not 33',
    ],
    [
      Array(65).fill('http.host matches "a"').join(' or '),
      '65 regular expressions in one rule, at most 64 are allowed',
    ],
  ])(
    'if they parse but do not fit the phase or a limit (rules-language.md 4): %s',
    async (expression, reason) => {
      const bench = await startBench();
      const refusal = refusalOf(await bench.call('PUT', CUSTOM, { rules: [blockRule({ expression })] }));
      expect(refusal).toMatchObject({ status: 400, code: 20127, pointer: '/rules/0/expression' });
      expect(refusal.message).toContain(` because ${reason}`);
    },
  );

  test.each([
    ['regex_replace(regex_replace(http.host, "a", "b"), "c", "d")', 'regex_replace() is used here a second'],
    ['wildcard_replace(regex_replace(http.host, "a", "b"), "c*", "d")', 'is inside wildcard_replace()'],
  ])('if they replace twice: %s', async (expression, reason) => {
    const bench = await startBench();
    const rules = [redirect(expression)];
    const refusal = refusalOf(
      await bench.call('PUT', entryPoint(api, 'http_request_dynamic_redirect'), { rules }),
    );
    expect(refusal).toMatchObject({ status: 400, code: 20127 });
    expect(refusal.message).toContain(reason);
  });

  test('if they compute a single text instead of a list of tags (api.md 5.13)', async () => {
    const bench = await startBench();
    const tags = (expression: string) => ({
      rules: [
        { action: 'set_cache_tags', expression: 'true', action_parameters: { operation: 'set', expression } },
      ],
    });
    const path = entryPoint(api, 'http_response_cache_settings');
    const refusal = refusalOf(await bench.call('PUT', path, tags('http.host')));
    expect(refusal).toMatchObject({ code: 20127, pointer: '/rules/0/action_parameters/expression' });
    expect(refusal.message).toContain('expected value of type Array<Bytes>, but got Bytes');
    await bench.ok('PUT', path, tags('split(http.response.headers["x-tags"][0], ",", 8)'));
  });

  test('if a rate limit below Enterprise uses a regular expression (api.md 8.1)', async () => {
    const bench = await startBench();
    const rules = [blockRule({ expression: 'http.host matches "a"', ratelimit: RATELIMIT })];
    expect(refusalOf(await bench.call('PUT', entryPoint(api, 'http_ratelimit'), { rules })).message).toBe(
      'not entitled: the use of operator Matches is not allowed, an Advanced Rate Limiting plan is required',
    );
    await bench.ok('PUT', CUSTOM, { rules: [blockRule({ expression: 'http.host matches "a"' })] });
  });

  test('but a counting expression may use fields of the response', async () => {
    const bench = await startBench();
    const ratelimit = { ...RATELIMIT, counting_expression: 'http.response.code eq 401' };
    const path = entryPoint(api, 'http_ratelimit');
    expect((await bench.call('PUT', path, { rules: [blockRule({ ratelimit })] })).status).toBe(200);
  });

  test('in a POST of a single rule, which changes nothing', async () => {
    const bench = await startBench();
    const before = await bench.ok('GET', CUSTOM);
    const refused = await bench.call(
      'POST',
      `${api}/rulesets/${before.id}/rules`,
      blockRule({ expression: 'ssl or' }),
    );
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 20127, pointer: '/expression' });
    expect(await bench.ok('GET', CUSTOM)).toEqual(before);
  });
});
