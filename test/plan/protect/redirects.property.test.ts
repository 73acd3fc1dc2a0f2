import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileValue, parseExpression } from '../../../src/expression/public.ts';
import type { Operand, Values } from '../../../src/expression/public.ts';
import { judgeAdded } from '../../../src/plan/impact/judge-content.ts';
import { propertyRuns } from '../../property-runs.ts';
import { content, SHOP } from '../build.ts';

const HOSTS = [
  'shop.example',
  'www.shop.example',
  'com.shop.example',
  'evil.test.shop.example',
  'a.b.shop.example',
];
const PATHS = [
  '/',
  '/a',
  '/old/x',
  '/old',
  '//evil.test/',
  '/\\evil.test',
  '/@evil.test/',
  '/.evil.test',
  '/:80@evil.test/',
  '/shop.example/',
  '/old@evil.test',
  '/https://evil.test/',
  '/%2f%2fevil.test',
  '/ab/shop.example/x',
  '/evil.test//old/',
];
const QUERIES = [
  '',
  'a=1',
  '@evil.test/',
  'https://evil.test/',
  '.evil.test',
  '/shop.example/',
  '//evil.test/',
];

interface Request {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
}

const request: fc.Arbitrary<Request> = fc.record({
  scheme: fc.constantFrom('http', 'https'),
  host: fc.constantFrom(...HOSTS),
  port: fc.constantFrom('', ':8443'),
  path: fc.constantFrom(...PATHS),
  query: fc.constantFrom(...QUERIES),
});

function valuesOf({ scheme, host, port, path, query }: Request): Values {
  const uri = query === '' ? path : `${path}?${query}`;
  return new Map([
    ['http.host', host],
    ['http.request.uri', uri],
    ['http.request.uri.path', path],
    ['http.request.uri.query', query],
    ['http.request.full_uri', `${scheme}://${host}${port}${uri}`],
    ['ip.src.country', 'DE'],
  ]);
}

const quoted = (text: string): string => JSON.stringify(text);

/** Texts from which a host can be put together, well or badly. */
const literal = fc
  .array(
    fc.constantFrom(
      'https://',
      'http://',
      'https:',
      '/',
      '//',
      'shop.example',
      '.shop.example',
      'www.',
      'new',
      '.',
      ':',
      '8443',
      '@',
      '?',
      'evil.test',
      '\\',
      '-',
      '/old',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const start = fc.constantFrom(
  'https://shop.example',
  'https://',
  'https://www.',
  'https://shop.example/',
  '/',
  'https://new.shop.example',
  'http://shop.example',
  '',
);

const wildcard = fc
  .array(
    fc.constantFrom(
      '*',
      'https://',
      'http',
      '://',
      '/',
      'shop.example',
      '.shop.example',
      'www.',
      '/old',
      '@',
      '.',
      '?',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join('').replaceAll(/\*+/gu, '*'));
const regex = fc
  .array(
    fc.constantFrom(
      '^',
      '(.*)',
      '(.+)',
      '([^/]+)',
      '([^.]+)',
      '([a-z]{2})',
      '(\\w+)',
      'https?://',
      '/',
      'shop\\.example',
      '[.]',
      'www\\.',
      '/old',
      '.*',
      '@',
      '[a-z.]*',
      '$',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const replacement = fc
  .tuple(
    start,
    fc.array(fc.oneof(literal, fc.constantFrom('${1}', '${2}', '${3}', '.shop.example', '/')), {
      maxLength: 4,
    }),
  )
  .map(([first, parts]) => first + parts.join(''));
const field = fc.constantFrom(
  'http.host',
  'http.request.uri',
  'http.request.uri.path',
  'http.request.uri.query',
  'http.request.full_uri',
  'ip.src.country',
);

const { target } = fc.letrec<{ readonly target: string; readonly part: string }>((tie) => ({
  part: fc.oneof({ maxDepth: 3 }, field, literal.map(quoted), tie('target')),
  target: fc.oneof(
    { maxDepth: 3 },
    field,
    fc
      .tuple(start, fc.array(tie('part'), { minLength: 1, maxLength: 3 }))
      .map(([first, parts]) => `concat(${[quoted(first), ...parts].join(', ')})`),
    fc
      .tuple(fc.oneof(field, tie('target')), wildcard, replacement, fc.constantFrom('', ', "s"'))
      .map(
        ([source, pattern, text, flags]) =>
          `wildcard_replace(${source}, ${quoted(pattern)}, ${quoted(text)}${flags})`,
      ),
    fc
      .tuple(fc.oneof(field, tie('target')), regex, replacement)
      .map(([source, pattern, text]) => `regex_replace(${source}, ${quoted(pattern)}, ${quoted(text)})`),
    fc
      .tuple(fc.constantFrom('lower', 'upper', 'url_decode'), tie('target'))
      .map(([name, source]) => `${name}(${source})`),
    fc
      .tuple(tie('target'), fc.nat(9), fc.option(fc.nat(12)))
      .map(([source, from, to]) => `substring(${source}, ${from}${to === null ? '' : `, ${to}`})`),
    fc
      .tuple(tie('target'), fc.constantFrom('/', '.', '/@', 'w'))
      .map(([source, bytes]) => `remove_bytes(${source}, ${quoted(bytes)})`),
    fc.tuple(tie('target'), tie('target')).map((pair) => `coalesce(${pair.join(', ')})`),
    fc.nat(2).map((index) => `split(http.host, ".", 9)[${index}]`),
  ),
}));

function operandOf(expression: string): Operand | undefined {
  const parsed = parseExpression(expression, { mode: 'value' });
  return parsed.ok && parsed.tree.mode === 'value' ? parsed.tree.root : undefined;
}

function isJudgedSafe(expression: string): boolean {
  const rule = content({
    action: 'redirect',
    expression: 'true',
    action_parameters: { from_value: { target_url: { expression } } },
  });
  return judgeAdded(rule, { scope: SHOP, phase: 'http_request_dynamic_redirect' }).kind === 'same';
}

/** The host to which a browser goes, or undefined where it goes nowhere. */
function hostReached(location: string, { scheme, host, port }: Request): string | undefined {
  return URL.canParse(location, `${scheme}://${host}${port}/`)
    ? new URL(location, `${scheme}://${host}${port}/`).hostname.replace(/\.$/u, '')
    : undefined;
}

const isOfZone = (host: string): boolean => `.${host}`.endsWith('.shop.example');

test('a redirect that is judged to stay in the zone leads no browser out of it', () => {
  let safe = 0;
  fc.assert(
    fc.property(target, fc.array(request, { minLength: 12, maxLength: 12 }), (expression, requests) => {
      const operand = operandOf(expression);
      if (operand === undefined || !isJudgedSafe(expression)) {
        return;
      }
      const compiled = compileValue(operand);
      if (!compiled.ok) {
        return;
      }
      safe += 1;
      for (const one of requests) {
        const value = compiled.evaluate(valuesOf(one));
        const location = typeof value === 'string' ? value : '';
        const host = location === '' ? undefined : hostReached(location, one);
        expect(host === undefined || isOfZone(host), `${expression} → ${location}`).toBe(true);
      }
    }),
    { numRuns: 10 * propertyRuns() },
  );
  expect(safe).toBeGreaterThan(propertyRuns() / 4);
});
