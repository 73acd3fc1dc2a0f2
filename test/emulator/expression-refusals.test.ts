import { describe, expect, test } from 'vitest';

import { api, blockRule, entryPoint, refusalOf, startBench } from './bench.ts';

const CUSTOM = entryPoint(api, 'http_request_firewall_custom');

/** A value that a redirect computes. */
function redirect(expression: string): Record<string, unknown> {
  const parameters = { from_value: { target_url: { expression }, status_code: 301 } };
  return { action: 'redirect', expression: 'true', action_parameters: parameters };
}

describe('wrong expressions are refused as the service does (api.md 1.6)', () => {
  test('with the place, the line, and carets under the characters', async () => {
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

  test('in what rules compute, and in what they count', async () => {
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

  test('in a single rule, and without a trace of it', async () => {
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
